#include "core/base/parallel.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aprscope {
namespace {

// Sets the number of threads for a test.
class Threads : public ::testing::TestWithParam<int> {
 protected:
  Threads() { set_thread_count(GetParam()); }
  ~Threads() override { set_thread_count(0); }
};

TEST_P(Threads, EveryItemIsDoneOnceWhateverTheTeam) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
    for (const int threads : {1, 2, 3, 16}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      parallel_for(count, threads, [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; });
      parallel_each(count, threads, [&](std::int64_t i, int thread) {
        EXPECT_LT(thread, threads);
        ++done[static_cast<std::size_t>(i)];
      });
      EXPECT_TRUE(parallel_items(count, threads, {}, "test", [&](std::int64_t i, int thread) {
        EXPECT_LT(thread, std::max<std::int64_t>(count, 1));
        ++done[static_cast<std::size_t>(i)];
      }));
      std::mutex mutex;
      std::set<int> used;
      parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        EXPECT_LT(begin, end);
        for (std::int64_t i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(used.insert(thread).second);
        EXPECT_LT(thread, threads);
      });
      for (const auto& n : done) ASSERT_EQ(n, 4);
    }
  }
}

TEST_P(Threads, AnExceptionOfOneThreadArrivesAtTheCaller) {
  const auto thrower = [](std::int64_t i) {
    if (i == 37) throw std::runtime_error("item 37");
  };
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(parallel_for(100, 8, thrower), std::runtime_error);
    EXPECT_THROW(parallel_each(100, 8, [&](std::int64_t i, int) { thrower(i); }),
                 std::runtime_error);
    EXPECT_THROW(parallel_items(100, 8, {}, "", [&](std::int64_t i, int) { thrower(i); }),
                 std::runtime_error);
    EXPECT_THROW(parallel_for(100, 8, [](std::int64_t) { throw std::bad_alloc(); }),
                 std::bad_alloc);
  }
  // The team is as good as before.
  std::atomic<int> done{0};
  parallel_for(100, 8, [&](std::int64_t) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST_P(Threads, NoItemIsBegunAfterAnException) {
  std::atomic<int> begun{0};
  EXPECT_THROW(parallel_each(1'000'000, 8,
                             [&](std::int64_t, int) {
                               ++begun;
                               throw std::bad_alloc();
                             }),
               std::bad_alloc);
  EXPECT_LE(begun, 8);
}

TEST_P(Threads, ATeamInsideATeamIsOneThread) {
  std::atomic<int> done{0};
  parallel_for(8, 8, [&](std::int64_t) {
    const auto self = std::this_thread::get_id();
    parallel_each(10, 8, [&](std::int64_t, int thread) {
      EXPECT_EQ(thread, 0);
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++done;
    });
  });
  EXPECT_EQ(done, 80);
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, ::testing::Values(1, 2, 5));

TEST(ThreadCount, MayChangeBetweenRegionsInAnyThread) {
  for (int round = 0; round < 3; ++round) {
    for (const int threads : {3, 1, 8, 2}) {
      set_thread_count(threads);
      std::thread other([&] {
        std::atomic<std::int64_t> sum{0};
        parallel_for(100, threads, [&](std::int64_t i) { sum += i; });
        EXPECT_EQ(sum, 4950);
      });
      std::atomic<std::int64_t> sum{0};
      parallel_for(100, 64, [&](std::int64_t i) { sum += i; });
      EXPECT_EQ(sum, 4950);
      other.join();
    }
  }
  set_thread_count(0);
}

#if !defined(__SANITIZE_ADDRESS__)  // which needs terabytes of address space
// Runs `work` in a process of its own with so much address space beyond what is taken.
int exit_code_within(std::uint64_t more_bytes, const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    // A thread of its own, as the team of this one stayed behind.
    std::thread([&] {
      const rlim_t bytes = virtual_bytes() + more_bytes;
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_AS, &limit);
      work();
      ::_exit(0);
    }).join();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ShortMemory, GivesFewerThreadsAndNoEnd) {
  for (const std::uint64_t megabytes : {0, 4, 20, 40, 80, 200}) {
    EXPECT_EQ(exit_code_within(megabytes << 20U,
                               [] {
                                 set_thread_count(64);
                                 const int threads = startable_threads(64);
                                 std::atomic<int> done{0};
                                 // With other teams between, as each step of a job has its own.
                                 for (int team : {64, 2, 64, 1, 3, 64}) {
                                   parallel_for(100, team, [&](std::int64_t) { ++done; });
                                 }
                                 if (done != 600) ::_exit(2);
                                 if (threads < 1 || threads >= 64) ::_exit(3);
                               }),
              0)
        << megabytes << " MB";
  }
}

TEST(ShortMemory, IsWhatIsAvailable) {
  EXPECT_EQ(exit_code_within(std::uint64_t{100} << 20U,
                             [] {
                               const auto free = available_bytes();
                               if (free < 50'000'000 || free > 110'000'000) ::_exit(2);
                             }),
            0);
}
#endif

}  // namespace
}  // namespace aprscope

#include "core/base/jobs.hpp"

#include <atomic>
#include <future>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using namespace std::chrono_literals;

// Collects what the queue tells.
class Listener {
 public:
  JobQueue::Listener hook() {
    return [this](const JobStatus& s) {
      const std::lock_guard lock(mutex_);
      heard_.push_back(s);
    };
  }
  std::vector<JobStatus> of(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    std::vector<JobStatus> mine;
    for (const auto& s : heard_) {
      if (s.id == id) mine.push_back(s);
    }
    return mine;
  }

 private:
  std::mutex mutex_;
  std::vector<JobStatus> heard_;
};

void wait_for_stop(const JobContext& context) {
  while (!context.stop_requested()) std::this_thread::sleep_for(1ms);
}

TEST(JobQueue, RunsFullJobsInOrderOneAtATime) {
  JobQueue queue;
  std::vector<int> order;
  std::atomic<int> at_once{0};
  for (int i = 0; i < 5; ++i) {
    queue.post(Lane::full, "job", [&, i](const JobContext&) {
      EXPECT_EQ(++at_once, 1);
      order.push_back(i);
      --at_once;
    });
  }
  ASSERT_TRUE(queue.wait_idle(10s));
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(JobQueue, NewestPreviewStopsTheRunningAndDropsTheWaiting) {
  Listener listener;
  JobQueue queue(listener.hook());
  std::promise<void> started;
  const auto first = queue.post(
      Lane::preview, "first",
      [&](const JobContext& c) {
        started.set_value();
        wait_for_stop(c);
      },
      "slice");
  started.get_future().wait();
  std::atomic<bool> second_ran{false};
  std::atomic<bool> third_ran{false};
  // Another key's job in between keeps the lane busy, so that the second one must wait.
  std::promise<void> release;
  auto released = release.get_future().share();
  queue.post(
      Lane::preview, "other", [released](const JobContext&) { released.wait(); }, "other");
  const auto second = queue.post(
      Lane::preview, "second", [&](const JobContext&) { second_ran = true; }, "slice");
  queue.post(
      Lane::preview, "third", [&](const JobContext&) { third_ran = true; }, "slice");
  release.set_value();
  ASSERT_TRUE(queue.wait_idle(10s));
  EXPECT_FALSE(second_ran);
  EXPECT_TRUE(third_ran);
  EXPECT_EQ(listener.of(first).back().state, JobStatus::State::cancelled);
  EXPECT_EQ(listener.of(second).back().state, JobStatus::State::cancelled);
}

TEST(JobQueue, PreviewRunsWhileAFullJobIsBusy) {
  JobQueue queue;
  std::promise<void> release;
  auto released = release.get_future().share();
  queue.post(Lane::full, "long", [released](const JobContext&) { released.wait(); });
  std::promise<void> previewed;
  queue.post(Lane::preview, "slice", [&](const JobContext&) { previewed.set_value(); });
  EXPECT_EQ(previewed.get_future().wait_for(10s), std::future_status::ready);
  release.set_value();
  EXPECT_TRUE(queue.wait_idle(10s));
}

TEST(JobQueue, ReportsProgressWithAnEstimateAndTheEnd) {
  Listener listener;
  JobQueue queue(listener.hook());
  const auto id = queue.post(Lane::full, "work", [](const JobContext& c) {
    std::this_thread::sleep_for(40ms);
    c.report(0.5, "half");
  });
  ASSERT_TRUE(queue.wait_idle(10s));
  const auto heard = listener.of(id);
  ASSERT_GE(heard.size(), 3U);
  EXPECT_EQ(heard.front().state, JobStatus::State::running);
  EXPECT_EQ(heard[1].stage, "half");
  EXPECT_NEAR(heard[1].seconds_left, heard[1].seconds, 1e-9);  // half done: as long again
  EXPECT_EQ(heard.back().state, JobStatus::State::finished);
  EXPECT_EQ(heard.back().fraction, 1.0);
}

TEST(JobQueue, CancelStopsARunningJobAndDropsAWaitingOne) {
  Listener listener;
  JobQueue queue(listener.hook());
  std::promise<void> started;
  const auto running = queue.post(Lane::full, "running", [&](const JobContext& c) {
    started.set_value();
    wait_for_stop(c);
  });
  started.get_future().wait();
  std::atomic<bool> ran{false};
  const auto waiting = queue.post(Lane::full, "waiting", [&](const JobContext&) { ran = true; });
  queue.cancel(waiting);
  queue.cancel(running);
  ASSERT_TRUE(queue.wait_idle(10s));
  EXPECT_FALSE(ran);
  EXPECT_EQ(listener.of(running).back().state, JobStatus::State::cancelled);
  EXPECT_EQ(listener.of(waiting).back().state, JobStatus::State::cancelled);
}

TEST(JobQueue, AnExceptionEndsTheJobNotTheQueue) {
  Listener listener;
  JobQueue queue(listener.hook());
  const auto id =
      queue.post(Lane::full, "throws", [](const JobContext&) { throw std::runtime_error("boom"); });
  std::atomic<bool> next_ran{false};
  queue.post(Lane::full, "next", [&](const JobContext&) { next_ran = true; });
  ASSERT_TRUE(queue.wait_idle(10s));
  EXPECT_TRUE(next_ran);
  EXPECT_EQ(listener.of(id).back().stage, "failed: boom");
}

TEST(JobQueue, WhatDoesNotFitIntoMemoryIsSaidAsThat) {
  Listener listener;
  JobQueue queue(listener.hook());
  const auto id =
      queue.post(Lane::full, "large", [](const JobContext&) { throw std::bad_alloc(); });
  ASSERT_TRUE(queue.wait_idle(10s));
  EXPECT_EQ(listener.of(id).back().stage, "failed: does not fit into memory");
}

TEST(JobQueue, AListenerWithoutMemoryHearsOfTheEndLater) {
  std::atomic<int> tries{0};
  std::atomic<bool> heard{false};
  JobQueue queue([&](const JobStatus& status) {
    if (status.state != JobStatus::State::finished) throw std::bad_alloc();
    if (++tries < 4) throw std::bad_alloc();
    heard = true;
  });
  queue.post(Lane::full, "work", [](const JobContext&) {});
  ASSERT_TRUE(queue.wait_idle(20s));
  EXPECT_TRUE(heard);
  EXPECT_EQ(tries, 4);
}

TEST(JobQueue, DestructorStopsEverything) {
  std::promise<void> started;
  std::atomic<bool> stopped{false};
  {
    JobQueue queue;
    queue.post(Lane::full, "endless", [&](const JobContext& c) {
      started.set_value();
      wait_for_stop(c);
      stopped = true;
    });
    started.get_future().wait();
  }
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace aprscope

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/base/job_context.hpp"
#include "core/base/system.hpp"

// The only place where threads share a loop. A plain `#pragma omp parallel` elsewhere would end the
// program where memory runs out: an exception must not leave it, and the OpenMP library gives up
// where a thread cannot be started. resources/setup/lint.sh parallel looks for them.

namespace aprscope {

/// Threads worth waking for work on `cells` cells of which one thread does `grain` in about as long
/// as waking takes on a busy machine (a millisecond or so).
inline int threads_for(std::int64_t cells, std::int64_t grain = std::int64_t{1} << 15) {
  return cells < 2 * grain ? 1 : thread_count();
}

/// The calling thread's team of at most `wanted` threads, itself included: how many can be started
/// in what memory there is, and no more than leave most of it to the data.
int startable_threads(int wanted);

namespace detail {

using TeamTask = void (*)(void* self, int thread, int threads);

// Calls task(self, thread, threads) for all threads of a team of at most `threads`; in the calling
// thread alone inside another team. The first exception is thrown again when all have ended.
void run_team(int threads, TeamTask task, void* self);

template <class Task>
void run_team(int threads, Task& task) {
  run_team(
      threads, [](void* self, int thread, int team) { (*static_cast<Task*>(self))(thread, team); },
      &task);
}

}  // namespace detail

/// Calls work(begin, end, thread) for [0, count) cut into one stretch a thread, in order; thread <
/// threads. What it writes must depend on the index alone, not on the cuts. An exception of `work`
/// (memory that runs out) is thrown again when all threads have ended: the first of several.
template <class Work>
void parallel_stretches(std::int64_t count, int threads, const Work& work) {
  threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads));
  auto task = [&](int thread, int team) {
    const std::int64_t share = count / team;
    const std::int64_t more = count % team;
    const std::int64_t begin = thread * share + std::min<std::int64_t>(thread, more);
    const std::int64_t end = begin + share + (thread < more ? 1 : 0);
    if (begin < end) work(begin, end, thread);
  };
  detail::run_team(threads, task);
}

/// Calls work(i) for i in [0, count), a stretch a thread: for items that take alike long. See
/// parallel_stretches().
template <class Work>
void parallel_for(std::int64_t count, int threads, const Work& work) {
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) work(i);
  });
}

/// Calls work(i, thread) for i in [0, count), one item at a time to whoever is free; thread <
/// min(threads, count). No item is begun after an exception, which is thrown again at the end.
template <class Work>
void parallel_each(std::int64_t count, int threads, const Work& work) {
  threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads));
  std::atomic<std::int64_t> next{0};
  auto task = [&](int thread, int) {
    try {
      for (std::int64_t i = next++; i < count; i = next++) work(i, thread);
    } catch (...) {
      next = count;
      throw;
    }
  };
  detail::run_team(threads, task);
}

/// parallel_each() that reports progress and starts no further item once the context asks to stop.
/// Returns false if it was asked. `work` must write only what belongs to item i (or to the thread's
/// own scratch), so that the outcome does not depend on the number of threads. `threads` is given,
/// not asked for, because scratch is sized by it and thread_count() may change at any time.
template <class Work>
bool parallel_items(std::int64_t count, int threads, const JobContext& context,
                    std::string_view stage, const Work& work) {
  constexpr std::int64_t kReports = 32;
  std::atomic<std::int64_t> done{0};
  context.report(0.0, stage);
  parallel_each(count, threads, [&](std::int64_t i, int thread) {
    if (context.stop_requested()) return;
    work(i, thread);
    const std::int64_t n = done.fetch_add(1) + 1;
    if (n * kReports / count != (n - 1) * kReports / count) {
      context.report(static_cast<double>(n) / static_cast<double>(count), stage);
    }
  });
  return !context.stop_requested();
}

}  // namespace aprscope

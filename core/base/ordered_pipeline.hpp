#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/parallel.hpp"
#include "core/base/result.hpp"

namespace aprscope {

namespace detail {

/// What the threads of ordered_pipeline() share: a ring of items, those from next_use to next_make
/// being made, or made and not used yet.
template <class Item>
class PipelineRing {
 public:
  PipelineRing(std::int64_t count, std::int64_t slots)
      : count_(count), slots_(static_cast<std::size_t>(slots)) {}

  /// The work of one thread; ends when there is nothing left to begin.
  template <class Make, class Use>
  void work(int thread, const JobContext& context, const Make& make, const Use& use) {
    std::unique_lock lock(mutex_);
    try {
      while (wait_for_room(lock)) {
        if (context.stop_requested()) {
          end();
          return;
        }
        const std::int64_t i = next_make_++;
        lock.unlock();
        make(i, thread, slot(i).item);
        lock.lock();
        slot(i).ready = true;
        use_ready(lock, context, use);
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      end();
      throw;
    }
  }

  [[nodiscard]] Status& status() { return status_; }

 private:
  struct Slot {
    Item item{};
    bool ready = false;
  };

  Slot& slot(std::int64_t i) {
    return slots_[static_cast<std::size_t>(i % static_cast<std::int64_t>(slots_.size()))];
  }

  void end() {
    ended_ = true;
    room_.notify_all();
  }

  // Waits for a free slot of the ring; false when no item is left to begin.
  bool wait_for_room(std::unique_lock<std::mutex>& lock) {
    const auto more = [&] { return !ended_ && next_make_ < count_; };
    const auto room = static_cast<std::int64_t>(slots_.size());
    room_.wait(lock, [&] { return !more() || next_make_ < next_use_ + room; });
    return more();
  }

  // Uses finished items in order. If another thread is doing so, it picks up later ones itself.
  template <class Use>
  void use_ready(std::unique_lock<std::mutex>& lock, const JobContext& context, const Use& use) {
    if (using_) return;
    using_ = true;
    while (!ended_ && next_use_ < next_make_ && slot(next_use_).ready) {
      // End here, or threads that wait for a free slot would wait forever.
      if (context.stop_requested()) {
        end();
        break;
      }
      lock.unlock();
      Status used = use(next_use_, slot(next_use_).item);
      lock.lock();
      if (!used) {
        status_ = std::move(used);
        end();
        break;
      }
      slot(next_use_).ready = false;
      ++next_use_;
      room_.notify_all();
    }
    using_ = false;
  }

  std::mutex mutex_;
  std::condition_variable room_;
  std::int64_t count_;
  std::vector<Slot> slots_;
  std::int64_t next_make_ = 0;
  std::int64_t next_use_ = 0;
  bool using_ = false;
  bool ended_ = false;
  Status status_;
};

}  // namespace detail

/// Makes `count` items by several threads and uses them in their order, by one thread at a time,
/// while the next ones are made: blocks that are packed and written, for instance. No more than
/// three items a thread are held. make(i, thread, Item&) gets an item that was used before, with
/// what it holds, and thread < threads; use(i, Item&) returns a Status, and the first error ends it
/// all. Errors: those of `use`; cancelled. An exception of either is thrown again.
template <class Item, class Make, class Use>
Status ordered_pipeline(std::int64_t count, int threads, const JobContext& context,
                        const Make& make, const Use& use) {
  threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads));
  detail::PipelineRing<Item> ring(count, std::int64_t{3} * threads);
  parallel_stretches(threads, threads, [&](std::int64_t, std::int64_t, int thread) {
    ring.work(thread, context, make, use);
  });
  if (!ring.status()) return ring.status();
  return context.stop_requested() ? Status(cancelled_error()) : Status();
}

}  // namespace aprscope

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// The pixels of a region of an image that is read slice by slice, as a source of summarize(): a
/// block is a slice of it. T is the type of the source's kind(). Threads take blocks in order, and
/// read their slices in that order, as the source wants it.
template <class T>
class SliceValues {
 public:
  using Value = T;
  SliceValues(SliceSource& source, const Region& region, const JobContext& context)
      : source_(source), region_(region), context_(context) {}

  [[nodiscard]] std::int64_t blocks() const { return region_.size().z; }
  /// Gives nothing once reading has failed, see status().
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const Size3 size = source_.size();
    std::vector<T> slice;
    try {
      slice.resize(static_cast<std::size_t>(size.x * size.y));
    } catch (...) {
      give_up();  // or the others would wait for this slice
      throw;
    }
    if (!read(block, slice)) return;
    for (std::int64_t x = region_.begin.x; x < region_.end.x; ++x) {
      f(std::span<const T>(slice).subspan(static_cast<std::size_t>(x * size.y + region_.begin.y),
                                          static_cast<std::size_t>(region_.size().y)),
        nullptr);
    }
  }
  /// The error of reading, if there was one.
  [[nodiscard]] Status status() const {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  void give_up() const {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    turn_.notify_all();
  }
  [[nodiscard]] bool read(std::int64_t block, std::vector<T>& slice) const {
    // A stop is noticed by looking.
    constexpr std::chrono::milliseconds kLook{20};
    std::unique_lock lock(mutex_);
    while (next_ != block) {
      if (ended_ || context_.stop_requested()) return false;
      turn_.wait_for(lock, kLook);
    }
    if (ended_) return false;
    Status done =
        source_.read(region_.begin.z + block, slice.data(), JobContext(context_.stop_token()));
    if (!done) {
      failed_ = done;
      ended_ = true;
    }
    // After the last one the next pass begins.
    next_ = block + 1 == blocks() ? 0 : block + 1;
    turn_.notify_all();
    return done.ok();
  }

  SliceSource& source_;
  Region region_;
  const JobContext& context_;
  mutable std::mutex mutex_;
  mutable std::condition_variable turn_;
  mutable std::int64_t next_ = 0;
  mutable bool ended_ = false;
  mutable Status failed_;
};

}  // namespace aprscope

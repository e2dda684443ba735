#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "core/base/result.hpp"

namespace aprscope {

/// A thread beside the caller's that does one piece of work after the other. Its team of threads
/// (parallel.hpp) is kept from one piece to the next; a new thread would start a new team each
/// time. The destructor waits for all work that was given.
class SideThread {
 public:
  using Work = std::function<Status()>;

  SideThread() = default;
  ~SideThread();
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;

  /// Begins `work` when all earlier work has ended; get() of the future throws what `work` throws.
  /// If no thread can be started, get() runs the work itself.
  std::future<Status> start(Work work);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<Status()>> waiting_;
  bool ending_ = false;
  // Started with the first work.
  std::thread thread_;
};

}  // namespace aprscope

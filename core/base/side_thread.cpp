#include "core/base/side_thread.hpp"

#include <system_error>
#include <utility>

namespace aprscope {

SideThread::~SideThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::future<Status> SideThread::start(Work work) {
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, std::move(work));
    }
  }
  std::packaged_task<Status()> task(std::move(work));
  auto done = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  changed_.notify_all();
  return done;
}

// Runs the waiting tasks. Does not throw: std::packaged_task keeps what the work throws.
void SideThread::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    {
      std::packaged_task<Status()> task = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      task();
    }
    lock.lock();
  }
}

}  // namespace aprscope

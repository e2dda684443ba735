#include "app/gui/document/release.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

constexpr int kBehindOthers = 5;

// Frees memory in one thread for the whole program; ends after everything was freed.
class Releaser {
 public:
  Releaser() : thread_([this] { serve(); }) {}
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;

  ~Releaser() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  // Throws std::bad_alloc, and then leaves `release` unchanged.
  void post(std::function<void()>& release) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(release));
    }
    wake_.notify_one();
  }

 private:
  void serve() {
    lower_thread_priority(kBehindOthers);
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::function<void()> release = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      release();
      release = nullptr;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace

void release_elsewhere(std::function<void()> release) {
  // If there is no memory for the thread or the queue, frees here, which takes longer.
  try {
    static Releaser releaser;
    releaser.post(release);
    return;
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {
  }
  release();
}

}  // namespace aprscope::gui

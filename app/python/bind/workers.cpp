#include "app/python/bind/workers.hpp"

#include <deque>
#include <thread>
#include <utility>

#include <pthread.h>

#include "core/base/system.hpp"

namespace aprscope::python {
namespace {

class Workers {
 public:
  void give(const std::shared_ptr<BesideJob>& job) {
    std::unique_lock lock(mutex_);
    waiting_.push_back(job);
    if (idle_ >= waiting_.size()) {
      wanted_.notify_one();
      return;
    }
    try {
      std::thread([this] { serve(); }).detach();
    } catch (...) {
      waiting_.pop_back();
      throw;
    }
  }

  void wait_until_idle(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, most, [this] { return waiting_.empty() && running_ == 0; });
  }

 private:
  // Needs no try: BesideJob::run() throws nothing.
  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      wanted_.wait(lock, [this] { return !waiting_.empty(); });
      --idle_;
      auto job = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
      lock.unlock();
      job->run();
      job.reset();
      lock.lock();
      --running_;
      ended_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_;
  std::condition_variable ended_;
  std::deque<std::shared_ptr<BesideJob>> waiting_;
  std::size_t idle_ = 0;
  std::size_t running_ = 0;
};

bool forked = false;

// Never destroyed, as they may run when the process ends; a forked process starts with new ones.
Workers*& workers() {
  static Workers* made = [] {
    pthread_atfork(nullptr, nullptr, [] {
      forked = true;
      workers() = new Workers;
      set_thread_count(1);
    });
    return new Workers;
  }();
  return made;
}

}  // namespace

void BesideJob::run() {
  const JobContext context =
      JobContext(stop_.get_token(), [this](double fraction, std::string_view stage) {
        const std::lock_guard lock(mutex_);
        news_.progressed = true;
        news_.fraction = fraction;
        news_.stage = stage;
      }).listening([this](const DeviceMove& move) {
        const std::lock_guard lock(mutex_);
        moves_.push_back(sentence(move));
      });
  std::exception_ptr thrown;
  try {
    work_(context, *this);
  } catch (...) {
    thrown = std::current_exception();
  }
  // Frees the job's data in this thread, so that Python need not wait for that.
  work_ = nullptr;
  const std::lock_guard lock(mutex_);
  thrown_ = thrown;
  done_ = true;
  ended_.notify_all();
}

bool BesideJob::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, time, [this] { return done_; });
}

JobNews BesideJob::news() {
  const std::lock_guard lock(mutex_);
  JobNews news = std::move(news_);
  news_ = {};
  return news;
}

std::vector<std::string> BesideJob::moves() {
  const std::lock_guard lock(mutex_);
  return std::exchange(moves_, {});
}

void BesideJob::rethrow() const {
  if (thrown_) std::rethrow_exception(thrown_);
}

void BesideJob::add(const IterationReport& report) {
  const std::lock_guard lock(mutex_);
  news_.iterations.push_back(report);
}

void start_beside(const std::shared_ptr<BesideJob>& job) { workers()->give(job); }

void wait_for_jobs(std::chrono::milliseconds most) { workers()->wait_until_idle(most); }

bool is_forked() { return forked; }

}  // namespace aprscope::python

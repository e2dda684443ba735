#include "core/base/jobs.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace aprscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kReportInterval = std::chrono::milliseconds(33);

struct Job {
  JobStatus status;
  JobQueue::Work work;
  std::string key;
  std::stop_source stop;
  Clock::time_point started;
  Clock::time_point reported;
};

}  // namespace

struct JobQueue::Impl {
  struct LaneState {
    std::deque<std::shared_ptr<Job>> waiting;
    std::shared_ptr<Job> running;
    std::jthread worker;
  };

  Listener listener;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::uint64_t next_id = 1;
  bool closing = false;
  std::array<LaneState, 2> lanes;

  void tell(const JobStatus& status) const {
    if (listener) listener(status);
  }

  // Calls the listener from a worker thread, where nobody catches what the listener throws. A host
  // that never hears of a job's end waits for it forever. So where memory is too short for the
  // call, the call is repeated: memory that the job took is being given back.
  void tell_surely(const JobStatus& status) const noexcept {
    constexpr int kTimes = 100;
    constexpr auto kPause = std::chrono::milliseconds(20);
    for (int i = 0; i < kTimes; ++i) {
      try {
        return tell(status);
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kPause);
      } catch (...) {
        return;
      }
    }
  }

  // Jobs report progress often, from any thread; listeners hear of new stages and at intervals.
  void progress(Job& job, double fraction, std::string_view stage) {
    JobStatus snapshot;
    {
      const std::lock_guard lock(mutex);
      const auto now = Clock::now();
      JobStatus& s = job.status;
      s.fraction = std::max(s.fraction, fraction);
      s.seconds = std::chrono::duration<double>(now - job.started).count();
      s.seconds_left = s.fraction > 0.01 ? s.seconds / s.fraction * (1 - s.fraction) : -1.0;
      const bool due = s.stage != stage || now - job.reported >= kReportInterval;
      s.stage = stage;
      if (!due) return;
      job.reported = now;
      snapshot = s;
    }
    tell(snapshot);
  }

  void run(const std::shared_ptr<Job>& job) noexcept {
    // A fixed array, since taking memory for the text of the error may fail, too.
    std::array<char, 200> failure{};
    const auto fails = [&](const char* why) {
      std::snprintf(failure.data(), failure.size(), "failed: %s", why);
    };
    try {
      job->work(JobContext(job->stop.get_token(), [this, job](double f, std::string_view stage) {
        progress(*job, f, stage);
      }));
    } catch (const std::bad_alloc&) {
      fails("does not fit into memory");
    } catch (const std::exception& e) {
      fails(e.what());
    } catch (...) {
      fails("unknown exception");
    }
    const std::lock_guard lock(mutex);
    JobStatus& s = job->status;
    s.seconds = std::chrono::duration<double>(Clock::now() - job->started).count();
    s.state = job->stop.stop_requested() ? JobStatus::State::cancelled : JobStatus::State::finished;
    if (failure[0] == '\0') {
      if (s.state == JobStatus::State::finished) s.fraction = 1.0;
      return;
    }
    try {
      s.stage = failure.data();
    } catch (const std::bad_alloc&) {
      s.stage.clear();
    }
  }

  void serve(LaneState& lane) {
    for (;;) {
      std::shared_ptr<Job> job;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return closing || !lane.waiting.empty(); });
        if (closing) return;
        job = std::move(lane.waiting.front());
        lane.waiting.pop_front();
        lane.running = job;
        job->started = Clock::now();
        job->status.state = JobStatus::State::running;
      }
      tell_surely(job->status);
      run(job);
      tell_surely(job->status);
      {
        const std::lock_guard lock(mutex);
        lane.running.reset();
      }
      changed.notify_all();
    }
  }
};

JobQueue::JobQueue(Listener listener) : impl_(std::make_unique<Impl>()) {
  impl_->listener = std::move(listener);
  for (auto& lane : impl_->lanes) {
    lane.worker = std::jthread([this, &lane] { impl_->serve(lane); });
  }
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
  }
  cancel_all();
  impl_->changed.notify_all();
  for (auto& lane : impl_->lanes) lane.worker.join();
}

std::uint64_t JobQueue::post(Lane lane, std::string title, Work work, std::string key) {
  auto job = std::make_shared<Job>();
  job->status.title = std::move(title);
  job->work = std::move(work);
  job->key = std::move(key);
  std::vector<JobStatus> dropped;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(impl_->mutex);
    id = job->status.id = impl_->next_id++;
    auto& state = impl_->lanes[static_cast<std::size_t>(lane)];
    if (lane == Lane::preview && !job->key.empty()) {
      if (state.running && state.running->key == job->key) state.running->stop.request_stop();
      std::erase_if(state.waiting, [&](const auto& other) {
        if (other->key != job->key) return false;
        other->status.state = JobStatus::State::cancelled;
        dropped.push_back(other->status);
        return true;
      });
    }
    state.waiting.push_back(std::move(job));
  }
  for (const JobStatus& status : dropped) impl_->tell(status);
  impl_->changed.notify_all();
  return id;
}

void JobQueue::cancel(std::uint64_t id) {
  std::optional<JobStatus> dropped;
  {
    const std::lock_guard lock(impl_->mutex);
    for (auto& lane : impl_->lanes) {
      if (lane.running && lane.running->status.id == id) lane.running->stop.request_stop();
      std::erase_if(lane.waiting, [&](const auto& job) {
        if (job->status.id != id) return false;
        job->status.state = JobStatus::State::cancelled;
        dropped = job->status;
        return true;
      });
    }
  }
  if (dropped) impl_->tell(*dropped);
  impl_->changed.notify_all();
}

void JobQueue::cancel_all() {
  std::vector<JobStatus> dropped;
  {
    const std::lock_guard lock(impl_->mutex);
    for (auto& lane : impl_->lanes) {
      if (lane.running) lane.running->stop.request_stop();
      for (auto& job : lane.waiting) {
        job->status.state = JobStatus::State::cancelled;
        dropped.push_back(job->status);
      }
      lane.waiting.clear();
    }
  }
  for (const JobStatus& status : dropped) impl_->tell(status);
  impl_->changed.notify_all();
}

bool JobQueue::wait_idle(std::chrono::milliseconds timeout) {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, timeout, [&] {
    return std::all_of(impl_->lanes.begin(), impl_->lanes.end(),
                       [](const auto& lane) { return lane.waiting.empty() && !lane.running; });
  });
}

}  // namespace aprscope

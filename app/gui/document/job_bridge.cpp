#include "app/gui/document/job_bridge.hpp"

#include "core/base/system.hpp"

namespace aprscope::gui {

JobBridge::JobBridge(QObject* parent) : QObject(parent) {
  queue_ = std::make_unique<JobQueue>([this](const JobStatus& status) {
    deliver([this, status] {
      const bool ended =
          status.state == JobStatus::State::finished || status.state == JobStatus::State::cancelled;
      if (ended) {
        if (const auto job = open_.extract(status.id); !job.empty()) job.mapped().dropped();
      }
      emit job_changed(status);
      if (ended && open_.empty()) emit idle();
    });
  });
}

// Destroys the queue first, since its workers use this object until they have stopped.
JobBridge::~JobBridge() { queue_.reset(); }

void JobBridge::cancel(std::uint64_t id) { queue_->cancel(id); }
void JobBridge::cancel_all() { queue_->cancel_all(); }

bool JobBridge::busy() const { return !open_.empty(); }

QStringList JobBridge::working() const {
  QStringList titles;
  for (const auto& [id, job] : open_) {
    if (job.lane == Lane::full) titles << job.title;
  }
  return titles;
}

std::uint64_t JobBridge::post_plain(Lane lane, const QString& title, const std::string& key,
                                    std::function<void()> dropped, JobQueue::Work work) {
  emit posting(lane);
  const std::uint64_t id = queue_->post(lane, title.toStdString(), std::move(work), key);
  open_.emplace(id, OpenJob{lane, title, std::move(dropped)});
  return id;
}

void JobBridge::lower_priority(Lane lane) {
  constexpr int kPreview = 4;
  constexpr int kFull = 10;
  // Set once for each thread of a lane; threads that it starts inherit the priority.
  thread_local bool done = false;
  if (!std::exchange(done, true)) lower_thread_priority(lane == Lane::preview ? kPreview : kFull);
}

void JobBridge::deliver(std::function<void()> callback) {
  QMetaObject::invokeMethod(this, std::move(callback), Qt::QueuedConnection);
}

}  // namespace aprscope::gui

#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/jobs.hpp"
#include "core/base/result.hpp"

namespace aprscope::gui {

/// Carries work to the worker threads of a JobQueue and results back to the thread of the user
/// interface. This is the only way between the two.
class JobBridge : public QObject {
  Q_OBJECT

 public:
  explicit JobBridge(QObject* parent = nullptr);
  ~JobBridge() override;

  /// Runs `work(const JobContext&) -> Result<Value>` on a worker thread and then
  /// `done(Result<Value>)` on this thread, unless `owner` is gone by then. A job that is cancelled
  /// while it waits never calls done. Running out of memory becomes an error. Returns the job's id.
  template <class Work, class Done>
  std::uint64_t post(Lane lane, const QString& title, const std::string& key, QObject* owner,
                     Work work, Done done) {
    using Outcome = std::invoke_result_t<Work&, const JobContext&>;
    auto finish = std::make_shared<Done>(std::move(done));
    QPointer<QObject> alive(owner);
    return post_plain(
        lane, title, key,
        [this, alive, finish, work = std::move(work), title](const JobContext& context) mutable {
          std::shared_ptr<Outcome> outcome;
          try {
            outcome = std::make_shared<Outcome>(work(context));
          } catch (const std::bad_alloc&) {
            outcome = std::make_shared<Outcome>(Error{"not enough memory", title.toStdString(),
                                                      "close other data or use a smaller image"});
          }
          deliver([alive, finish, outcome] {
            if (alive) (*finish)(std::move(*outcome));
          });
        });
  }

  void cancel(std::uint64_t id);
  void cancel_all();

  /// True while any job waits, runs, or has a result that this thread has not taken yet.
  [[nodiscard]] bool busy() const;

 signals:
  /// A job started, got further, or ended (see JobStatus::state).
  void job_changed(const aprscope::JobStatus& status);
  /// busy() became false.
  void idle();

 private:
  std::uint64_t post_plain(Lane lane, const QString& title, const std::string& key,
                           JobQueue::Work work);
  void deliver(std::function<void()> callback);

  int open_ = 0;
  std::unique_ptr<JobQueue> queue_;
};

}  // namespace aprscope::gui

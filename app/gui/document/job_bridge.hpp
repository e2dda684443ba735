#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/jobs.hpp"
#include "core/base/result.hpp"

namespace aprscope::gui {

/// Runs work on the threads of a JobQueue and brings its results back to the UI thread. All data
/// between these threads goes through here.
class JobBridge : public QObject {
  Q_OBJECT

 public:
  explicit JobBridge(QObject* parent = nullptr);
  ~JobBridge() override;

  /// Runs `work(const JobContext&) -> Result<Value>` on a worker thread and then `done(const
  /// Result<Value>&)` on this thread, unless `owner` was destroyed. A job that is cancelled while
  /// it waits results in a cancelled error. Exceptions, such as for too little memory, become
  /// errors. Returns the job's id.
  template <class Work, class Done>
  std::uint64_t post(Lane lane, const QString& title, const std::string& key, QObject* owner,
                     Work work, Done done) {
    using Outcome = std::invoke_result_t<Work&, const JobContext&>;
    auto finish = std::make_shared<std::function<void(const Outcome&)>>(std::move(done));
    QPointer<QObject> alive(owner);
    // Calls `done` once: with the result, or if the job was dropped before it ran.
    const auto once = [alive, finish](std::shared_ptr<Outcome> outcome) {
      if (alive && *finish) std::exchange(*finish, nullptr)(*outcome);
    };
    return post_plain(
        lane, title, key, [once] { once(std::make_shared<Outcome>(cancelled_error())); },
        [this, once, lane, work = std::move(work), title](const JobContext& context) mutable {
          lower_priority(lane);
          std::shared_ptr<Outcome> outcome;
          try {
            outcome = std::make_shared<Outcome>(work(context));
          } catch (const std::bad_alloc&) {
            outcome = std::make_shared<Outcome>(Error{"not enough memory", title.toStdString(),
                                                      "close other data or use a smaller image"});
          } catch (const std::exception& failure) {
            outcome = std::make_shared<Outcome>(Error{failure.what(), title.toStdString(), ""});
          }
          deliver([once, outcome] { once(outcome); });
        });
  }

  void cancel(std::uint64_t id);
  void cancel_all();

  /// True while a job waits or runs, or has a result that this thread has not handled yet.
  [[nodiscard]] bool busy() const;
  /// The titles of the jobs that users started, i.e. without previews and pictures.
  [[nodiscard]] QStringList working() const;

 signals:
  /// A job started, made progress, or ended (see JobStatus::state).
  void job_changed(const aprscope::JobStatus& status);
  /// A job is about to be posted; it may begin at once.
  void posting(aprscope::Lane lane);
  /// busy() became false.
  void idle();

 private:
  std::uint64_t post_plain(Lane lane, const QString& title, const std::string& key,
                           std::function<void()> dropped, JobQueue::Work work);
  void deliver(std::function<void()> callback);
  /// Workers call this to lower their priority below the UI, and that of long jobs below previews.
  static void lower_priority(Lane lane);

  struct OpenJob {
    Lane lane;
    QString title;
    std::function<void()> dropped;
  };

  /// The jobs that have not ended, and the function to call if one is dropped.
  std::map<std::uint64_t, OpenJob> open_;
  std::unique_ptr<JobQueue> queue_;
};

}  // namespace aprscope::gui

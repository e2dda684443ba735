#pragma once

#include <QWidget>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "app/gui/document/job_bridge.hpp"
#include "app/gui/widgets/theme.hpp"

class QHBoxLayout;
class QLabel;

namespace aprscope::gui {

/// The running jobs: for each its title, progress, time left and Cancel, side by side (so that the
/// views do not move when jobs come and go), and the number of further jobs. Very short jobs are
/// not shown. Takes no room while empty.
class JobStrip : public QWidget {
  Q_OBJECT

 public:
  explicit JobStrip(Theme& theme, QWidget* parent = nullptr);
  ~JobStrip() override;

  /// Shows jobs of this bridge, except for previews (many, short).
  void follow(JobBridge& bridge);
  [[nodiscard]] int shown() const;
  /// Adds a button "Keep this iterate" to a job that has just been posted; it calls `keep`.
  void offer_keep(JobBridge& bridge, std::uint64_t job, std::function<void()> keep);

 private:
  struct Line;
  using Key = std::pair<JobBridge*, std::uint64_t>;

  void update_job(JobBridge& bridge, const JobStatus& status);
  void show_line(const Key& key, const JobStatus& status);
  void make_line(const Key& key);
  void arrange();

  Theme& theme_;
  QHBoxLayout* layout_ = nullptr;
  QLabel* more_ = nullptr;
  std::map<Key, Line*> lines_;
  /// The jobs in the order of their start.
  std::vector<Key> order_;
  std::map<Key, JobStatus> waiting_;
  std::map<Key, std::function<void()>> keeps_;
};

/// The remaining time as text: "12 s left", "3 min left"; empty if unknown.
QString time_left_text(double seconds_left);

}  // namespace aprscope::gui

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

/// What is being worked on: what, progress, time left and Cancel of each job, side by side (the
/// views must not move when a job comes or goes), and how many more there are. Jobs shorter than a
/// blink do not appear. Empty it takes no room.
class JobStrip : public QWidget {
  Q_OBJECT

 public:
  explicit JobStrip(Theme& theme, QWidget* parent = nullptr);
  ~JobStrip() override;

  /// Shows jobs of this bridge. Previews (many, short) are left out.
  void follow(JobBridge& bridge);
  [[nodiscard]] int shown() const;
  /// Gives a job that has just been posted a button "Keep this iterate", which calls `keep`.
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
  /// The oldest first.
  std::vector<Key> order_;
  std::map<Key, JobStatus> waiting_;
  std::map<Key, std::function<void()>> keeps_;
};

/// "12 s left", "3 min left"; empty while unknown.
QString time_left_text(double seconds_left);

}  // namespace aprscope::gui

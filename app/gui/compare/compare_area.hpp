#pragma once

#include <QWidget>
#include <array>
#include <chrono>
#include <map>

#include "app/gui/compare/compare_feed.hpp"
#include "app/gui/compare/compare_volumes.hpp"
#include "app/gui/widgets/theme.hpp"
#include "render/slice_view.hpp"

class QLabel;
class QSplitter;

namespace aprscope::gui {

class ProfilePlot;

/// The comparison, shown instead of the four views: A and B side by side, one view with a handle,
/// their difference, or their projections. Cameras, slices and crosshair are linked. Below are the
/// values under the cursor, and the profile of a line that the user drew.
class CompareArea : public QWidget {
  Q_OBJECT

 public:
  CompareArea(Document& document, Comparison& comparison, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] CompareFeed& feed() { return *feed_; }
  /// The view of A, which is also the one with the handle.
  [[nodiscard]] SliceView& left() { return *left_; }
  [[nodiscard]] SliceView& right() { return *right_; }
  [[nodiscard]] SliceView& difference() { return *difference_; }
  [[nodiscard]] CompareVolumes& volumes() { return *volumes_; }
  [[nodiscard]] ProfilePlot& profile() { return *profile_; }
  /// The values under the cursor: "A 120   B 118   B − A −2"; empty if it is over no pixel.
  [[nodiscard]] QString reading() const;

  /// The colours of the difference range from −this to +this.
  [[nodiscard]] double difference_range() const;
  /// Fits all views and puts the handle into the middle.
  void reset();
  /// Handles events until the views show the present state.
  bool wait_until_shown(std::chrono::milliseconds timeout);

 signals:
  void hovered(const aprscope::Index3& position);
  void hover_left();
  /// difference_range() may have changed.
  void difference_range_changed();

 private:
  void build();
  void link(SliceView& view);
  /// Tells a view the shape of its data. With the same shape as before the view is not cleared, so
  /// that the next picture follows without a blank in between.
  void shape(SliceView& view, Axis axis);
  void share_the_room();
  /// Applies items and settings; the picture follows from the feed.
  void follow_sides();
  void follow_settings();
  void follow_display();
  void follow_crosshair();
  void show_picture(const ComparePicture& picture);
  void show_difference(const ComparePicture& picture);
  void show_profile();
  void show_reading(const Index3& position, const Dataset& of);
  void apply_theme();
  [[nodiscard]] const Dataset* data_of(const SliceView& view) const;
  [[nodiscard]] std::array<SliceView*, 3> slices() const { return {left_, right_, difference_}; }
  [[nodiscard]] QString side_name(bool second) const;

  Document& document_;
  Comparison& comparison_;
  Theme& theme_;
  CompareFeed* feed_ = nullptr;
  QSplitter* rows_ = nullptr;
  QSplitter* row_ = nullptr;
  SliceView* left_ = nullptr;
  SliceView* right_ = nullptr;
  SliceView* difference_ = nullptr;
  CompareVolumes* volumes_ = nullptr;
  QLabel* reading_ = nullptr;
  ProfilePlot* profile_ = nullptr;
  CompareSettings shown_;
  struct Shape {
    Axis axis = Axis::z;
    Size3 size{0, 0, 0};
    VoxelSize voxel;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  std::map<const SliceView*, Shape> shapes_;
  bool linking_ = false;
  bool warm_ = false;  // the slice views; see VtkWidget::warm_up()
};

}  // namespace aprscope::gui

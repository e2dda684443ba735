#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <chrono>
#include <optional>

#include "app/gui/views/clip_box.hpp"
#include "app/gui/views/detail_feed.hpp"
#include "app/gui/views/slice_feed.hpp"
#include "app/gui/views/volume_detail.hpp"
#include "app/gui/views/volume_preview.hpp"
#include "app/gui/views/volume_slices.hpp"
#include "app/gui/widgets/theme.hpp"
#include "core/image/region.hpp"
#include "render/mip_view.hpp"
#include "render/slice_view.hpp"

class QSplitter;
class QToolButton;

namespace aprscope::gui {

class LabelChoice;
class LabelSceneFeed;

/// The four places of the grid, as the keys 1 to 4 count them.
enum class ViewPlace { xy, mip, yz, xz };

/// The four linked views: xy at the top left, the yz slice below it (they share y), the projection
/// at the top right, the xz slice below that. Any of them can be maximised.
class ViewsArea : public QWidget {
  Q_OBJECT

 public:
  ViewsArea(Document& document, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] SliceView& slice(Axis axis) { return *slices_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] MipView& mip() { return *mip_; }
  [[nodiscard]] SliceFeed& feed() { return *feed_; }
  [[nodiscard]] DetailFeed& detail() { return *detail_; }
  [[nodiscard]] ClipBox& clip_box() { return *clip_box_; }
  [[nodiscard]] QWidget& view(ViewPlace place);

  /// Nothing: all four.
  void maximise(std::optional<ViewPlace> place);
  [[nodiscard]] std::optional<ViewPlace> maximised() const { return maximised_; }
  /// Whether the projection is one of the views that are shown.
  [[nodiscard]] bool volume_shown() const {
    return maximised_ ? *maximised_ == ViewPlace::mip : !flat_;
  }
  /// Fits slices and camera, equal sizes, all four views.
  void reset();

  [[nodiscard]] QByteArray save_layout() const;
  void restore_layout(const QByteArray& state);

  /// Marks what a threshold keeps of the values that are shown; with `surface` the 3-D view shows
  /// its surface. None: nothing is marked.
  void set_level_set(const std::optional<LevelSet>& set, bool surface);

  /// Draws labels of the slices, and those that are chosen, by this; see LabelChoice.
  void follow_labels(LabelChoice& choice);

  /// While it is on, drags in slices are strokes.
  void set_brush(bool on);

  /// The pixels of the current item that all slices show which show any of these dimensions.
  [[nodiscard]] Region seen() const;

  /// The label on screen at a voxel; 0: none is drawn there.
  [[nodiscard]] std::uint32_t shown_label(const Index3& position) const;
  /// The value on screen at a voxel, where a view shows it.
  [[nodiscard]] std::optional<float> shown_value(const Index3& position) const;
  /// The values of all visible channels at a voxel; empty where they are not shown together.
  [[nodiscard]] std::vector<ChannelValue> channel_values(const Index3& position) const;
  /// Handles events until slices and projection show the present state.
  bool wait_until_shown(std::chrono::milliseconds timeout);

 signals:
  /// The cursor is over a voxel / over none.
  void hovered(const aprscope::Index3& position);
  void hover_left();
  /// A voxel of a slice was clicked; and that was the first of the two clicks of a double click.
  void clicked(const aprscope::Index3& position);
  void click_taken_back();
  /// A stroke of the brush ended: voxels of a slice.
  void stroke(const std::vector<aprscope::Index3>& voxels);
  /// A label was clicked in the 3-D view (0: what is none), at this voxel of it; with Shift.
  void label_clicked(std::uint32_t label, const std::optional<aprscope::Index3>& position,
                     bool add);
  void preview_shown(bool preview);
  /// volume_shown() changed.
  void volume_shown_changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void add_button(ViewPlace place);
  void place_buttons();
  void follow_seen();
  void look_at_details();
  [[nodiscard]] std::optional<Index3> matter_at(const Item& item, double u, double v) const;
  void place_legend();
  void mark_level_set(Axis axis);
  void mark_labels();
  void follow_item();
  void set_shapes(const std::shared_ptr<const Dataset>& before);
  void follow_display();
  void follow_channels();
  void show_channels();
  void follow_options();
  void follow_raycaster();
  void describe_volume();
  void apply_theme();
  void show_picture(const SlicePicture& picture);
  [[nodiscard]] SliceCaption caption_of(const SlicePicture& picture) const;

  Document& document_;
  Theme& theme_;
  std::array<SliceView*, 3> slices_{};
  MipView* mip_ = nullptr;
  SliceFeed* feed_ = nullptr;
  DetailFeed* detail_ = nullptr;
  VolumeDetail* volume_detail_ = nullptr;
  ClipBox* clip_box_ = nullptr;
  VolumeSlices* volume_slices_ = nullptr;
  VolumePreview* volume_preview_ = nullptr;
  LabelSceneFeed* scenes_ = nullptr;
  QSplitter* rows_ = nullptr;
  QSplitter* top_ = nullptr;
  QSplitter* bottom_ = nullptr;
  std::array<QToolButton*, 4> buttons_{};
  std::optional<ViewPlace> maximised_;
  std::optional<LevelSet> level_set_;
  QPointer<LabelChoice> label_choice_;
  std::shared_ptr<const LabelColours> colours_;
  bool flat_ = false;
  /// What each slice view shows, for the status bar and for changes of contrast.
  std::array<std::optional<SlicePicture>, 3> shown_;
  std::shared_ptr<const Dataset> shape_of_;
  std::uint64_t shape_id_ = 0;
  /// Slice views that still show a picture of the item before: it keeps its own contrast and
  /// colours until the new one is there, or it would flash in those of other data.
  std::array<bool, 3> earlier_{};
};

}  // namespace aprscope::gui

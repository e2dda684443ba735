#pragma once

#include <QObject>
#include <QTimer>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"
#include "app/gui/views/slice_picture.hpp"
#include "core/io/common/source_info.hpp"
#include "core/pipeline/file_slice.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// Reads what slice views look at from the file, where the current item is an overview of it: the
/// finer the more they are zoomed in. In the background, the newest request of a view first; until
/// it is there, and where there is nothing finer, the overview shows. UI thread only.
class DetailFeed : public QObject {
  Q_OBJECT

 public:
  /// `views`: by axis. They must outlive this.
  DetailFeed(Document& document, std::array<SliceView*, 3> views, QObject* parent = nullptr);

  /// Another item, or other data of it, is current.
  void follow_item();
  /// A view shows this picture now.
  void follow_picture(const SlicePicture& picture);
  /// A view shows another part of its slice, has another size or came into sight.
  void look_again(Axis axis);

  /// What is known of the file that the current item is an overview of, and the level that the item
  /// shows; none: it is no overview, or the file is still looked at.
  [[nodiscard]] const std::optional<SourceInfo>& file() const { return file_; }
  [[nodiscard]] int overview_level() const { return overview_; }

  /// True while something that is looked at is missing.
  [[nodiscard]] bool busy() const;
  /// The level that a view shows in detail, and the finest of the file; none: the overview.
  struct Level {
    int shown = 0;
    int finest = 0;
  };
  [[nodiscard]] std::optional<Level> level(Axis axis) const;

  /// A pixel of the full image, its voxel size, and the value that a view shows of it; where it
  /// shows several channels, those of all.
  struct Reading {
    Index3 pixel;
    VoxelSize voxel;
    float value = 0.0F;
    std::vector<ChannelValue> channels;
    int level = 0;
  };
  /// What is under the pointer, where a view shows detail there.
  [[nodiscard]] std::optional<Reading> under_pointer() const;

 signals:
  /// file() changed.
  void file_changed();
  /// A view shows another level than before.
  void level_changed(aprscope::Axis axis);

 private:
  /// A part of a slice of the full image; or of several slices, of which one is looked at.
  struct Part {
    int level = 0;
    std::int64_t slice = 0;
    Region box;
    /// The channels that are drawn over the item's own.
    std::vector<int> others;
  };
  /// What was read: the slices beside the one that is looked at are often wanted next, and reading
  /// them with it takes hardly longer.
  struct Held {
    Part part;
    FileSlices slices;
    std::map<int, FileSlices> others;
  };
  struct Slot {
    /// The view shows the overview itself, not a preview or something else.
    bool plain = false;
    QTimer soon;
    std::optional<Part> shown;
    std::optional<Part> reading;
    std::shared_ptr<const Held> held;
    /// These channels over the item's own could not be read.
    std::optional<std::vector<int>> failed;
    /// Requests so far: only the newest one counts.
    std::uint64_t asked = 0;
  };

  void forget_file();
  [[nodiscard]] std::optional<int> wanted_level(Axis axis) const;
  [[nodiscard]] Part in_sight(Axis axis, int level, double margin) const;
  [[nodiscard]] Region box_in_sight(Axis axis, double margin) const;
  [[nodiscard]] static bool covers(const Part& held, const Part& needed);
  [[nodiscard]] Part with_neighbours(Axis axis, Part part) const;
  [[nodiscard]] bool has_detail(Axis axis) const;
  void ask(Axis axis);
  static Result<std::shared_ptr<const Held>> load(const SourceInfo& info,
                                                  const SourceSelection& selection,
                                                  const Part& part,
                                                  const std::shared_ptr<const Held>& before,
                                                  const JobContext& context);
  void read(Axis axis, const Part& part);
  void show_held(Axis axis);
  void remove(Axis axis);
  void clear(Axis axis);
  void set_steps(Axis axis, int level);
  [[nodiscard]] SliceView& view(Axis axis) const { return *views_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] Slot& slot(Axis axis) { return slots_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] const Slot& slot(Axis axis) const { return slots_[static_cast<std::size_t>(axis)]; }

  Document& document_;
  std::array<SliceView*, 3> views_;
  std::array<Slot, 3> slots_;
  /// The item that is followed if it is an overview, else 0; what is known of its file, and the
  /// level that it shows.
  std::uint64_t item_ = 0;
  std::optional<SourceInfo> file_;
  int overview_ = 0;
};

}  // namespace aprscope::gui

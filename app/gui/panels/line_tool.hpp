#pragma once

#include <QObject>
#include <optional>

#include "app/gui/document/document.hpp"
#include "core/operations/measure/line_in_slice.hpp"

namespace aprscope {
class SliceView;
}

namespace aprscope::gui {

class ViewsArea;

/// The line along which a profile is measured, drawn in the slices: the mouse draws and moves it,
/// and it goes from slice to slice with the crosshair. UI thread only.
class LineTool : public QObject {
  Q_OBJECT

 public:
  LineTool(Document& document, ViewsArea& views, QObject* parent = nullptr);

  /// Shows the line of this operation, and takes drags in slices as those of the line, if it is
  /// the one that measures a profile; another one: slices are as ever. Emits nothing.
  void follow(const Operation& operation);
  /// Slices are as ever, until follow(); meanwhile the line goes where the data and the crosshair
  /// go.
  void hide();
  /// Moves the crosshair into the slice of the line, or the line into that of the crosshair, where
  /// there is a line.
  void go_to_slice();
  void follow_crosshair();

 signals:
  /// The line was moved: the operation with the new one.
  void moved(const aprscope::Operation& operation);

 private:
  void set_operation(const Operation& operation);
  void show();
  void move_to(const LineInSlice& line);
  void follow_size(std::uint64_t id);
  [[nodiscard]] SliceView& view(Axis axis) const;

  Document& document_;
  ViewsArea& views_;
  bool shown_ = false;
  std::optional<Operation> operation_;
  std::optional<LineInSlice> line_;
  /// The size of the data that the line lies in, and its voxels.
  Size3 size_{0, 0, 0};
  VoxelSize voxel_;
};

}  // namespace aprscope::gui

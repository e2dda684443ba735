#pragma once

#include <QObject>

#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"

namespace aprscope::gui {

/// Undoable changes of single items. UI thread only.
class ItemEdits : public QObject {
  Q_OBJECT

 public:
  ItemEdits(ItemList& items, Services& services);

  void rename(std::uint64_t id, const QString& name);
  void close(std::uint64_t id);
  /// Changes the voxel size of an original in the background. Results that were made before keep
  /// their voxel size.
  void set_voxel_size(std::uint64_t id, const VoxelSize& voxel);
  /// Sets the rows of a set of projections that reconstructions leave out, see row_ranges().
  void set_left_out(std::uint64_t id, const std::string& rows);
  /// Successive changes of the same setting are one undo step.
  void set_display(std::uint64_t id, const DisplaySettings& display);
  /// Sets the contrast from the item's histogram; with several channels, each from its own.
  void set_automatic_contrast(std::uint64_t id);

 private:
  ItemList& items_;
  Services& services_;
};

}  // namespace aprscope::gui

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
  /// Gives an original another voxel size than its file says, in the background. Results that were
  /// made before keep theirs.
  void set_voxel_size(std::uint64_t id, const VoxelSize& voxel);
  /// Reconstructions of a set of projections leave these rows out, see row_ranges().
  void set_left_out(std::uint64_t id, const std::string& rows);
  /// Changes of the same settings in a row count as one step.
  void set_display(std::uint64_t id, const DisplaySettings& display);
  /// Contrast from the item's histogram; of several channels that of each from its own.
  void set_automatic_contrast(std::uint64_t id);

 private:
  ItemList& items_;
  Services& services_;
};

}  // namespace aprscope::gui

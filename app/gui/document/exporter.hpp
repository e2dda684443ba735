#pragma once

#include <QObject>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/item_list.hpp"
#include "app/gui/document/services.hpp"
#include "core/io/zarr/zarr_write.hpp"

namespace aprscope::gui {

/// How an item is written.
struct ExportOptions {
  /// .apr: also write the tree.
  bool with_tree = false;
  /// .apr, .zarr: write all channels and time points of the file that the item was made from, each
  /// made by the item's steps.
  bool all_parts = false;
  /// .tif of particles: reconstruct smoothly, not constant in each cell.
  bool smooth = false;
  /// .tif: write the labels instead of the image.
  bool labels = false;
  /// .mrc: also write the half maps of a map, NAME_half1 and NAME_half2.
  bool halves = false;
  /// Write a full turn of the projection in `frames` pictures: .mp4, .webm, or a folder of .png.
  bool turn = false;
  int frames = 120;
  /// The version of a .zarr.
  OmeZarrVersion zarr = OmeZarrVersion::v04;
};

/// Writes items to files, in the background. UI thread only.
class Exporter : public QObject {
  Q_OBJECT

 public:
  Exporter(ItemList& items, Channels& channels, Services& services);

  /// By the ending of `path`: .apr (particles), .tif (pixels, or the reconstruction of particles),
  /// .zarr (a pyramid, with the colours and contrasts of the window), .json (the recipe). Returns
  /// the job's id, 0 if refused.
  std::uint64_t export_item(std::uint64_t id, const QString& path,
                            const ExportOptions& options = {});

 signals:
  /// An item was written.
  void exported(const QString& path);

 private:
  ItemList& items_;
  Channels& channels_;
  Services& services_;
};

}  // namespace aprscope::gui

#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "app/gui/document/channels.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// How the window shows an item, for OME-Zarr: without names, colours and windows only where the
/// window has some.
struct ZarrLook {
  /// The item by itself.
  OmeZarrChannel alone;
  /// Each channel of its file; empty where there is one.
  std::vector<OmeZarrChannel> channels;
  /// Steps of channels that are shown with the item and were made by others than its own.
  std::map<int, std::vector<Operation>> steps;
};

/// UI thread only.
ZarrLook zarr_look(const Item& item, const Channels& channels);

/// Writes an item, or all channels and time points of its file made by its steps, with these
/// looks. For a worker. Errors: those of inspect() and write_zarr_series().
Status write_zarr(const Item& item, const ZarrLook& look, bool all_parts,
                  const std::filesystem::path& path, OmeZarrVersion version, const Backend& backend,
                  const JobContext& context);

}  // namespace aprscope::gui

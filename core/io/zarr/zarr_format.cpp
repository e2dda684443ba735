#include "core/io/zarr/zarr_format.hpp"

#include <utility>

#include "core/io/zarr/zarr_metadata.hpp"
#include "core/io/zarr/zarr_volume.hpp"

namespace aprscope {
namespace {

// The last format asked about folders: Zarr is known by files that may lie anywhere in it.
Result<bool> any_folder(const Probe& probe) { return probe.is_folder(); }

Result<SourceInfo> inspect_folder(const Probe& probe) {
  return inspect_zarr(probe.path(), probe.dataset(), probe.context());
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto volume = load_zarr(info, selection, context);
  if (!volume) return volume.error();
  return Data(*std::move(volume));
}

}  // namespace

Format zarr_format() {
  return {.id = "zarr",
          .name = "OME-Zarr",
          .endings = {".zarr", ".ome.zarr", ".n5"},
          .mime_types = {},
          .particles = false,
          .folders = true,
          .is_it = any_folder,
          .inspect = inspect_folder,
          .load = read_data,
          .slices = open_zarr_slices,
          .exactly = read_zarr_exactly,
          .watched = zarr_description,
          .metadata = read_zarr_metadata};
}

}  // namespace aprscope

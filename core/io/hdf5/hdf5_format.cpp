#include "core/io/hdf5/hdf5_format.hpp"

#include <utility>

#include "core/io/hdf5/hdf5_metadata.hpp"
#include "core/io/hdf5/hdf5_probe.hpp"
#include "core/io/hdf5/hdf5_volume.hpp"

namespace aprscope {
namespace {

Result<bool> holds_pixels(Probe& probe) {
  const auto held = probe_hdf5(probe);
  if (!held) return held.error();
  return *held != nullptr && !(*held)->particles && !(*held)->imaris;
}

Result<SourceInfo> inspect_file(const Probe& probe) {
  return inspect_hdf5(probe.hdf5->reader, probe.dataset(), probe.context());
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto volume = load_hdf5(info, selection, context);
  if (!volume) return volume.error();
  return Data(*std::move(volume));
}

Result<std::unique_ptr<SliceSource>> slices_of(const SourceInfo& info,
                                               const SourceSelection& selection) {
  return open_hdf5_slices(info, selection);
}

Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context) {
  return read_hdf5_exactly(info, selection, visit, context);
}

}  // namespace

Format hdf5_format() {
  return {.id = "hdf5",
          .name = "HDF5",
          .endings = {".h5", ".hdf5"},
          // The name that its makers gave it, and the one that desktops know it by.
          .mime_types = {"application/x-hdf5", "application/x-hdf"},
          .particles = false,
          .is_it = holds_pixels,
          .inspect = inspect_file,
          .load = read_data,
          .slices = slices_of,
          .exactly = read_exactly,
          .metadata = read_hdf5_metadata};
}

}  // namespace aprscope

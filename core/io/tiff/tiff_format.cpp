#include "core/io/tiff/tiff_format.hpp"

#include <string_view>
#include <utility>

#include "core/io/tiff/tiff_description.hpp"
#include "core/io/tiff/tiff_volume.hpp"

namespace aprscope {
namespace {

Result<bool> is_tiff(const Probe& probe) {
  // Signatures of both byte orders, with offsets of 32 and of 64 bits.
  for (const char* magic : {"II*\0", "MM\0*", "II+\0", "MM\0+"}) {
    if (probe.has(0, std::string_view(magic, 4))) return true;
  }
  return false;
}

Result<SourceInfo> inspect_file(const Probe& probe) {
  if (!probe.dataset().empty()) {
    return Error{"is a TIFF file and has no dataset " + probe.dataset(), probe.path().string(),
                 "leave the dataset out"};
  }
  return inspect_tiff(probe.path(), probe.context());
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto volume = load_tiff(info, selection, context);
  if (!volume) return volume.error();
  return Data(*std::move(volume));
}

Result<std::vector<MetadataPart>> texts_of(const SourceInfo& info, const JobContext& context) {
  return read_tiff_texts(info.path, context);
}

}  // namespace

Format tiff_format() {
  return {.id = "tiff",
          .name = "TIFF",
          .endings = {".tif", ".tiff", ".ome.tif", ".btf"},
          .mime_types = {"image/tiff"},
          .particles = false,
          .is_it = is_tiff,
          .inspect = inspect_file,
          .load = read_data,
          .slices = open_tiff_slices,
          .exactly = read_tiff_exactly,
          .metadata = texts_of};
}

}  // namespace aprscope

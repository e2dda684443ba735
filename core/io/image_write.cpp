#include "core/io/em/mrc_labels_write.hpp"
#include "core/io/em/mrc_write.hpp"
#include "core/io/write.hpp"
#include "core/io/zarr/zarr_write.hpp"

namespace aprscope {

Status write_image(const Volume& volume, const std::filesystem::path& path,
                   const JobContext& context) {
  if (is_mrc_name(path)) return write_mrc(path, volume, {}, context);
  if (is_zarr_name(path)) return write_ome_zarr(volume, path, OmeZarrVersion::v04, context);
  return write_tiff(volume, path, context);
}

Status write_labels(const Labels& labels, const LabelImageFacts& facts,
                    const std::filesystem::path& path, const JobContext& context) {
  if (static_cast<std::int64_t>(labels.values.size()) != facts.size.count()) {
    return Error{"cannot be written: the labels are not those of the pixels of this image",
                 path.string(), "choose labels of the same size"};
  }
  if (is_zarr_name(path)) {
    return Error{"cannot be written: labels are not written as OME-Zarr", path.string(),
                 "write a .tif or .mrc"};
  }
  if (is_mrc_name(path)) return write_mrc_labels(labels, facts, path, context);
  return write_tiff_labels(labels, facts, path, context);
}

}  // namespace aprscope

#include "core/io/tiff/tiff_volume.hpp"

#include <utility>

#include "core/io/tiff/tiff_image.hpp"

namespace aprscope {

Result<SourceInfo> inspect_tiff(const std::filesystem::path& path, const JobContext& context) {
  auto image = open_tiff_image(path, context);
  if (!image) return image.error();
  const auto file = image->files.open(0, context);
  if (!file) return file.error();
  SourceInfo info;
  info.path = path;
  info.format = image->series.format;
  info.size = image->series.size;
  info.dtype = dtype_name(image->series.shape.type);
  info.voxel = image->series.voxel;
  info.channels = image->series.channels;
  info.hints = image->series.hints;
  info.times = static_cast<int>(image->series.times);
  info.seconds = image->series.seconds;
  info.file_bytes = (*file)->pages->file_bytes;
  for (const std::string& name : image->series.others) {
    info.further.push_back(path.parent_path() / name);
  }
  if (!image->series.companion.empty()) {
    info.further.push_back(path.parent_path() / image->series.companion);
  }
  return info;
}

Result<Volume> load_tiff(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  auto image = open_tiff_image(info.path, context);
  if (!image) return image.error();
  return load_tiff_image(*std::move(image), selection, context);
}

Status read_tiff_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context) {
  auto image = open_tiff_image(info.path, context);
  if (!image) return image.error();
  return read_tiff_image_exactly(*std::move(image), selection, visit, context);
}

Result<std::unique_ptr<SliceSource>> open_tiff_slices(const SourceInfo& info,
                                                      const SourceSelection& selection) {
  auto image = open_tiff_image(info.path, {});
  if (!image) return image.error();
  return open_tiff_image_slices(*std::move(image), selection);
}

}  // namespace aprscope

#include "core/io/slices/slices_format.hpp"

#include <system_error>
#include <utility>

#include "core/io/common/read_limits.hpp"
#include "core/io/slices/slice_folder.hpp"
#include "core/io/tiff/tiff_description.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

Result<bool> is_folder_of_slices(const Probe& probe) {
  return probe.is_folder() && holds_slices(probe.path());
}

// Checks all files first, so that a file unlike the others does not end a long job midway.
Status check_files(TiffImage& image, const JobContext& context) {
  for (std::int64_t t = 0; t < image.series.times; ++t) {
    for (std::int64_t c = 0; c < image.series.plane_channels; ++c) {
      if (Status same = check_planes(image.series, image.files, t, c, context); !same) return same;
    }
  }
  return {};
}

Result<SourceInfo> inspect_folder(const Probe& probe) {
  const fs::path& folder = probe.path();
  const auto images = images_in(folder, probe.context());
  if (!images) return images.error();
  const auto names = chosen_image(*images, probe.dataset(), folder);
  if (!names) return names.error();
  auto image = open_slice_image(folder, *names, probe.context());
  if (!image) return image.error();
  const TiffSeries& series = image->series;
  const auto bytes = checked_bytes(series.size, 8, series.channels.size(), folder);
  if (!bytes) return bytes.error();
  if (names->files.size() > 1) {
    if (Status same = check_files(*image, probe.context()); !same) return same.error();
  }
  SourceInfo info;
  info.path = folder;
  info.format = series.format;
  info.size = series.size;
  info.dtype = dtype_name(series.shape.type);
  info.voxel = series.voxel;
  info.channels = series.channels;
  info.times = static_cast<int>(series.times);
  for (const SliceNames& one : *images) info.datasets.push_back("/" + one.name);
  info.dataset = "/" + names->name;
  for (const std::string& file : names->files) {
    std::error_code code;
    const auto size = fs::file_size(folder / file, code);
    if (!code) info.file_bytes += size;
  }
  return info;
}

Result<TiffImage> open_again(const SourceInfo& info, const JobContext& context) {
  const auto images = images_in(info.path, context);
  if (!images) return images.error();
  const auto names = chosen_image(*images, info.dataset, info.path);
  if (!names) return names.error();
  return open_slice_image(info.path, *names, context);
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto image = open_again(info, context);
  if (!image) return image.error();
  auto volume = load_tiff_image(*std::move(image), selection, context);
  if (!volume) return volume.error();
  return Data(*std::move(volume));
}

Result<std::unique_ptr<SliceSource>> slices_of(const SourceInfo& info,
                                               const SourceSelection& selection) {
  auto image = open_again(info, {});
  if (!image) return image.error();
  return open_tiff_image_slices(*std::move(image), selection);
}

Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context) {
  auto image = open_again(info, context);
  if (!image) return image.error();
  return read_tiff_image_exactly(*std::move(image), selection, visit, context);
}

// Each file is watched while it is read; here the first one stands for the folder.
fs::path first_file(const SourceInfo& info) {
  const auto images = images_in(info.path, {});
  if (!images) return info.path;
  const auto names = chosen_image(*images, info.dataset, info.path);
  return names ? info.path / names->files.front() : info.path;
}

Result<std::vector<MetadataPart>> texts_of_first(const SourceInfo& info,
                                                 const JobContext& context) {
  return read_tiff_texts(first_file(info), context);
}

}  // namespace

Format slices_format() {
  return {.id = "slices",
          .name = "TIFF slices",
          .endings = {},
          .mime_types = {},
          .particles = false,
          .folders = true,
          .is_it = is_folder_of_slices,
          .inspect = inspect_folder,
          .load = read_data,
          .slices = slices_of,
          .exactly = read_exactly,
          .watched = first_file,
          .metadata = texts_of_first};
}

}  // namespace aprscope

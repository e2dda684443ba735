#include "core/io/tiff_volume.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/io/read_limits.hpp"
#include "core/io/tiff_decode.hpp"
#include "core/io/tiff_series.hpp"

namespace aprscope {
namespace {

struct OpenTiff {
  TiffFile file;
  TiffPages pages;
  TiffSeries series;
};

Result<OpenTiff> open_tiff(const std::filesystem::path& path) {
  auto file = TiffFile::open_for_reading(path);
  if (!file) return file.error();
  auto pages = read_tiff_pages(*file);
  if (!pages) return pages.error();
  auto series = arrange_tiff(*pages, path);
  if (!series) return series.error();
  return OpenTiff{std::move(*file), std::move(*pages), std::move(*series)};
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// Planes of a stack with one directory, straight from the file.
template <class T>
Status read_run(const OpenTiff& tiff, std::int64_t t, std::int64_t c, int sample, Pixels<T>& pixels,
                const JobContext& context) {
  const auto& path = tiff.file.path();
  const TiffSeries& series = tiff.series;
  const Descriptor descriptor(path);
  if (descriptor.get() < 0) {
    return Error{std::string("cannot be read (") + std::strerror(errno) + ")", path.string(),
                 "check its permissions"};
  }
  for (std::int64_t z = 0; z < series.size.z; ++z) {
    const std::int64_t plane = (t * series.size.z + z) * series.plane_channels + c;
    const auto offset =
        series.run_offset + static_cast<std::uint64_t>(plane) * series.shape.pixel_bytes;
    T* const out = pixels.values.data() + pixels.index(z, 0, 0);
    if (auto read = read_raw_plane(descriptor.get(), path, series.shape, offset,
                                   tiff.pages.byte_swapped, sample, out, context);
        !read) {
      return read;
    }
    context.report(static_cast<double>(z + 1) / static_cast<double>(series.size.z), "reading");
  }
  return {};
}

template <class T>
Status read_pages(const OpenTiff& tiff, std::int64_t t, std::int64_t c, int sample,
                  Pixels<T>& pixels, const JobContext& context) {
  const TiffSeries& series = tiff.series;
  for (std::int64_t z = 0; z < series.size.z; ++z) {
    const auto number = static_cast<std::size_t>(series.page[series.plane(t, c, z)]);
    T* const out = pixels.values.data() + pixels.index(z, 0, 0);
    if (auto read = read_tiff_page(tiff.file, tiff.pages.pages[number], sample, out, context);
        !read) {
      return read;
    }
    context.report(static_cast<double>(z + 1) / static_cast<double>(series.size.z), "reading");
  }
  return {};
}

template <class T>
Result<AnyPixels> read_pixels(const OpenTiff& tiff, const SourceSelection& selection,
                              const JobContext& context) {
  auto pixels = allocate_pixels<T>(tiff.series.size, tiff.file.path());
  if (!pixels) return pixels.error();
  const int samples = tiff.series.shape.samples;
  const int channel = selection.channel / samples;
  const int sample = selection.channel % samples;
  const Status read = tiff.series.page.empty()
                          ? read_run(tiff, selection.time, channel, sample, *pixels, context)
                          : read_pages(tiff, selection.time, channel, sample, *pixels, context);
  if (!read) return read.error();
  return AnyPixels(std::move(*pixels));
}

}  // namespace

Result<SourceInfo> inspect_tiff(const std::filesystem::path& path) {
  auto tiff = open_tiff(path);
  if (!tiff) return tiff.error();
  SourceInfo info;
  info.path = path;
  info.format = tiff->series.format;
  info.size = tiff->series.size;
  info.dtype = dtype_name(tiff->series.shape.type);
  info.voxel = tiff->series.voxel;
  info.channels = tiff->series.channels;
  info.times = static_cast<int>(tiff->series.times);
  info.file_bytes = tiff->pages.file_bytes;
  return info;
}

Result<Volume> load_tiff(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  auto tiff = open_tiff(info.path);
  if (!tiff) return tiff.error();
  const TiffSeries& series = tiff->series;
  const auto channels = static_cast<int>(series.channels.size());
  if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
      selection.time >= series.times) {
    return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 info.path.string(),
                 "choose channels 0 to " + std::to_string(channels - 1) + ", time points 0 to " +
                     std::to_string(series.times - 1)};
  }
  if (auto checked = check_planes(series, tiff->pages, selection.time,
                                  selection.channel / series.shape.samples, info.path);
      !checked) {
    return checked.error();
  }
  context.report(0.0, "reading");
  Result<AnyPixels> pixels = [&] {
    switch (stored_as(series.shape.type)) {
      case StoredAs::u8:
        return read_pixels<std::uint8_t>(*tiff, selection, context);
      case StoredAs::u16:
        return read_pixels<std::uint16_t>(*tiff, selection, context);
      case StoredAs::f32:
        break;
    }
    return read_pixels<float>(*tiff, selection, context);
  }();
  if (!pixels) return pixels.error();
  Volume volume;
  volume.pixels = std::move(*pixels);
  volume.voxel = series.voxel;
  volume.origin = series.origin;
  volume.name = info.path.stem().string();
  volume.channel = series.channels[static_cast<std::size_t>(selection.channel)];
  volume.channel_index = selection.channel;
  volume.time = selection.time;
  return volume;
}

}  // namespace aprscope

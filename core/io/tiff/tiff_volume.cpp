#include "core/io/tiff/tiff_volume.hpp"

#include "core/io/common/read_limits.hpp"
#include "core/io/tiff/tiff_decode.hpp"
#include "core/io/tiff/tiff_series.hpp"

namespace aprscope {
namespace {

struct OpenTiff {
  TiffFile file;
  TiffPages pages;
  TiffSeries series;
};

Result<OpenTiff> open_tiff(const std::filesystem::path& path, const JobContext& context) {
  auto file = TiffFile::open_for_reading(path);
  if (!file) return file.error();
  auto pages = read_tiff_pages(*file, context);
  if (!pages) return pages.error();
  auto series = arrange_tiff(*pages, path);
  if (!series) return series.error();
  return OpenTiff{std::move(*file), std::move(*pages), std::move(*series)};
}

// Reads the slices of one channel and time point.
class SliceReader {
 public:
  static Result<std::unique_ptr<SliceReader>> open(const SourceInfo& info,
                                                   const SourceSelection& selection,
                                                   const JobContext& context) {
    auto tiff = open_tiff(info.path, context);
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
    return std::unique_ptr<SliceReader>(new SliceReader(*std::move(tiff), selection));
  }

  [[nodiscard]] const TiffSeries& series() const { return tiff_.series; }
  [[nodiscard]] const std::filesystem::path& path() const { return tiff_.file.path(); }

  /// Slice z of samples of the type that the series is stored as, or f64.
  template <class T>
  Status read(std::int64_t z, T* out, const JobContext& context) const {
    if (!series().page.empty()) {
      const auto number =
          static_cast<std::size_t>(series().page[series().plane(time_, channel_, z)]);
      return read_tiff_page(tiff_.file, tiff_.pages.pages[number], sample_, out, context);
    }
    // Planes of a stack with one directory come straight from the file.
    const std::int64_t plane = (time_ * series().size.z + z) * series().plane_channels + channel_;
    const auto offset =
        series().run_offset + static_cast<std::uint64_t>(plane) * series().shape.pixel_bytes;
    return read_raw_plane(tiff_.file.descriptor(), path(), series().shape, offset,
                          tiff_.pages.byte_swapped, sample_, out, context);
  }

  /// All about the volume but its pixels.
  [[nodiscard]] Volume header() const {
    Volume volume;
    volume.voxel = series().voxel;
    volume.origin = series().origin;
    volume.name = path().stem().string();
    volume.channel = series().channels[static_cast<std::size_t>(selection_.channel)];
    volume.channel_index = selection_.channel;
    volume.time = selection_.time;
    return volume;
  }

 private:
  SliceReader(OpenTiff tiff, const SourceSelection& selection)
      : tiff_(std::move(tiff)),
        selection_(selection),
        time_(selection.time),
        channel_(selection.channel / tiff_.series.shape.samples),
        sample_(selection.channel % tiff_.series.shape.samples) {}

  OpenTiff tiff_;
  SourceSelection selection_;
  std::int64_t time_;
  std::int64_t channel_;
  int sample_;
};

template <class T>
Result<AnyPixels> read_pixels(const SliceReader& reader, const JobContext& context) {
  const Size3& size = reader.series().size;
  auto pixels = allocate_pixels<T>(size, reader.path());
  if (!pixels) return pixels.error();
  for (std::int64_t z = 0; z < size.z; ++z) {
    T* const out = pixels->values.data() + pixels->index(z, 0, 0);
    if (auto read = reader.read(z, out, context); !read) return read.error();
    context.report(static_cast<double>(z + 1) / static_cast<double>(size.z), "reading");
  }
  return AnyPixels(std::move(*pixels));
}

SampleKind kind_of(StoredAs stored) {
  switch (stored) {
    case StoredAs::u8:
      return SampleKind::u8;
    case StoredAs::u16:
      return SampleKind::u16;
    case StoredAs::f32:
      break;
  }
  return SampleKind::f32;
}

class TiffSlices : public SliceSource {
 public:
  explicit TiffSlices(std::unique_ptr<SliceReader> reader)
      : reader_(std::move(reader)), header_(reader_->header()) {}

  [[nodiscard]] Size3 size() const override { return reader_->series().size; }
  [[nodiscard]] SampleKind kind() const override {
    return kind_of(stored_as(reader_->series().shape.type));
  }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    switch (kind()) {
      case SampleKind::u8:
        return reader_->read(z, static_cast<std::uint8_t*>(out), context);
      case SampleKind::u16:
        return reader_->read(z, static_cast<std::uint16_t*>(out), context);
      case SampleKind::f32:
        break;
    }
    return reader_->read(z, static_cast<float*>(out), context);
  }

 private:
  std::unique_ptr<SliceReader> reader_;
  Volume header_;
};

}  // namespace

Result<SourceInfo> inspect_tiff(const std::filesystem::path& path, const JobContext& context) {
  auto tiff = open_tiff(path, context);
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
  auto reader = SliceReader::open(info, selection, context);
  if (!reader) return reader.error();
  context.report(0.0, "reading");
  Result<AnyPixels> pixels = [&] {
    switch (stored_as((*reader)->series().shape.type)) {
      case StoredAs::u8:
        return read_pixels<std::uint8_t>(**reader, context);
      case StoredAs::u16:
        return read_pixels<std::uint16_t>(**reader, context);
      case StoredAs::f32:
        break;
    }
    return read_pixels<float>(**reader, context);
  }();
  if (!pixels) return pixels.error();
  Volume volume = (*reader)->header();
  volume.pixels = std::move(*pixels);
  return volume;
}

Status read_tiff_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context) {
  const auto reader = SliceReader::open(info, selection, context);
  if (!reader) return reader.error();
  const Size3& size = (*reader)->series().size;
  auto slice = allocate_pixels<double>({1, size.x, size.y}, info.path);
  if (!slice) return slice.error();
  for (std::int64_t z = 0; z < size.z; ++z) {
    if (Status read = (*reader)->read(z, slice->values.data(), context); !read) return read;
    if (Status seen = visit(z, slice->values); !seen) return seen;
    context.report(static_cast<double>(z + 1) / static_cast<double>(size.z), "reading");
  }
  return {};
}

Result<std::unique_ptr<SliceSource>> open_tiff_slices(const SourceInfo& info,
                                                      const SourceSelection& selection) {
  auto reader = SliceReader::open(info, selection, {});
  if (!reader) return reader.error();
  return std::unique_ptr<SliceSource>(std::make_unique<TiffSlices>(*std::move(reader)));
}

}  // namespace aprscope

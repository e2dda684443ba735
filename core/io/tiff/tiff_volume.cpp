#include "core/io/tiff/tiff_volume.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/tiff/tiff_decode.hpp"
#include "core/io/tiff/tiff_series.hpp"

namespace aprscope {
namespace {

// Threads that read at once work on no more than this many decoded bytes of pages; fewer where
// slices are read to save memory.
constexpr std::uint64_t kReadAtOnce = std::uint64_t{1} << 28;
constexpr std::uint64_t kStreamAhead = std::uint64_t{1} << 26;

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

  /// Makes ready for this many threads, or as many as there are slices and memory for; returns
  /// how many.
  Result<int> share(int threads, std::uint64_t most_bytes) {
    const std::uint64_t slice = std::max<std::uint64_t>(series().shape.pixel_bytes, 1);
    const auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(most_bytes / slice, 1));
    threads = static_cast<int>(std::min({std::int64_t{threads}, series().size.z, most}));
    while (static_cast<int>(others_.size()) + 1 < threads) {
      auto file = tiff_.file.another();
      if (!file) return file.error();
      others_.push_back(*std::move(file));
    }
    return std::max(threads, 1);
  }

  /// Slice z of samples of the type that the series is stored as, or f64; several threads at once
  /// after share(), each with a number of its own.
  template <class T>
  Status read(std::int64_t z, T* out, const JobContext& context, int thread = 0) const {
    if (!series().page.empty()) {
      const auto number =
          static_cast<std::size_t>(series().page[series().plane(time_, channel_, z)]);
      const TiffFile& file =
          thread == 0 ? tiff_.file : others_[static_cast<std::size_t>(thread - 1)];
      return read_tiff_page(file, tiff_.pages.pages[number], sample_, out, context);
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
  /// The file once more for each further thread.
  std::vector<TiffFile> others_;
  SourceSelection selection_;
  std::int64_t time_;
  std::int64_t channel_;
  int sample_;
};

// The first of the errors by slice, whichever thread met it when.
class FirstError {
 public:
  void add(std::int64_t z, Error error) {
    const std::lock_guard lock(mutex_);
    if (z < z_) {
      z_ = z;
      error_ = std::move(error);
    }
  }
  [[nodiscard]] bool before(std::int64_t z) const { return z_ < z; }
  [[nodiscard]] Status status() const { return error_ ? Status(*error_) : Status(); }

 private:
  std::mutex mutex_;
  std::atomic<std::int64_t> z_ = INT64_MAX;
  std::optional<Error> error_;
};

// Slices begin … begin + count - 1, one after the other in `out`, by so many threads.
template <class T>
Status read_slices(const SliceReader& reader, std::int64_t begin, std::int64_t count, int threads,
                   T* out, const JobContext& context, const JobContext& progress) {
  const Size3& size = reader.series().size;
  FirstError errors;
  const bool done =
      parallel_items(count, threads, progress, "reading", [&](std::int64_t i, int thread) {
        if (errors.before(begin + i)) return;
        const Status read = reader.read(begin + i, out + i * size.x * size.y, context, thread);
        if (!read) errors.add(begin + i, read.error());
      });
  if (Status status = errors.status(); !status) return status;
  return done ? Status() : cancelled_error();
}

template <class T>
Result<AnyPixels> read_pixels(SliceReader& reader, const JobContext& context) {
  const Size3& size = reader.series().size;
  auto pixels = allocate_pixels<T>(size, reader.path());
  if (!pixels) return pixels.error();
  const auto threads = reader.share(threads_for(size.count()), kReadAtOnce);
  if (!threads) return threads.error();
  const Status read =
      read_slices(reader, 0, size.z, *threads, pixels->values.data(), context, context);
  if (!read) return read.error();
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
  TiffSlices(std::unique_ptr<SliceReader> reader, int threads)
      : reader_(std::move(reader)), header_(reader_->header()), threads_(threads) {}

  [[nodiscard]] Size3 size() const override { return reader_->series().size; }
  [[nodiscard]] SampleKind kind() const override {
    return kind_of(stored_as(reader_->series().shape.type));
  }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    switch (kind()) {
      case SampleKind::u8:
        return read_as(z, static_cast<std::uint8_t*>(out), context);
      case SampleKind::u16:
        return read_as(z, static_cast<std::uint16_t*>(out), context);
      case SampleKind::f32:
        break;
    }
    return read_as(z, static_cast<float*>(out), context);
  }

 private:
  // Slices that are asked for one after the other are read by all threads, a few ahead.
  template <class T>
  Status read_as(std::int64_t z, T* out, const JobContext& context) {
    const std::int64_t samples = size().x * size().y;
    const auto bytes = static_cast<std::size_t>(samples) * sizeof(T);
    const std::int64_t next = begin_ + held_;
    if (z < begin_ || z >= next) {
      const std::int64_t count = std::min<std::int64_t>(z == next ? threads_ : 1, size().z - z);
      held_ = 0;
      begin_ = z + 1;
      if (count == 1) return reader_->read(z, out, context);
      ahead_.resize(static_cast<std::size_t>(count) * bytes);
      const Status read =
          read_slices(*reader_, z, count, threads_, reinterpret_cast<T*>(ahead_.data()), context,
                      JobContext(context.stop_token()));
      // What is wrong with a slice further on is said when it is asked for.
      if (!read) return reader_->read(z, out, context);
      begin_ = z;
      held_ = count;
    }
    std::memcpy(out, ahead_.data() + static_cast<std::size_t>(z - begin_) * bytes, bytes);
    return {};
  }

  std::unique_ptr<SliceReader> reader_;
  Volume header_;
  int threads_ = 1;
  std::vector<std::byte> ahead_;
  /// What `ahead_` holds: slices begin_ … begin_ + held_ - 1.
  std::int64_t begin_ = 0;
  std::int64_t held_ = 0;
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
  const auto threads =
      (*reader)->share(threads_for((*reader)->series().size.count()), kStreamAhead);
  if (!threads) return threads.error();
  return std::unique_ptr<SliceSource>(std::make_unique<TiffSlices>(*std::move(reader), *threads));
}

}  // namespace aprscope

#include "core/io/tiff/tiff_image.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/tiff/tiff_decode.hpp"

namespace aprscope {
namespace {

// Threads that read at once work on no more than this many decoded bytes of pages; fewer where
// slices are read to save memory.
constexpr std::uint64_t kReadAtOnce = std::uint64_t{1} << 28;
constexpr std::uint64_t kStreamAhead = std::uint64_t{1} << 26;
// Slices for each thread where there is memory: with one each, the others wait for the slowest.
constexpr std::int64_t kGroup = 4;

// Reads the slices of one channel and time point.
class SliceReader {
 public:
  static Result<std::unique_ptr<SliceReader>> open(TiffImage image,
                                                   const SourceSelection& selection,
                                                   const JobContext& context) {
    const TiffSeries& series = image.series;
    const auto channels = static_cast<int>(series.channels.size());
    if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
        selection.time >= series.times) {
      return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                       std::to_string(selection.time),
                   image.files.path().string(),
                   "choose channels 0 to " + std::to_string(channels - 1) + ", time points 0 to " +
                       std::to_string(series.times - 1)};
    }
    if (Status checked = check_planes(series, image.files, selection.time,
                                      selection.channel / series.shape.samples, context);
        !checked) {
      return checked.error();
    }
    return std::unique_ptr<SliceReader>(new SliceReader(std::move(image), selection));
  }

  [[nodiscard]] const TiffSeries& series() const { return image_.series; }
  [[nodiscard]] const std::filesystem::path& path() const { return image_.files.path(); }

  /// Prepares reading by `threads` threads, or as many as there are slices and memory for; returns
  /// how many.
  Result<int> share(int threads, std::uint64_t most_bytes) {
    const std::uint64_t slice = std::max<std::uint64_t>(series().shape.pixel_bytes, 1);
    const auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(most_bytes / slice, 1));
    threads = static_cast<int>(std::min({std::int64_t{threads}, series().size.z, most}));
    while (static_cast<int>(others_.size()) + 1 < threads) {
      auto files = image_.files.another();
      if (!files) return files.error();
      others_.push_back(*std::move(files));
    }
    return std::max(threads, 1);
  }

  /// Slice z of samples of the type that the series is stored as, or f64; several threads at once
  /// after share(), each with a number of its own.
  template <class T>
  Status read(std::int64_t z, T* out, const JobContext& context, int thread = 0) {
    const std::size_t plane = series().plane(time_, channel_, z);
    const bool listed = !series().page.empty();
    TiffFiles& files = thread == 0 ? image_.files : others_[static_cast<std::size_t>(thread - 1)];
    const auto file = files.open(listed ? series().file_of(plane) : 0, context);
    if (!file) return file.error();
    Status read = listed ? read_page(**file, series().page[plane], out, context)
                         : read_run(**file, z, out, context);
    if (!read && read.error().cancelled()) return read;
    // A single file is watched for the whole reading; several are checked plane by plane.
    if (Status same = (*file)->watch.unchanged(); !same) return same;
    return read;
  }

  /// The volume without its pixels.
  [[nodiscard]] Volume header() const {
    Volume volume;
    volume.voxel = series().voxel;
    volume.origin = series().origin;
    volume.name = image_.name;
    volume.channel = series().channels[static_cast<std::size_t>(selection_.channel)];
    volume.channel_index = selection_.channel;
    volume.time = selection_.time;
    return volume;
  }

 private:
  SliceReader(TiffImage image, const SourceSelection& selection)
      : image_(std::move(image)),
        selection_(selection),
        time_(selection.time),
        channel_(selection.channel / image_.series.shape.samples),
        sample_(selection.channel % image_.series.shape.samples) {}

  template <class T>
  Status read_page(const OpenTiffFile& open, std::int64_t number, T* out,
                   const JobContext& context) const {
    // A file may have been opened again since its planes were checked.
    const auto at = static_cast<std::size_t>(number);
    if (at >= open.pages->pages.size() || !open.pages->pages[at].same_shape(series().shape) ||
        !open.pages->pages[at].problem.empty()) {
      return Error{"was written to while it was read", open.file.path().string(),
                   "wait until it is complete, then open it again"};
    }
    return read_tiff_page(open.file, open.pages->pages[at], sample_, out, context);
  }

  // Planes of a stack with one directory come straight from the file.
  template <class T>
  Status read_run(const OpenTiffFile& open, std::int64_t z, T* out,
                  const JobContext& context) const {
    const std::int64_t plane = (time_ * series().size.z + z) * series().plane_channels + channel_;
    const auto offset =
        series().run_offset + static_cast<std::uint64_t>(plane) * series().shape.pixel_bytes;
    return read_raw_plane(open.file.descriptor(), path(), series().shape, offset,
                          open.pages->byte_swapped, sample_, out, context);
  }

  TiffImage image_;
  /// The files once more for each further thread.
  std::vector<TiffFiles> others_;
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
Status read_slices(SliceReader& reader, std::int64_t begin, std::int64_t count, int threads, T* out,
                   const JobContext& context, const JobContext& progress) {
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
      : reader_(std::move(reader)), header_(reader_->header()), threads_(threads) {
    const Size3& size = reader_->series().size;
    // Samples of some types take more than in the file.
    const std::uint64_t slice =
        std::max({reader_->series().shape.pixel_bytes,
                  static_cast<std::uint64_t>(size.x * size.y) *
                      sample_bytes(kind_of(stored_as(reader_->series().shape.type))),
                  std::uint64_t{1}});
    group_ = std::clamp(static_cast<std::int64_t>(kStreamAhead / slice), std::int64_t{threads},
                        std::int64_t{threads} * kGroup);
  }

  [[nodiscard]] Size3 size() const override { return reader_->series().size; }
  [[nodiscard]] SampleKind kind() const override {
    return kind_of(stored_as(reader_->series().shape.type));
  }
  [[nodiscard]] const Volume& header() const override { return header_; }
  [[nodiscard]] bool costly() const override { return reader_->series().shape.compressed; }
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
  // Slices that are asked for one after the other are read by all threads, a few ahead. The first
  // one tells nothing yet: who opens many files for a slice of each needs no more of them.
  template <class T>
  Status read_as(std::int64_t z, T* out, const JobContext& context) {
    const std::int64_t samples = size().x * size().y;
    const auto bytes = static_cast<std::size_t>(samples) * sizeof(T);
    const std::int64_t next = begin_ + held_;
    if (z < begin_ || z >= next) {
      const std::int64_t count = std::min<std::int64_t>(z == next ? group_ : 1, size().z - z);
      held_ = 0;
      begin_ = z + 1;
      if (count == 1) return reader_->read(z, out, context);
      ahead_.resize(static_cast<std::size_t>(count) * bytes);
      const Status read =
          read_slices(*reader_, z, count, threads_, reinterpret_cast<T*>(ahead_.data()), context,
                      JobContext(context.stop_token()));
      // An error of a later slice is reported when that slice is asked for.
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
  /// Slices that are read at once.
  std::int64_t group_ = 1;
  std::vector<std::byte> ahead_;
  /// The slices that `ahead_` holds: begin_ … begin_ + held_ - 1.
  std::int64_t begin_ = -1;
  std::int64_t held_ = 0;
};

}  // namespace

Result<TiffImage> open_tiff_image(const std::filesystem::path& path, const JobContext& context) {
  const auto file = open_tiff_file(path, context);
  if (!file) return file.error();
  auto series = arrange_tiff(*(*file)->pages, path);
  if (!series) return series.error();
  TiffImage image{*std::move(series), TiffFiles(path), path.stem().string()};
  image.files.set_others(image.series.others);
  image.files.keep(0, *file);
  if (Status checked = check_planes(image.series, image.files, 0, 0, context); !checked) {
    return checked.error();
  }
  return image;
}

Result<Volume> load_tiff_image(TiffImage image, const SourceSelection& selection,
                               const JobContext& context) {
  auto reader = SliceReader::open(std::move(image), selection, context);
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

Status read_tiff_image_exactly(TiffImage image, const SourceSelection& selection,
                               const SliceVisitor& visit, const JobContext& context) {
  const auto reader = SliceReader::open(std::move(image), selection, context);
  if (!reader) return reader.error();
  const Size3& size = (*reader)->series().size;
  auto slice = allocate_pixels<double>({1, size.x, size.y}, (*reader)->path());
  if (!slice) return slice.error();
  for (std::int64_t z = 0; z < size.z; ++z) {
    if (Status read = (*reader)->read(z, slice->values.data(), context); !read) return read;
    if (Status seen = visit(z, slice->values); !seen) return seen;
    context.report(static_cast<double>(z + 1) / static_cast<double>(size.z), "reading");
  }
  return {};
}

Result<std::unique_ptr<SliceSource>> open_tiff_image_slices(TiffImage image,
                                                            const SourceSelection& selection) {
  auto reader = SliceReader::open(std::move(image), selection, {});
  if (!reader) return reader.error();
  const auto threads =
      (*reader)->share(threads_for((*reader)->series().size.count()), kStreamAhead);
  if (!threads) return threads.error();
  return std::unique_ptr<SliceSource>(std::make_unique<TiffSlices>(*std::move(reader), *threads));
}

}  // namespace aprscope

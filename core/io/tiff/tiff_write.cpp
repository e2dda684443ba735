#include "core/io/tiff/tiff_write.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/ordered_pipeline.hpp"
#include "core/base/system.hpp"
#include "core/io/common/units.hpp"
#include "core/io/tiff/tiff_file.hpp"

namespace aprscope {
namespace {

// Strips of about this many bytes; a cancel is heeded after two a thread.
constexpr std::int64_t kStripBytes = 1 << 20;

std::string number_text(double value) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "1";
}

// What a file says of its pixels.
struct StackFacts {
  Size3 size;
  VoxelSize voxel;
  std::array<double, 3> origin;
  std::string channel;
};

std::string imagej_description(const StackFacts& facts) {
  const VoxelSize& voxel = facts.voxel;
  const std::string slices = std::to_string(facts.size.z);
  std::string text = "ImageJ=1.53t\nimages=" + slices + "\nslices=" + slices + "\nunit=";
  text += voxel.unit == "px" ? "pixel" : escape_properties(voxel.unit);
  text += "\nspacing=" + number_text(voxel.z) + "\nloop=false\n";
  const double steps[] = {voxel.z, voxel.x, voxel.y};
  constexpr const char* keys[] = {"zorigin=", "yorigin=", "xorigin="};
  for (std::size_t d = 0; d < 3; ++d) {
    if (facts.origin[d] == 0.0 || !std::isfinite(facts.origin[d])) continue;
    text += keys[d] + number_text(-facts.origin[d] / steps[d]) + "\n";
  }
  if (!facts.channel.empty()) {
    text += "aprscope.channel=" + escape_properties(facts.channel) + "\n";
  }
  return text;
}

class StackWriter {
 public:
  StackWriter(TiffFile& file, const StackFacts& facts, const std::filesystem::path& target,
              TiffPacking packing)
      : file_(file), facts_(facts), target_(target), size_(facts.size), packing_(packing) {}

  /// Values in the order of pixels, in samples of type T, which holds them.
  template <class T, class From>
  Status write(const std::vector<From>& values, const JobContext& context) {
    Status written = write_pages<T>(values, context);
    if (!written) return written;
    errno = 0;
    if (TIFFFlush(file_.get()) == 0) return failure();
    file_.close();
    // Closing writes what is still in buffers, and returns nothing: ask for errors.
    if (file_.has_error()) return failure();
    return {};
  }

 private:
  Error failure() const {
    const int code = errno;
    Error error = file_.error("cannot be written", "free some space or choose another folder");
    if (code != 0) error.what = std::string("cannot be written (") + std::strerror(code) + ")";
    error.where = target_.string();
    return error;
  }

  [[nodiscard]] int scheme() const {
    switch (packing_) {
      case TiffPacking::zstd:
        return COMPRESSION_ZSTD;
      case TiffPacking::none:
        return COMPRESSION_NONE;
      case TiffPacking::deflate:
        break;
    }
    return COMPRESSION_ADOBE_DEFLATE;
  }
  // Integers are packed as differences along a row.
  [[nodiscard]] bool differences() const { return packing_ != TiffPacking::none; }

  template <class T>
  bool set_fields(std::int64_t slice) {
    TIFF* const tiff = file_.get();
    const VoxelSize& voxel = facts_.voxel;
    constexpr bool is_float = std::is_floating_point_v<T>;
    bool ok =
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(size_.y)) == 1 &&
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(size_.x)) == 1 &&
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) == 1 &&
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * sizeof(T))) == 1 &&
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                     is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) == 1 &&
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) == 1 &&
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == 1 &&
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, scheme()) == 1 &&
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(strip_rows_)) == 1 &&
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE) == 1 &&
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 1.0 / voxel.y) == 1 &&
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 1.0 / voxel.x) == 1;
    // ImageJ reads the predictor for integers only.
    if (!is_float && differences()) {
      ok = ok && TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL) == 1;
    }
    if (slice == 0) {
      ok = ok &&
           TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, imagej_description(facts_).c_str()) == 1;
    }
    return ok;
  }

  // A strip on its way to the file.
  struct Strip {
    std::vector<std::uint8_t> packed;
    bool ok = true;
  };

  template <class T, class From>
  Status write_pages(const std::vector<From>& values, const JobContext& context) {
    const std::int64_t row_bytes = size_.y * static_cast<std::int64_t>(sizeof(T));
    strip_rows_ = std::clamp<std::int64_t>(kStripBytes / row_bytes, 1, size_.x);
    strips_a_page_ = (size_.x + strip_rows_ - 1) / strip_rows_;
    const int threads = threads_for(size_.count());
    std::vector<Worker<T>> workers;
    for (int t = 0; t < threads; ++t) workers.emplace_back(packing_, strip_rows_ * size_.y);
    return ordered_pipeline<Strip>(
        strips_a_page_ * size_.z, threads, context,
        [&](std::int64_t number, int thread, Strip& strip) {
          pack_strip(values, number, workers[static_cast<std::size_t>(thread)], strip);
        },
        [&](std::int64_t number, const Strip& strip) {
          return write_strip<T>(number, strip, context);
        });
  }

  template <class T>
  struct Worker {
    Worker(TiffPacking packing, std::int64_t samples)
        : packer(packing), strip(static_cast<std::size_t>(samples)) {}
    StripPacker packer;
    std::vector<T> strip;
  };

  template <class T, class From>
  void pack_strip(const std::vector<From>& values, std::int64_t number, Worker<T>& worker,
                  Strip& out) const {
    const std::int64_t x = number % strips_a_page_ * strip_rows_;
    const std::int64_t rows = std::min(strip_rows_, size_.x - x);
    const auto first = values.begin() + (number / strips_a_page_ * size_.x + x) * size_.y;
    const auto samples = std::span(worker.strip).first(static_cast<std::size_t>(rows * size_.y));
    std::transform(first, first + rows * size_.y, samples.begin(),
                   [](From value) { return static_cast<T>(value); });
    if constexpr (std::is_integral_v<T>) {
      if (differences()) {
        for (std::int64_t row = 0; row < rows; ++row) {
          difference_row(samples.subspan(static_cast<std::size_t>(row * size_.y),
                                         static_cast<std::size_t>(size_.y)));
        }
      }
    }
    const auto bytes = std::as_bytes(samples);
    out.ok = worker.packer.pack({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                                out.packed);
  }

  template <class T>
  Status write_strip(std::int64_t number, const Strip& strip, const JobContext& context) {
    const std::int64_t z = number / strips_a_page_;
    const std::int64_t in_page = number % strips_a_page_;
    if (!strip.ok) {
      return Error{"cannot be written: a strip could not be packed", target_.string(),
                   "choose no compression"};
    }
    errno = 0;
    if (in_page == 0 && !set_fields<T>(z)) return failure();
    // The library wants mutable bytes, since it may swap them for other byte orders; here it does
    // not.
    auto* const bytes = const_cast<std::uint8_t*>(strip.packed.data());  // NOLINT(*-const-cast)
    if (TIFFWriteRawStrip(file_.get(), static_cast<std::uint32_t>(in_page), bytes,
                          static_cast<tmsize_t>(strip.packed.size())) < 0) {
      return failure();
    }
    if (in_page + 1 < strips_a_page_) return {};
    if (TIFFWriteDirectory(file_.get()) == 0) return failure();
    context.report(static_cast<double>(z + 1) / static_cast<double>(size_.z), "writing");
    return {};
  }

  TiffFile& file_;
  const StackFacts& facts_;
  const std::filesystem::path& target_;
  Size3 size_;
  TiffPacking packing_;
  std::int64_t strip_rows_ = 1;
  std::int64_t strips_a_page_ = 1;
};

// Writes a whole file; `write` gets the writer of its pixels, which are so many bytes.
template <class Write>
Status write_stack(const StackFacts& facts, std::uint64_t bytes, const std::filesystem::path& path,
                   TiffPacking packing, const Write& write) {
  const Size3& size = facts.size;
  if (size.z <= 0 || size.x <= 0 || size.y <= 0 || size.x > UINT32_MAX || size.y > UINT32_MAX) {
    return Error{"cannot be written: the image has no pixels or a side too long for TIFF",
                 path.string(), "choose another image"};
  }
  for (const double step : {facts.voxel.z, facts.voxel.x, facts.voxel.y}) {
    if (!std::isfinite(step) || step <= 0.0) {
      return Error{"cannot be written: the voxel size is not a positive number", path.string(),
                   "set the voxel size"};
    }
  }
  // Compression may fail to shrink noise: decided by the pixels and a margin for the directories.
  const bool big = bytes + bytes / 64 + static_cast<std::uint64_t>(size.z) * 1024 > UINT32_MAX;
  return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
    try {
      auto file = TiffFile::open_for_writing(temporary, big);
      if (!file) {
        Error error = file.error();
        error.where = path.string();
        return error;
      }
      StackWriter writer(*file, facts, path, packing);
      return write(writer);
    } catch (const std::bad_alloc&) {
      return Error{"cannot be written: out of memory", path.string(), "close other data"};
    }
  });
}

}  // namespace

Status write_tiff(const Volume& volume, const std::filesystem::path& path,
                  const JobContext& context, TiffPacking packing) {
  const StackFacts facts{volume.size(), volume.voxel, volume.origin, volume.channel};
  return write_stack(facts, volume.bytes(), path, packing, [&](StackWriter& writer) {
    return std::visit(
        [&]<class T>(const Pixels<T>& pixels) { return writer.write<T>(pixels.values, context); },
        volume.pixels);
  });
}

Status write_tiff_labels(const Labels& labels, const LabelImageFacts& facts,
                         const std::filesystem::path& path, const JobContext& context) {
  const auto most = std::max_element(labels.values.begin(), labels.values.end());
  const bool narrow = most == labels.values.end() || *most <= UINT16_MAX;
  const StackFacts of_file{facts.size, facts.voxel, facts.origin, "labels"};
  const std::uint64_t bytes = labels.values.size() * (narrow ? 2 : 4);
  return write_stack(of_file, bytes, path, TiffPacking::deflate, [&](StackWriter& writer) {
    return narrow ? writer.write<std::uint16_t>(labels.values, context)
                  : writer.write<std::uint32_t>(labels.values, context);
  });
}

}  // namespace aprscope

#include "core/io/em/mrc_write.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"
#include "core/base/printable.hpp"
#include "core/io/common/units.hpp"

namespace aprscope {
namespace {

static_assert(std::endian::native == std::endian::little, "headers are written as they lie here");

constexpr std::int64_t kPieceValues = 1 << 18;
constexpr double kLargestHalf = 65504.0;

// Rounded to the nearest, ties to even.
std::uint16_t to_half(float value) {
#if defined(__F16C__)
  const __m128i half = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT);
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(half));
#else
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const double magnitude = std::abs(static_cast<double>(value));
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00U);
  if (magnitude > 65519.99) return static_cast<std::uint16_t>(sign | 0x7C00U);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Steps of the value's own binade; those below 2^-14 share one.
  const int step = std::max(exponent - 11, -24);
  const double steps = std::nearbyint(std::ldexp(magnitude, -step));
  const auto whole = static_cast<std::uint32_t>(steps);
  return static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(step + 24) * 1024U + whole));
#endif
}

struct MrcFacts {
  /// Number of columns, rows, sections.
  std::array<std::int64_t, 3> size{};
  /// Voxel size in Å along x, y, z; 0: not known.
  std::array<double, 3> voxel{};
  std::array<double, 3> origin{};
  bool stack = false;
};

class MrcWriter {
 public:
  MrcWriter(const MrcFacts& facts, const MrcWriteOptions& options,
            const std::filesystem::path& target)
      : facts_(facts), options_(options), target_(target) {}

  Status open(const std::filesystem::path& temporary) {
    file_.reset(std::fopen(temporary.c_str(), "wb"));
    if (!file_) return failure();
    // Leaves room for the header, whose statistics are known at the end.
    const std::array<char, 1024> nothing{};
    return put(nothing.data(), nothing.size());
  }

  template <class From>
  Status append(const From* values, std::int64_t count, const JobContext& context) {
    for (std::int64_t at = 0; at < count; at += kPieceValues) {
      if (context.stop_requested()) return cancelled_error();
      const std::int64_t piece = std::min(kPieceValues, count - at);
      if (Status ok = append_piece(values + at, piece); !ok) return ok;
    }
    return {};
  }

  Status finish() {
    errno = 0;
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) return failure();
    const std::array<char, 1024> bytes = header();
    if (Status ok = put(bytes.data(), bytes.size()); !ok) return ok;
    errno = 0;
    // Closing writes what is left in buffers.
    if (std::fclose(file_.release()) != 0) return failure();
    return {};
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[nodiscard]] Error failure() const {
    const std::string reason =
        errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : std::string();
    return {"cannot be written" + reason, target_.string(),
            "free some space or choose another folder"};
  }

  Status put(const void* data, std::size_t bytes) {
    errno = 0;
    if (std::fwrite(data, 1, bytes, file_.get()) != bytes) return failure();
    return {};
  }

  template <class From>
  Status append_piece(const From* values, std::int64_t count) {
    double sum = 0.0;
    double square = 0.0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(values[i]);
      sum += value;
      square += value * value;
      least_ = std::min(least_, value);
      most_ = std::max(most_, value);
    }
    sum_ += sum;
    square_ += square;
    count_ += count;
    const auto n = static_cast<std::size_t>(count);
    if (options_.samples == MrcSamples::f32) {
      floats_.assign(values, values + count);
      return put(floats_.data(), n * sizeof(float));
    }
    const bool half = options_.samples == MrcSamples::f16;
    if (half ? most_ > kLargestHalf || least_ < -kLargestHalf : most_ > 65535.0 || least_ < 0.0) {
      return Error{std::string("cannot be written: values do not fit into ") +
                       (half ? "16-bit floats" : "16-bit integers"),
                   target_.string(), "write 32-bit floats"};
    }
    words_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      words_[i] =
          half ? to_half(static_cast<float>(values[i])) : static_cast<std::uint16_t>(values[i]);
    }
    return put(words_.data(), n * sizeof(std::uint16_t));
  }

  [[nodiscard]] std::array<char, 1024> header() const {
    std::array<char, 1024> bytes{};
    // Words are counted from 1, as the format's description does.
    const auto integer = [&](std::size_t word, std::int64_t value) {
      const auto narrow = static_cast<std::int32_t>(value);
      std::memcpy(bytes.data() + 4 * (word - 1), &narrow, 4);
    };
    const auto real = [&](std::size_t word, double value) {
      const auto narrow = static_cast<float>(value);
      std::memcpy(bytes.data() + 4 * (word - 1), &narrow, 4);
    };
    for (std::size_t i = 0; i < 3; ++i) {
      integer(1 + i, facts_.size[i]);
      const std::int64_t intervals = facts_.stack && i == 2 ? 1 : facts_.size[i];
      integer(8 + i, intervals);
      real(11 + i, facts_.voxel[i] * static_cast<double>(intervals));
      real(14 + i, 90.0);
      integer(17 + i, static_cast<std::int64_t>(i) + 1);
      real(50 + i, facts_.origin[i]);
    }
    integer(4, options_.samples == MrcSamples::f32   ? 2
               : options_.samples == MrcSamples::f16 ? 12
                                                     : 6);
    const double mean = sum_ / static_cast<double>(count_);
    const double variance = square_ / static_cast<double>(count_) - mean * mean;
    real(20, least_);
    real(21, most_);
    real(22, mean);
    real(55, std::sqrt(std::max(variance, 0.0)));
    integer(23, facts_.stack ? 0 : 1);
    integer(28, 20141);
    std::memcpy(bytes.data() + 208, "MAP \x44\x44\0\0", 8);
    std::size_t lines = 0;
    const auto line = [&](std::string_view text) {
      if (lines == 10) return;
      char* const begin = bytes.data() + 224 + 80 * lines++;
      std::memset(begin, ' ', 80);
      const std::string_view part = utf8_prefix(text, 80);
      std::copy(part.begin(), part.end(), begin);
    };
    line("aprscope");
    for (const std::string& label : options_.labels) line(printable_line(label));
    integer(56, static_cast<std::int64_t>(lines));
    return bytes;
  }

  const MrcFacts& facts_;
  const MrcWriteOptions& options_;
  const std::filesystem::path& target_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<float> floats_;
  std::vector<std::uint16_t> words_;
  double least_ = HUGE_VAL;
  double most_ = -HUGE_VAL;
  double sum_ = 0.0;
  double square_ = 0.0;
  std::int64_t count_ = 0;
};

template <class Append>
Status write_file(const MrcFacts& facts, const MrcWriteOptions& options,
                  const std::filesystem::path& path, const Append& append) {
  for (const std::int64_t side : facts.size) {
    if (side < 1 || side > INT32_MAX) {
      return Error{"cannot be written: there are no pixels, or a side is too long for MRC",
                   path.string(), "choose another image"};
    }
  }
  return with_memory_errors(path.string(), [&] {
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      MrcWriter writer(facts, options, path);
      if (Status ok = writer.open(temporary); !ok) return ok;
      if (Status ok = append(writer); !ok) return ok;
      return writer.finish();
    });
  });
}

double known(double pixel_size) {
  return std::isfinite(pixel_size) && pixel_size > 0.0 ? pixel_size : 0.0;
}

}  // namespace

bool is_mrc_name(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending == ".mrc" || ending == ".map" || ending == ".mrcs";
}

Status write_mrc(const std::filesystem::path& path, const Volume& volume,
                 const MrcWriteOptions& options, const JobContext& context) {
  const Size3 size = volume.size();
  MrcFacts facts;
  facts.size = {size.y, size.x, size.z};
  const auto unit = unit_in_micrometres(volume.voxel.unit);
  const double angstrom = unit ? *unit * 1e4 : 0.0;
  facts.voxel = {known(volume.voxel.y * angstrom), known(volume.voxel.x * angstrom),
                 known(volume.voxel.z * angstrom)};
  for (std::size_t i = 0; i < 3; ++i) facts.origin[i] = volume.origin[2 - i] * angstrom;
  return write_file(facts, options, path, [&](MrcWriter& writer) {
    return std::visit(
        [&](const auto& pixels) {
          const std::int64_t slice = size.x * size.y;
          for (std::int64_t z = 0; z < size.z; ++z) {
            Status ok = writer.append(pixels.values.data() + z * slice, slice, context);
            if (!ok) return ok;
            context.report(static_cast<double>(z + 1) / static_cast<double>(size.z), "writing");
          }
          return Status{};
        },
        volume.pixels);
  });
}

Status write_mrc_map(const std::filesystem::path& path, std::span<const float> values,
                     std::int64_t side, double pixel_size, const MrcWriteOptions& options,
                     const JobContext& context) {
  if (side < 1 || static_cast<std::int64_t>(values.size()) != side * side * side) {
    return Error{"cannot be written: the map is not of the size that it claims", path.string(),
                 "make it again"};
  }
  MrcFacts facts;
  facts.size = {side, side, side};
  facts.voxel.fill(known(pixel_size));
  return write_file(facts, options, path, [&](MrcWriter& writer) {
    return writer.append(values.data(), static_cast<std::int64_t>(values.size()), context);
  });
}

Status write_mrc_stack(const std::filesystem::path& path, std::int64_t side, std::int64_t count,
                       double pixel_size, const StackFiller& fill, const MrcWriteOptions& options,
                       const JobContext& context) {
  MrcFacts facts;
  facts.size = {side, side, count};
  facts.voxel.fill(known(pixel_size));
  facts.stack = true;
  return write_file(facts, options, path, [&](MrcWriter& writer) -> Status {
    const std::int64_t pixels = side * side;
    const std::int64_t many =
        std::clamp<std::int64_t>((std::int64_t{16} << 20U) / pixels, 1, count);
    std::vector<float> images(static_cast<std::size_t>(many * pixels));
    for (std::int64_t first = 0; first < count; first += many) {
      if (context.stop_requested()) return cancelled_error();
      const std::int64_t now = std::min(many, count - first);
      const auto part = std::span(images).first(static_cast<std::size_t>(now * pixels));
      if (Status ok = fill(first, part); !ok) return ok;
      if (Status ok = writer.append(part.data(), now * pixels, context); !ok) return ok;
      context.report(static_cast<double>(first + now) / static_cast<double>(count), "writing");
    }
    return {};
  });
}

}  // namespace aprscope

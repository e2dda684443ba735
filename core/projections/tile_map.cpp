#include "core/projections/tile_map.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/line_transforms.hpp"

namespace aprscope {

namespace {

class TileTransform {
 public:
  TileTransform(const FrequencyTiles& tiles, std::span<const float> sums, TileValue value,
                std::int64_t padded, std::int64_t side, std::int64_t reach,
                const LineTransforms& lines)
      : tiles_(tiles),
        sums_(sums),
        value_(value),
        padded_(padded),
        side_(side),
        reach_(reach),
        last_(std::min(reach, padded / 2)),
        lines_(lines),
        rows_(std::min(2 * last_ + 1, padded)),
        width_((last_ + kLinesAtOnce) / kLinesAtOnce * kLinesAtOnce),
        half_(static_cast<std::size_t>(side * rows_ * width_ * 2)) {}

  Result<std::vector<float>> run(const JobContext& context) {
    const int threads = thread_count();
    std::vector<Scratch> scratch(static_cast<std::size_t>(threads));
    for (Scratch& s : scratch) {
      s.a.resize(static_cast<std::size_t>(lines_.columns_floats()));
      s.b.resize(s.a.size());
      s.plane.resize(static_cast<std::size_t>(side_ * lines_.row_floats()));
      s.line.resize(static_cast<std::size_t>(lines_.row_scratch()));
    }
    parallel_each(rows_, threads, [&](std::int64_t row, int thread) {
      if (!context.stop_requested()) along_z(row, scratch[static_cast<std::size_t>(thread)]);
    });
    std::vector<float> out(static_cast<std::size_t>(side_ * side_ * side_));
    parallel_each(side_, threads, [&](std::int64_t z, int thread) {
      if (context.stop_requested()) return;
      along_y_and_x(z, out.data() + z * side_ * side_, scratch[static_cast<std::size_t>(thread)]);
    });
    if (context.stop_requested()) return cancelled_error();
    return out;
  }

 private:
  struct Scratch {
    AlignedVector<float> a, b, plane, line;
  };

  [[nodiscard]] std::int64_t place(std::int64_t k) const { return k < 0 ? k + padded_ : k; }
  // Where voxel i of the result lies on a line.
  [[nodiscard]] std::int64_t voxel(std::int64_t i) const { return place(i - side_ / 2); }

  // Adds a column of tiles at (x, y), times a factor; ±Nyquist are one number, their mean.
  void gather(std::int64_t x, std::int64_t y, float factor, float* column) const {
    const std::int64_t limit = reach_ * reach_ - x * x - y * y;
    const std::int64_t n = tiles_.voxels();
    for (std::int64_t z = -last_; z <= last_; ++z) {
      if (z * z > limit) continue;
      const float* const from = sums_.data() + tiles_.at(x, y, z);
      const float share = 2 * z == padded_ || 2 * z == -padded_ ? 0.5F * factor : factor;
      float* const to = column + 2 * kLinesAtOnce * place(z);
      if (value_ == TileValue::weight) {
        to[0] += share * from[2 * n];
      } else {
        to[0] += share * from[0];
        to[1] += share * from[n];
      }
    }
  }

  void along_z(std::int64_t row, Scratch& s) {
    const std::int64_t y = row <= last_ ? row : row - rows_;
    const bool nyquist = 2 * y == padded_;
    for (std::int64_t x = 0; x < width_; x += kLinesAtOnce) {
      if (x * x + y * y > reach_ * reach_) break;  // the rest is 0
      std::fill(s.a.begin(), s.a.end(), 0.0F);
      for (std::int64_t j = 0; j < kLinesAtOnce && x + j <= last_; ++j) {
        gather(x + j, y, nyquist ? 0.5F : 1.0F, s.a.data() + 2 * j);
        if (nyquist) gather(x + j, -y, 0.5F, s.a.data() + 2 * j);
      }
      const float* const out = lines_.columns_inverse(s.a.data(), s.b.data());
      for (std::int64_t z = 0; z < side_; ++z) {
        std::copy_n(out + 2 * kLinesAtOnce * voxel(z), 2 * kLinesAtOnce,
                    half_.data() + 2 * ((z * rows_ + row) * width_ + x));
      }
    }
  }

  void along_y_and_x(std::int64_t z, float* out, Scratch& s) const {
    const std::int64_t pitch = lines_.row_floats();
    std::fill(s.plane.begin(), s.plane.end(), 0.0F);
    for (std::int64_t x = 0; x < width_; x += kLinesAtOnce) {
      std::fill(s.a.begin(), s.a.end(), 0.0F);
      for (std::int64_t row = 0; row < rows_; ++row) {
        const std::int64_t y = row <= last_ ? row : row - rows_;
        std::copy_n(half_.data() + 2 * ((z * rows_ + row) * width_ + x), 2 * kLinesAtOnce,
                    s.a.data() + 2 * kLinesAtOnce * place(y));
      }
      const float* const column = lines_.columns_inverse(s.a.data(), s.b.data());
      const std::int64_t floats = std::min(2 * kLinesAtOnce, pitch - 2 * x);
      for (std::int64_t y = 0; y < side_; ++y) {
        std::copy_n(column + 2 * kLinesAtOnce * voxel(y), floats,
                    s.plane.data() + y * pitch + 2 * x);
      }
    }
    const auto p = static_cast<double>(padded_);
    const auto scale = static_cast<float>(1.0 / (p * p * p));
    for (std::int64_t y = 0; y < side_; ++y) {
      float* const row = s.plane.data() + y * pitch;
      // Real lines have real ends; at Nyquist that is the mean of both signs.
      row[1] = 0.0F;
      row[padded_ + 1] = 0.0F;
      lines_.row_inverse(row, s.line.data(), scale);
      for (std::int64_t x = 0; x < side_; ++x) out[y * side_ + x] = row[voxel(x)];
    }
  }

  const FrequencyTiles& tiles_;
  std::span<const float> sums_;
  TileValue value_;
  std::int64_t padded_, side_, reach_;
  std::int64_t last_;  // frequency of a line that is used
  const LineTransforms& lines_;
  std::int64_t rows_;   // of y: 0 … last, then the negative ones
  std::int64_t width_;  // of x, whole blocks
  AlignedVector<float> half_;
};

void divide_by_window(std::vector<float>& map, std::int64_t side, const Blob& blob,
                      std::int64_t padded) {
  const std::int64_t c = side / 2;
  const std::vector<double> window = window_table(blob, 3 * c * c + 1, 1.0, padded);
  parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
    float* voxel = map.data() + z * side * side;
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x, ++voxel) {
        const std::int64_t r2 = (z - c) * (z - c) + (y - c) * (y - c) + (x - c) * (x - c);
        *voxel = static_cast<float>(*voxel / window[static_cast<std::size_t>(r2)]);
      }
    }
  });
}

}  // namespace

Result<std::vector<float>> tile_map(const FrequencyTiles& tiles, std::span<const float> sums,
                                    TileValue value, std::int64_t padded, std::int64_t side,
                                    std::int64_t reach, const Blob& blob,
                                    const JobContext& context) {
  const auto lines = LineTransforms::create(padded);
  if (!lines) return lines.error();
  Result<std::vector<float>> map =
      TileTransform(tiles, sums, value, padded, side, std::min(reach, tiles.reach()), *lines)
          .run(context);
  if (map) divide_by_window(*map, side, blob, padded);
  return map;
}

std::uint64_t tile_map_bytes(std::int64_t padded, std::int64_t side, std::int64_t reach) {
  const std::int64_t last = std::min(reach, padded / 2);
  const std::int64_t rows = std::min(2 * last + 1, padded);
  const std::int64_t width = (last + kLinesAtOnce) / kLinesAtOnce * kLinesAtOnce;
  const std::int64_t scratch = thread_count() * (4 * kLinesAtOnce * padded + side * (padded + 32));
  return static_cast<std::uint64_t>(8 * side * rows * width + 4 * side * side * side + 4 * scratch);
}

}  // namespace aprscope

#include <algorithm>
#include <cmath>

#include "core/filter/kernels.hpp"
#include "core/filter/tile_filter.hpp"

namespace aprscope::detail {
namespace {

// Largest or smallest of a box: three passes, as for separable stencils.
class Extreme : public TileFilter {
 public:
  Extreme(const Size3& size, bool largest) : size_(size), largest_(largest) {}

  [[nodiscard]] Size3 radius() const override { return {size_.z / 2, size_.x / 2, size_.y / 2}; }

  void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
           TileResult& out) const override {
    const FilterKernels& kernels = filter_kernels();
    const auto extreme = largest_ ? kernels.largest_rows : kernels.smallest_rows;
    const std::int64_t columns = patch.tile().x1 - patch.tile().x0;
    const std::int64_t length = patch.tile().y1 - patch.tile().y0;
    scratch.first.resize(static_cast<std::size_t>(patch.rows_x() * length));
    scratch.second.resize(static_cast<std::size_t>(patch.rows_z() * columns * length));
    auto& rows = scratch.rows;
    for (std::int64_t z = 0; z < patch.rows_z(); ++z) {
      rows.resize(static_cast<std::size_t>(size_.y));
      for (std::int64_t x = 0; x < patch.rows_x(); ++x) {
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = patch.row(z, x) + k;
        extreme(rows.data(), size_.y, length, scratch.first.data() + x * length);
      }
      rows.resize(static_cast<std::size_t>(size_.x));
      for (std::int64_t x = 0; x < columns; ++x) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          rows[k] = scratch.first.data() + (x + static_cast<std::int64_t>(k)) * length;
        }
        extreme(rows.data(), size_.x, length, scratch.second.data() + (z * columns + x) * length);
      }
    }
    rows.resize(static_cast<std::size_t>(size_.z));
    for (const WantedRow& r : wanted.rows) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k] =
            scratch.second.data() + ((r.z + static_cast<std::int64_t>(k)) * columns + r.x) * length;
      }
      extreme(rows.data(), size_.z, length, out.row(r.z, r.x));
    }
  }

 private:
  Size3 size_;
  bool largest_;
};

// Statistics that need the whole neighbourhood of a cell at once.
class Gathered : public TileFilter {
 public:
  Gathered(const Size3& size, bool median) : size_(size), median_(median) {}

  [[nodiscard]] Size3 radius() const override { return {size_.z / 2, size_.x / 2, size_.y / 2}; }

  void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
           TileResult& out) const override {
    const std::int64_t length = patch.tile().y1 - patch.tile().y0;
    for (const WantedRow& r : wanted.rows) {
      float* const to = out.row(r.z, r.x);
      for (std::uint32_t b = 0; b < r.block_count; ++b) {
        const std::int64_t begin = wanted.blocks[r.first_block + b];
        const std::int64_t end = std::min(begin + kBlock, length);
        for (std::int64_t y = begin; y < end; ++y) {
          gather(patch, r, y, scratch.first);
          to[y] = median_ ? median(scratch.first) : deviation(scratch.first);
        }
      }
    }
  }

 private:
  void gather(const Patch& patch, const WantedRow& r, std::int64_t y,
              std::vector<float>& values) const {
    values.clear();
    for (std::int64_t z = 0; z < size_.z; ++z) {
      for (std::int64_t x = 0; x < size_.x; ++x) {
        const float* const from = patch.row(r.z + z, r.x + x) + y;
        values.insert(values.end(), from, from + size_.y);
      }
    }
  }

  static float median(std::vector<float>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  // Two passes in double: no cancellation where the mean is large.
  static float deviation(const std::vector<float>& values) {
    double mean = 0.0;
    for (const float v : values) mean += static_cast<double>(v);
    mean /= static_cast<double>(values.size());
    double squares = 0.0;
    for (const float v : values) {
      const double d = static_cast<double>(v) - mean;
      squares += d * d;
    }
    return static_cast<float>(std::sqrt(squares / static_cast<double>(values.size())));
  }

  Size3 size_;
  bool median_;
};

}  // namespace

std::unique_ptr<TileFilter> make_statistic(LocalStatistic statistic, const Size3& size) {
  switch (statistic) {
    case LocalStatistic::mean:
      return make_correlation(box_stencil(size));
    case LocalStatistic::min:
      return std::make_unique<Extreme>(size, false);
    case LocalStatistic::max:
      return std::make_unique<Extreme>(size, true);
    case LocalStatistic::standard_deviation:
      return std::make_unique<Gathered>(size, false);
    case LocalStatistic::median:
      break;
  }
  return std::make_unique<Gathered>(size, true);
}

}  // namespace aprscope::detail

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/filter/kernels.hpp"
#include "core/filter/tile_filter.hpp"

namespace aprscope::detail {
namespace {

Size3 half(const Size3& size) { return {size.z / 2, size.x / 2, size.y / 2}; }

// Every tap that is not 0, straight from the patch.
class DenseCorrelation : public TileFilter {
 public:
  explicit DenseCorrelation(const Stencil& stencil) : radius_(half(stencil.size)) {
    for (std::int64_t z = 0; z < stencil.size.z; ++z) {
      for (std::int64_t x = 0; x < stencil.size.x; ++x) {
        for (std::int64_t y = 0; y < stencil.size.y; ++y) {
          const double w =
              stencil
                  .weights[static_cast<std::size_t>((z * stencil.size.x + x) * stencil.size.y + y)];
          if (w == 0.0) continue;
          taps_.push_back({z, x, y});
          weights_.push_back(static_cast<float>(w));
        }
      }
    }
  }

  [[nodiscard]] Size3 radius() const override { return radius_; }

  void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
           TileResult& out) const override {
    // The patch may have a larger radius than this stencil (one of several components).
    const Size3 more{patch.radius().z - radius_.z, patch.radius().x - radius_.x,
                     patch.radius().y - radius_.y};
    scratch.offsets.resize(taps_.size());
    for (std::size_t k = 0; k < taps_.size(); ++k) {
      scratch.offsets[k] =
          ((taps_[k].z + more.z) * patch.rows_x() + taps_[k].x + more.x) * patch.stride() +
          taps_[k].y + more.y;
    }
    const FilterKernels& kernels = filter_kernels();
    for (const WantedRow& r : wanted.rows) {
      kernels.weighted_blocks(patch.row(r.z, r.x), scratch.offsets.data(), weights_.data(),
                              static_cast<std::int64_t>(taps_.size()),
                              wanted.blocks.data() + r.first_block, r.block_count,
                              out.row(r.z, r.x));
    }
  }

 private:
  Size3 radius_;
  std::vector<Index3> taps_;
  std::vector<float> weights_;
};

// y, then x, then z, each on the rows that the next pass needs.
class SeparableCorrelation : public TileFilter {
 public:
  SeparableCorrelation(const Size3& size, const std::array<std::vector<double>, 3>& factors)
      : radius_(half(size)) {
    for (std::size_t d = 0; d < 3; ++d) factors_[d].assign(factors[d].begin(), factors[d].end());
  }

  [[nodiscard]] Size3 radius() const override { return radius_; }
  [[nodiscard]] std::int64_t tile_rows() const override { return 16; }

  void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
           TileResult& out) const override {
    const FilterKernels& kernels = filter_kernels();
    const Tile& tile = patch.tile();
    const std::int64_t columns = tile.x1 - tile.x0;
    const std::int64_t length = tile.y1 - tile.y0;
    // Whole blocks only: every value is then summed by the same instructions, wherever its tile
    // ends. Rows have room for that.
    const std::int64_t stride = (length + kBlock - 1) / kBlock * kBlock;
    scratch.first.resize(static_cast<std::size_t>(patch.rows_x() * stride));
    scratch.second.resize(static_cast<std::size_t>(patch.rows_z() * columns * stride));
    auto& rows = scratch.rows;
    const auto pass = [&](std::size_t d, float* to) {
      kernels.weighted_rows(rows.data(), factors_[d].data(),
                            static_cast<std::int64_t>(factors_[d].size()), stride, to);
    };
    for (std::int64_t z = 0; z < patch.rows_z(); ++z) {
      rows.resize(factors_[2].size());
      for (std::int64_t x = 0; x < patch.rows_x(); ++x) {
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = patch.row(z, x) + k;
        pass(2, scratch.first.data() + x * stride);
      }
      rows.resize(factors_[1].size());
      for (std::int64_t x = 0; x < columns; ++x) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          rows[k] = scratch.first.data() + (x + static_cast<std::int64_t>(k)) * stride;
        }
        pass(1, scratch.second.data() + (z * columns + x) * stride);
      }
    }
    rows.resize(factors_[0].size());
    for (const WantedRow& r : wanted.rows) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k] =
            scratch.second.data() + ((r.z + static_cast<std::int64_t>(k)) * columns + r.x) * stride;
      }
      pass(0, out.row(r.z, r.x));
    }
  }

 private:
  Size3 radius_;
  std::array<std::vector<float>, 3> factors_;
};

class Magnitude : public TileFilter {
 public:
  explicit Magnitude(const std::vector<Stencil>& components) : radius_{0, 0, 0} {
    for (const Stencil& s : components) {
      parts_.push_back(std::make_unique<DenseCorrelation>(s));
      const Size3 r = parts_.back()->radius();
      radius_ = {std::max(radius_.z, r.z), std::max(radius_.x, r.x), std::max(radius_.y, r.y)};
    }
  }

  [[nodiscard]] Size3 radius() const override { return radius_; }

  void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
           TileResult& out) const override {
    const std::int64_t length = patch.tile().y1 - patch.tile().y0;
    const auto each = [&](const auto& visit) {
      for (const WantedRow& r : wanted.rows) {
        for (std::uint32_t b = 0; b < r.block_count; ++b) {
          const std::int64_t begin = wanted.blocks[r.first_block + b];
          visit(r, begin, std::min(begin + kBlock, length));
        }
      }
    };
    // Sums of squares gather in `first`, laid out as the result is.
    const std::int64_t columns = patch.tile().x1 - patch.tile().x0;
    const std::int64_t rows = patch.tile().z1 - patch.tile().z0;
    scratch.first.assign(static_cast<std::size_t>(rows * columns * length), 0.0F);
    for (const auto& part : parts_) {
      part->run(patch, wanted, scratch, out);
      each([&](const WantedRow& r, std::int64_t begin, std::int64_t end) {
        const float* const g = out.row(r.z, r.x);
        float* const sum = scratch.first.data() + (r.z * columns + r.x) * length;
        for (std::int64_t i = begin; i < end; ++i) sum[i] += g[i] * g[i];
      });
    }
    each([&](const WantedRow& r, std::int64_t begin, std::int64_t end) {
      const float* const sum = scratch.first.data() + (r.z * columns + r.x) * length;
      float* const g = out.row(r.z, r.x);
      for (std::int64_t i = begin; i < end; ++i) g[i] = std::sqrt(sum[i]);
    });
  }

 private:
  Size3 radius_;
  std::vector<std::unique_ptr<TileFilter>> parts_;
};

}  // namespace

std::unique_ptr<TileFilter> make_correlation(const Stencil& stencil) {
  // Below this the halo and the extra passes cost more than the products that they save.
  constexpr std::int64_t kSeparableTaps = 100;
  if (stencil.size.count() >= kSeparableTaps) {
    if (auto factors = separate(stencil)) {
      return std::make_unique<SeparableCorrelation>(stencil.size, *factors);
    }
  }
  return std::make_unique<DenseCorrelation>(stencil);
}

std::unique_ptr<TileFilter> make_magnitude(const std::vector<Stencil>& components) {
  return std::make_unique<Magnitude>(components);
}

}  // namespace aprscope::detail

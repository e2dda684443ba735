#include "core/io/tiles/fused_slices.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {
namespace {

std::vector<float> weights(std::int64_t n) {
  std::vector<float> out(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = blend_weight(i, n);
  return out;
}

// A tile while its slices are read.
struct OpenTile {
  PlacedTile tile;
  std::vector<float> rows, cols, slices;
  std::unique_ptr<SliceSource> source;
  [[nodiscard]] bool holds(std::int64_t z) const {
    return z >= tile.at.z && z < tile.at.z + tile.info.size.z;
  }
};

class FusedSlices final : public SliceSource {
 public:
  FusedSlices(TileSet set, TileReaders readers, const SourceSelection& selection, SampleKind kind,
              Volume header)
      : size_(set.size),
        readers_(std::move(readers)),
        selection_(selection),
        kind_(kind),
        header_(std::move(header)) {
    std::int64_t largest = 0;
    for (PlacedTile& tile : set.tiles) {
      const Size3 size = tile.info.size;
      largest = std::max(largest, size.x * size.y);
      tiles_.push_back({std::move(tile), weights(size.x), weights(size.y), weights(size.z), {}});
    }
    slice_ = Scratch<float>(largest);
    mean_ = Scratch<float>(size_.x * size_.y);
    weight_ = Scratch<float>(size_.x * size_.y);
  }

  [[nodiscard]] Size3 size() const override { return size_; }
  [[nodiscard]] SampleKind kind() const override { return kind_; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  [[nodiscard]] bool costly() const override { return true; }

  Status read(std::int64_t z, void* out, const JobContext& context) override {
    std::fill_n(mean_.data(), mean_.count(), 0.0F);
    std::fill_n(weight_.data(), weight_.count(), 0.0F);
    int kept = 0;
    for (OpenTile& one : tiles_) {
      if (!one.holds(z)) {
        one.source.reset();
      } else if (one.source) {
        ++kept;
      }
    }
    for (OpenTile& one : tiles_) {
      if (!one.holds(z)) continue;
      if (context.stop_requested()) return cancelled_error();
      const bool was_open = one.source != nullptr;
      if (!was_open) {
        if (Status opened = open(one); !opened) return opened;
      }
      Status got = one.source->read(z - one.tile.at.z, slice_.data(), context);
      if (!was_open && ++kept > kMostOpenTiles) {
        --kept;
        one.source.reset();
      }
      if (!got) return got;
      switch (kind_) {
        case SampleKind::u8:
          add<std::uint8_t>(one, z);
          break;
        case SampleKind::u16:
          add<std::uint16_t>(one, z);
          break;
        case SampleKind::f32:
          add<float>(one, z);
          break;
      }
    }
    switch (kind_) {
      case SampleKind::u8:
        put(static_cast<std::uint8_t*>(out));
        break;
      case SampleKind::u16:
        put(static_cast<std::uint16_t*>(out));
        break;
      case SampleKind::f32:
        std::memcpy(out, mean_.data(), static_cast<std::size_t>(mean_.count()) * sizeof(float));
        break;
    }
    return {};
  }

 private:
  Status open(OpenTile& one) {
    auto opened = readers_.slices(one.tile.info, selection_);
    if (!opened) return opened.error();
    if (!((*opened)->size() == one.tile.info.size) || (*opened)->kind() != kind_) {
      return Error{"is of another size or type than when it was opened",
                   one.tile.info.path.string(), "open the tiles again"};
    }
    one.source = *std::move(opened);
    return {};
  }

  // A running mean: where one tile alone lies, it is its pixel without a rounding error.
  template <class T>
  void add(const OpenTile& one, std::int64_t z) {
    const T* const samples = reinterpret_cast<const T*>(slice_.data());
    const Size3 size = one.tile.info.size;
    const float of_slice = one.slices[static_cast<std::size_t>(z - one.tile.at.z)];
    parallel_for(size.x, threads_for(size.x * size.y), [&](std::int64_t x) {
      const T* const from = samples + x * size.y;
      const std::int64_t first = (one.tile.at.x + x) * size_.y + one.tile.at.y;
      float* const mean = mean_.data() + first;
      float* const weight = weight_.data() + first;
      const float of_row = of_slice * one.rows[static_cast<std::size_t>(x)];
      const float* const of_col = one.cols.data();
      for (std::int64_t y = 0; y < size.y; ++y) {
        const float w = of_row * of_col[y];
        weight[y] += w;
        mean[y] += w / weight[y] * (static_cast<float>(from[y]) - mean[y]);
      }
    });
  }

  template <class T>
  void put(T* out) const {
    const float* const mean = mean_.data();
    const float most = static_cast<float>(std::numeric_limits<T>::max());
    parallel_for(size_.x, threads_for(size_.x * size_.y), [&](std::int64_t x) {
      for (std::int64_t i = x * size_.y; i < (x + 1) * size_.y; ++i) {
        out[i] = static_cast<T>(std::clamp(std::nearbyint(mean[i]), 0.0F, most));
      }
    });
  }

  Size3 size_;
  TileReaders readers_;
  SourceSelection selection_;
  SampleKind kind_;
  Volume header_;
  std::vector<OpenTile> tiles_;
  Scratch<float> slice_, mean_, weight_;
};

}  // namespace

float blend_weight(std::int64_t i, std::int64_t n) {
  const std::int64_t width = std::clamp<std::int64_t>(n / 8, 1, kBlend);
  const std::int64_t inside = std::min(i, n - 1 - i) + 1;
  if (inside > width) return 1.0F;
  const double share = static_cast<double>(inside) / static_cast<double>(width + 1);
  return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * share));
}

std::unique_ptr<SliceSource> fused_slices(TileSet set, TileReaders readers,
                                          const SourceSelection& selection, SampleKind kind,
                                          Volume header) {
  return std::make_unique<FusedSlices>(std::move(set), std::move(readers), selection, kind,
                                       std::move(header));
}

}  // namespace aprscope

#include "core/filter/image_fft.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/filter/correlation_plan.hpp"
#include "core/filter/slab.hpp"
#include "core/image/fft.hpp"

namespace aprscope::detail {
namespace {

// Both transforms of a tile of n pixels take as long as n · log2(n) · this many products of a
// direct sum: of a 256³ image a stencil of 13³ takes 0.17 s, and 0.39 s by sums (processor time of
// two threads ÷ 2 on an EPYC with AVX-512; transforms share work less evenly).
constexpr double kProductsAPass = 21.0;

// A product of a folded stencil takes as long as this many, with the additions around it: there
// 13³ takes 0.09 s, 17³ 0.22 s and 21³ 0.35 s.
constexpr double kFoldedProduct = 1.5;

Size3 radius_of(const Stencil& s) { return {s.size.z / 2, s.size.x / 2, s.size.y / 2}; }

// Pixels of a tile with what lies around it: as large as a few 10 MB of memory allow, because tiles
// overlap by 2 · radius, and as many as share the image evenly.
Size3 tile_size(const Size3& image, const Size3& radius) {
  const auto side = [](std::int64_t n, std::int64_t r) {
    const std::int64_t most = std::max<std::int64_t>(320, 8 * r) - 2 * r;
    const std::int64_t tiles = (n + most - 1) / most;
    return (n + tiles - 1) / tiles + 2 * r;
  };
  return Fft3::good_size(
      {side(image.z, radius.z), side(image.x, radius.x), side(image.y, radius.y)});
}

// Tiles [first, last) of a dimension that a region touches, `step` pixels apart.
struct Span {
  std::int64_t first = 0, last = 0, step = 1;
};
Span span_of(std::int64_t begin, std::int64_t end, std::int64_t step) {
  return {begin / step, (end - 1) / step + 1, step};
}
struct Tiles {
  Size3 size;  // with what lies around
  Span z, x, y;
  [[nodiscard]] std::int64_t count() const {
    return (z.last - z.first) * (x.last - x.first) * (y.last - y.first);
  }
};
Tiles tiles_of(const Size3& image, const Size3& radius, const Region& region) {
  Tiles t;
  t.size = tile_size(image, radius);
  t.z = span_of(region.begin.z, region.end.z, t.size.z - 2 * radius.z);
  t.x = span_of(region.begin.x, region.end.x, t.size.x - 2 * radius.x);
  t.y = span_of(region.begin.y, region.end.y, t.size.y - 2 * radius.y);
  return t;
}

// A row of a tile: pixels [first, first + n) of row (z, x), all of which may lie outside.
void fill_row(const Pixels<float>& image, Boundary boundary, std::int64_t z, std::int64_t x,
              std::int64_t first, std::int64_t n, float* to) {
  const Size3& size = image.size;
  const bool inside = z >= 0 && z < size.z && x >= 0 && x < size.x;
  if (!inside && boundary == Boundary::zero) {
    std::fill(to, to + n, 0.0F);
    return;
  }
  const float* const row = &image.at(reflect_index(z, size.z), reflect_index(x, size.x), 0);
  const std::int64_t begin = std::clamp<std::int64_t>(-first, 0, n);
  const std::int64_t end = std::clamp<std::int64_t>(size.y - first, begin, n);
  const auto beyond = [&](std::int64_t y) {
    return boundary == Boundary::zero ? 0.0F : row[reflect_index(y, size.y)];
  };
  for (std::int64_t i = 0; i < begin; ++i) to[i] = beyond(first + i);
  std::copy(row + first + begin, row + first + end, to + begin);
  for (std::int64_t i = end; i < n; ++i) to[i] = beyond(first + i);
}

class Correlation {
 public:
  Correlation(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
              const Region& region, Pixels<float>& out)
      : input_(input),
        radius_(radius_of(stencil)),
        boundary_(boundary),
        region_(region),
        out_(out),
        tiles_(tiles_of(input.size, radius_, region)) {}

  Status run(const Stencil& stencil, const JobContext& context) {
    auto fft = Fft3::create(tiles_.size);
    if (!fft) return fft.error();
    fft_ = std::move(*fft);
    kernel_.resize(static_cast<std::size_t>(fft_->buffer_count()));
    tile_.resize(kernel_.size());
    if (Status made = make_kernel(stencil, context); !made) return made;
    std::int64_t done = 0;
    for (std::int64_t z = tiles_.z.first; z < tiles_.z.last; ++z) {
      for (std::int64_t x = tiles_.x.first; x < tiles_.x.last; ++x) {
        for (std::int64_t y = tiles_.y.first; y < tiles_.y.last; ++y) {
          context.report(static_cast<double>(done++) / static_cast<double>(tiles_.count()),
                         "filter");
          if (Status ok = tile({z * tiles_.z.step, x * tiles_.x.step, y * tiles_.y.step}, context);
              !ok) {
            return ok;
          }
        }
      }
    }
    return {};
  }

 private:
  [[nodiscard]] float* row(std::vector<float, LineAllocator<float>>& buffer, std::int64_t z,
                           std::int64_t x) const {
    return buffer.data() + (z * tiles_.size.x + x) * fft_->row();
  }

  // The spectrum of the stencil with its centre at the origin; what lies before it is at the end.
  Status make_kernel(const Stencil& stencil, const JobContext& context) {
    const Size3& n = tiles_.size;
    const auto wrapped = [](std::int64_t i, std::int64_t size) { return i < 0 ? i + size : i; };
    std::size_t i = 0;
    for (std::int64_t z = 0; z < stencil.size.z; ++z) {
      for (std::int64_t x = 0; x < stencil.size.x; ++x) {
        float* const to = row(kernel_, wrapped(z - radius_.z, n.z), wrapped(x - radius_.x, n.x));
        for (std::int64_t y = 0; y < stencil.size.y; ++y) {
          to[wrapped(y - radius_.y, n.y)] = static_cast<float>(stencil.weights[i++]);
        }
      }
    }
    return fft_->forward(kernel_, context);
  }

  // The results from pixel `first` on.
  Status tile(const Index3& first, const JobContext& context) {
    const Size3& n = tiles_.size;
    parallel_for(n.z, thread_count(), [&](std::int64_t z) {
      for (std::int64_t x = 0; x < n.x; ++x) {
        fill_row(input_, boundary_, first.z - radius_.z + z, first.x - radius_.x + x,
                 first.y - radius_.y, n.y, row(tile_, z, x));
      }
    });
    if (Status ok = fft_->filter(tile_, kernel_, true, context); !ok) return ok;
    const auto end = [](std::int64_t begin, std::int64_t step, std::int64_t last) {
      return std::min(begin + step, last);
    };
    const std::int64_t z1 = end(first.z, tiles_.z.step, region_.end.z);
    const std::int64_t x1 = end(first.x, tiles_.x.step, region_.end.x);
    const std::int64_t y0 = std::max(first.y, region_.begin.y);
    const std::int64_t y1 = end(first.y, tiles_.y.step, region_.end.y);
    const std::int64_t z0 = std::max(first.z, region_.begin.z);
    parallel_for(std::max<std::int64_t>(z1 - z0, 0), thread_count(), [&](std::int64_t slice) {
      const std::int64_t z = z0 + slice;
      for (std::int64_t x = std::max(first.x, region_.begin.x); x < x1; ++x) {
        const float* const from =
            row(tile_, z - first.z + radius_.z, x - first.x + radius_.x) + radius_.y - first.y;
        std::copy(from + y0, from + y1, &out_.at(z, x, y0));
      }
    });
    return {};
  }

  const Pixels<float>& input_;
  Size3 radius_;
  Boundary boundary_;
  const Region& region_;
  Pixels<float>& out_;
  Tiles tiles_;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> kernel_, tile_;
};

}  // namespace

Status correlate_by_fft(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                        const Region& region, Pixels<float>& out, const JobContext& context) {
  try {
    return Correlation(input, stencil, boundary, region, out).run(stencil, context);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the spectra of this filter", "filter",
                 "use a smaller stencil or close other data"};
  }
}

bool fft_pays(const Size3& image, const Stencil& stencil, const Region& region) {
  const CorrelationPlan plan = plan_correlation(stencil);
  if (plan.scheme == CorrelationScheme::passes) return false;
  const Tiles tiles = tiles_of(image, radius_of(stencil), region);
  const auto pixels = static_cast<double>(tiles.size.count());
  // The spectrum of the stencil costs half a tile.
  const double transforms = (static_cast<double>(tiles.count()) + 0.5) * pixels *
                            std::log2(std::max(pixels, 2.0)) * kProductsAPass;
  const double products = plan.scheme == CorrelationScheme::folded
                              ? kFoldedProduct * static_cast<double>(plan.products)
                              : static_cast<double>(plan.products);
  return products * static_cast<double>(region.size().count()) > transforms;
}

}  // namespace aprscope::detail

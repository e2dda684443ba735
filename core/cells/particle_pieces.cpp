#include "core/cells/particle_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/parallel.hpp"
#include "core/cells/particle_jumps.hpp"
#include "core/cells/particle_links.hpp"
#include "core/cells/piece_tally.hpp"
#include "core/cells/run_sets.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {
namespace {

// The set of all that lies outside, before those of runs.
constexpr std::uint32_t kOutsidePiece = 0;

class PieceFinder {
 public:
  PieceFinder(const AprAccess& access, const ParticleRuns& runs, bool outside)
      : access_(access),
        cells_(access.particles()),
        runs_(runs),
        outside_(outside),
        layers_(layers_of(cells_)),
        threads_(growth_threads(cells_.count())),
        sets_(runs.count() + 1) {}

  bool unite(Connectivity connectivity, const JobContext& context) {
    const ParticleJumps jumps(access_);
    const ParticleLinks links(cells_, runs_, connectivity, jumps);
    return each_layer(context, "pieces", [&](const CellLayer& layer) {
      if (outside_) unite_outside(layer);
      links.each(layer, [&](std::uint32_t a, std::uint32_t b) { sets_.unite(a + 1, b + 1); });
    });
  }

  // Numbers pieces as their first runs come, which stand for them.
  void number(ParticlePieces& out) {
    constexpr std::int64_t kRuns = std::int64_t{1} << 14U;
    const std::int64_t count = runs_.count();
    const std::int64_t stretches = (count + kRuns - 1) / kRuns;
    out.number = Scratch<std::uint32_t>(count);
    std::uint32_t* const number = out.number.data();
    std::vector<std::uint32_t> before(static_cast<std::size_t>(stretches) + 1, 0);
    const auto each_stretch = [&](const auto& work) {
      parallel_each(stretches, threads_, [&](std::int64_t s, int) {
        work(static_cast<std::size_t>(s), s * kRuns, std::min(count, (s + 1) * kRuns));
      });
    };
    const auto root_of = [&](std::int64_t r) {
      return sets_.find(static_cast<std::uint32_t>(r) + 1);
    };
    each_stretch([&](std::size_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) before[s + 1] += root_of(r) == r + 1 ? 1U : 0U;
    });
    std::partial_sum(before.begin(), before.end(), before.begin());
    each_stretch([&](std::size_t s, std::int64_t begin, std::int64_t end) {
      std::uint32_t last = before[s];
      for (std::int64_t r = begin; r < end; ++r) {
        if (root_of(r) == r + 1) number[r] = ++last;
      }
    });
    // Roots have their numbers already, and no thread writes those here.
    each_stretch([&](std::size_t, std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const std::uint32_t root = root_of(r);
        if (root == kOutsidePiece) {
          number[r] = kOutsidePiece;
        } else if (root != r + 1) {
          number[r] = number[root - 1];
        }
      }
    });
    pieces_ = before.back();
  }

  bool measure(ParticlePieces& out, std::vector<std::uint64_t>& first, const JobContext& context) {
    first.assign(std::size_t{1} + pieces_, ~std::uint64_t{0});
    out.pixels.assign(std::size_t{1} + pieces_, 0);
    return each_layer(context, "volumes", [&](const CellLayer& layer) {
      const LayerGeometry geometry(cells_, layer);
      PieceTally tally(first, out.pixels);
      for (std::int64_t x = 0; x < geometry.grid.x; ++x) {
        const ParticleRange row = runs_.row(cells_, {layer.level, layer.z, x});
        for (std::uint64_t r = row.begin; r < row.end; ++r) {
          const ParticleRun& run = runs_.all()[r];
          tally.add(out.number.data()[r], geometry.first_pixel(x, run.y0),
                    geometry.pixels(x, run.y0, run.y1));
        }
      }
    });
  }

 private:
  template <class Work>
  bool each_layer(const JobContext& context, std::string_view stage, const Work& work) const {
    return parallel_items(static_cast<std::int64_t>(layers_.size()), threads_, context, stage,
                          [&](std::int64_t i, int) { work(layers_[static_cast<std::size_t>(i)]); });
  }

  void unite_outside(const CellLayer& layer) {
    const LayerGeometry geometry(cells_, layer);
    for (std::int64_t x = 0; x < geometry.grid.x; ++x) {
      const ParticleRange row = runs_.row(cells_, {layer.level, layer.z, x});
      for (std::uint64_t r = row.begin; r < row.end; ++r) {
        const ParticleRun& run = runs_.all()[r];
        if (geometry.on_border(x, run.y0, run.y1)) {
          sets_.unite(static_cast<std::uint32_t>(r) + 1, kOutsidePiece);
        }
      }
    }
  }

  const AprAccess& access_;
  const LinearAccess& cells_;
  const ParticleRuns& runs_;
  bool outside_;
  std::vector<CellLayer> layers_;
  int threads_;
  RunSets sets_;
  std::uint32_t pieces_ = 0;
};

// Numbers pieces in the order of their first pixels.
void put_in_order(ParticlePieces& pieces, const std::vector<std::uint64_t>& first,
                  std::uint32_t runs) {
  std::vector<std::uint32_t> order(pieces.pixels.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; };
  if (std::is_sorted(order.begin() + 1, order.end(), before)) return;
  std::sort(order.begin() + 1, order.end(), before);
  std::vector<std::uint32_t> number(order.size());
  std::vector<std::uint64_t> pixels(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<std::uint32_t>(i);
    pixels[i] = pieces.pixels[order[i]];
  }
  pieces.pixels = std::move(pixels);
  std::uint32_t* const of_run = pieces.number.data();
  parallel_for(runs, threads_for(runs), [&](std::int64_t r) { of_run[r] = number[of_run[r]]; });
}

}  // namespace

Result<ParticlePieces> find_pieces(const AprAccess& access, const ParticleRuns& runs,
                                   Connectivity connectivity, bool outside,
                                   const JobContext& context) {
  ParticlePieces out;
  std::vector<std::uint64_t> first;
  {
    PieceFinder finder(access, runs, outside);
    if (!finder.unite(connectivity, context.part(0.0, 0.7))) return cancelled_error();
    finder.number(out);
    if (!finder.measure(out, first, context.part(0.7, 1.0))) return cancelled_error();
  }
  put_in_order(out, first, runs.count());
  return out;
}

}  // namespace aprscope

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/apr/convert/cell_slabs.hpp"
#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/raw_slices.hpp"
#include "core/apr/convert/sampler.hpp"
#include "core/apr/structure/apr_sink.hpp"
#include "core/apr/structure/part.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/apr/structure/tree_rows.hpp"
#include "core/base/job_context.hpp"
#include "core/image/parallel_rows.hpp"

// Private to core/apr/convert.

namespace aprscope::detail {

/// The values of an image's particles, and their means on the tree, slab by slab. Throws
/// std::bad_alloc.
template <class T>
class SlabValues {
 public:
  /// No means on the tree are made if `tree` is null.
  SlabValues(const CellSlabs& particles, const CellSlabs* tree, SamplingRounding rounding,
             AprSink& sink)
      : particles_(particles),
        tree_(tree),
        sink_(sink),
        threads_(threads_for(particles.size().count())),
        sampler_(particles.size(), particles.level_max(),
                 std::is_integral_v<T> && rounding == SamplingRounding::truncate_each_level,
                 threads_),
        coarsest_(sampler_.coarsest()),
        coarse_(particles.before(coarsest_, particles.grid(coarsest_).z)) {}

  /// Reads all slices and puts all values. Errors: those of the slices and of the sink, cancelled.
  Status run(RawSlices& slices, const JobContext& context) {
    const std::int64_t nz = particles_.size().z;
    const auto all = static_cast<double>(nz);
    std::vector<const void*> raw;
    for (std::int64_t z = 0; z < nz; z += kSampledSide) {
      const std::int64_t end = std::min(z + kSampledSide, nz);
      const JobContext part =
          context.part(static_cast<double>(z) / all, static_cast<double>(end) / all);
      if (Status got = slices.get(z, end, raw, part); !got) return got;
      if (Status done = slab(z, end, raw, part); !done) return done;
    }
    return coarse(JobContext(context.stop_token()));
  }

 private:
  Status slab(std::int64_t begin, std::int64_t end, const std::vector<const void*>& raw,
              const JobContext& context) {
    const JobContext quiet(context.stop_token());
    const int level_max = particles_.level_max();
    const auto cells = particles_.list(coarsest_, level_max, begin, end, quiet);
    if (!cells) return cancelled_error();
    values_.resize(cells->count());
    if (!sampler_.slab(*cells, values_.data(), begin, raw, threads_, context, [] {})) {
      return cancelled_error();
    }
    for (int l = coarsest_; l <= level_max; ++l) {
      const ParticleRange here = cells->cells(l);
      const T* const first = values_.data() + here.begin;
      const std::uint64_t to = particles_.before(l, cells->begin(l));
      // The coarsest level of slabs is needed later, to compute the still coarser levels.
      if (l == coarsest_) {
        std::copy(first, first + here.count(), coarse_.begin() + static_cast<std::ptrdiff_t>(to));
      } else if (Status put = sink_.values(to, first, here.count()); !put) {
        return put;
      }
    }
    return tree_ == nullptr ? Status() : means(*cells, begin, end, quiet);
  }

  // Means of the interior cells of a slab, from the finest level to the coarsest of the slab.
  Status means(const CellSlab& cells, std::int64_t begin, std::int64_t end,
               const JobContext& context) {
    const int level_max = particles_.level_max();
    if (coarsest_ == level_max) return {};
    const auto interior = tree_->list(coarsest_, level_max - 1, begin, end, context);
    if (!interior) return cancelled_error();
    means_.resize(interior->count());
    for (int l = level_max - 1; l >= coarsest_; --l) {
      const TreeLevel<T, CellSlab> in{cells, *interior, values_.data(), means_.data(), l};
      const std::int64_t first = interior->begin(l);
      std::vector<FloatRows<T>> floats(static_cast<std::size_t>(threads_),
                                       FloatRows<T>(cells.grid(l + 1).y));
      const Size3 rows{interior->end(l) - first, interior->grid(l).x, 1};
      const bool done = parallel_rows(
          rows, threads_, context, {}, [&](std::int64_t i, std::int64_t x, int thread) {
            const ParticleRange row = interior->row(l, first + i, x);
            if (row.empty()) return;
            reduce_row<JoinedSum, true>(in, first + i, x, row,
                                        floats[static_cast<std::size_t>(thread)]);
          });
      if (!done) return cancelled_error();
      const ParticleRange here = interior->cells(l);
      const std::span<const float> made(means_.data() + here.begin, here.count());
      if (l == coarsest_) {
        coarse_means_.insert(coarse_means_.end(), made.begin(), made.end());
      } else if (Status put = sink_.means(tree_->before(l, first), made); !put) {
        return put;
      }
    }
    return {};
  }

  // The levels up to the coarsest of slabs, which fit in memory whole.
  Status coarse(const JobContext& context) {
    const auto cells = particles_.whole(1, coarsest_, context);
    if (!cells) return cancelled_error();
    if (!sampler_.finish(*cells, 1, coarse_.data(), context)) return cancelled_error();
    if (Status put = sink_.values(0, coarse_.data(), coarse_.size()); !put) return put;
    if (tree_ == nullptr) return {};
    const auto interior = tree_->whole(coarsest_, coarsest_, context);
    if (!interior) return cancelled_error();
    const std::vector<float> values(coarse_.begin(), coarse_.end());
    const auto part = coarse_part_of(*cells, values, *interior, coarse_means_, coarsest_);
    if (!part) return part.error();
    const auto tree = fill_tree(*part->access, part->values, Reduction::mean, context);
    if (!tree) return tree.error();
    if (Status put = sink_.means(0, *tree); !put) return put;
    return sink_.means(tree->size(), coarse_means_);
  }

  const CellSlabs& particles_;
  const CellSlabs* tree_;
  AprSink& sink_;
  int threads_;
  Sampler<T> sampler_;
  int coarsest_;
  // Values of the particles of the levels up to the coarsest of slabs.
  std::vector<T> coarse_;
  std::vector<float> coarse_means_;
  // Values and means of the current slab.
  std::vector<T> values_;
  std::vector<float> means_;
};

}  // namespace aprscope::detail

#include "core/operations/filter/file_filter.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "core/apr/structure/tree.hpp"
#include "core/image/volume.hpp"
#include "core/io/apr/apr_rewrite.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/filter/filter_reach.hpp"
#include "core/operations/filter/part_filter.hpp"
#include "core/operations/filter/slab_plan.hpp"

namespace aprscope {
namespace {

// Interior cells of one level as they are met, slab by slab.
struct InteriorCells {
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> xz_end{0};
  // Means of the source, and of the result where they are wanted.
  std::vector<float> before, after;
};

// The slices that are kept of a slab, in cells of a level of the slab.
struct KeptPlanes {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  static KeptPlanes of(const Region& kept, int shift) {
    return {kept.begin.z >> shift, ((kept.end.z - 1) >> shift) + 1};
  }
};

class FileFilter {
 public:
  FileFilter(const Operation& operation, const AprFileSlabs& file, const PartFilter& filter,
             const SlabPlan& slabs, bool with_tree, AprValueSink& sink)
      : operation_(operation),
        file_(file),
        filter_(filter),
        slabs_(slabs),
        with_tree_(with_tree),
        sink_(sink),
        coarse_out_(file.coarse_values().size()) {}

  Status run(const JobContext& context) {
    if (Status fine = check_source(file_.coarse_values(), 0, file_.size().z); !fine) return fine;
    const double nz = static_cast<double>(file_.size().z);
    for (std::size_t i = 1; i < slabs_.cuts.size(); ++i) {
      if (context.stop_requested()) return cancelled_error();
      const auto share = [&](std::int64_t z) { return 0.97 * static_cast<double>(z) / nz; };
      const JobContext part = context.part(share(slabs_.cuts[i - 1]), share(slabs_.cuts[i]));
      part.report(0.0, "filtering");
      if (Status done = slab(slabs_.cuts[i - 1], slabs_.cuts[i], part); !done) return done;
    }
    return coarse(context.part(0.97, 1.0));
  }

 private:
  Status check_source(std::span<const float> values, std::int64_t begin, std::int64_t end) const {
    const auto bad =
        std::count_if(values.begin(), values.end(), [](float value) { return !is_usable(value); });
    if (bad == 0) return {};
    return Error{"holds values that are not finite (NaN or infinity) or beyond ±1e18, " +
                     std::to_string(bad) + " of them in slices " + std::to_string(begin) + " to " +
                     std::to_string(end - 1),
                 file_.facts().name, "replace them, or scale the image, first"};
  }

  Status check_result(std::span<const float> values) const {
    const auto bad = std::count_if(values.begin(), values.end(),
                                   [](float value) { return !std::isfinite(value); });
    if (bad == 0) return {};
    return Error{operation_.id + " makes values that are too large for 32 bit floats",
                 file_.facts().name, "scale the image or the weights down"};
  }

  Status slab(std::int64_t begin, std::int64_t end, const JobContext& context) {
    const std::int64_t from = std::max<std::int64_t>(begin - slabs_.around, 0);
    const std::int64_t to = std::min(file_.size().z, end + slabs_.around);
    const JobContext quiet(context.stop_token());
    const auto part = file_.slab(from, to, begin, end, quiet);
    if (!part) return part.error();
    if (Status fine = check_source(part->values, from, to); !fine) return fine;
    context.report(0.3, "filtering");
    const AprAccess& access = *part->access;
    const Size3& size = access.size();
    const Region kept{{begin - from, 0, 0}, {end - from, size.x, size.y}};
    auto tree = fill_tree(access, part->values, Reduction::mean, quiet);
    if (!tree) return tree.error();
    std::vector<float> out(part->values.size());
    if (Status done = filter_.run({&access, part->values, *tree}, part->level_shift, kept, out,
                                  context.part(0.35, 0.8));
        !done) {
      return done;
    }
    context.report(0.8, "writing");
    if (Status done = put(*part, out); !done) return done;
    return keep_interior(*part, kept, begin, *tree, out, quiet);
  }

  // Results go to the file; those of the coarse levels when all of them are known.
  Status put(const AprPart& part, std::span<const float> out) {
    for (const AprPart::Run& run : part.kept) {
      const auto values = out.subspan(run.from, run.count);
      if (Status fine = check_result(values); !fine) return fine;
      // A run may go on from the coarsest level to the next.
      const std::uint64_t at = std::min<std::uint64_t>(run.to, coarse_out_.size());
      const std::uint64_t coarse = std::min<std::uint64_t>(coarse_out_.size() - at, run.count);
      std::ranges::copy(values.first(coarse),
                        coarse_out_.begin() + static_cast<std::ptrdiff_t>(at));
      if (coarse == run.count) continue;
      if (Status done = sink_.put(run.to + coarse, values.subspan(coarse)); !done) return done;
    }
    return {};
  }

  // The interior cells of the coarsest level become particles of the coarse part; with them come
  // the means of the result.
  Status keep_interior(const AprPart& part, const Region& kept, std::int64_t first_slice,
                       std::span<float> tree, std::span<const float> out,
                       const JobContext& context) {
    const LinearAccess& cells = part.access->tree();
    const int level_max = part.access->level_max();
    const int coarsest = slabs_.coarsest - part.level_shift;
    const KeptPlanes planes = KeptPlanes::of(kept, level_max - coarsest);
    if (coarsest < level_max) {
      for (std::int64_t z = planes.begin; z < planes.end; ++z) {
        for (std::int64_t x = 0; x < cells.grid(coarsest).x; ++x) {
          const ParticleRange row = cells.row(coarsest, z, x);
          const auto y = cells.y().subspan(row.begin, row.count());
          const auto means = tree.subspan(row.begin, row.count());
          interior_.y.insert(interior_.y.end(), y.begin(), y.end());
          interior_.before.insert(interior_.before.end(), means.begin(), means.end());
          interior_.xz_end.push_back(interior_.y.size());
        }
      }
    }
    if (!with_tree_) return {};
    // Cells outside what is kept get means of nothing, and are not looked at.
    if (Status filled = fill_tree(*part.access, out, Reduction::mean, tree, context); !filled) {
      return filled;
    }
    for (int l = coarsest; l < level_max; ++l) {
      const int level = l + part.level_shift;
      const int shift = level_max - l;
      const KeptPlanes here = KeptPlanes::of(kept, shift);
      const auto at = [&](std::int64_t z) {
        return z < cells.grid(l).z ? cells.row(l, z, 0).begin : cells.level(l).end;
      };
      const auto means = tree.subspan(at(here.begin), at(here.end) - at(here.begin));
      const std::int64_t z0 = first_slice >> shift;
      const std::uint64_t first = file_.first_of_tree(level, z0);
      if (file_.first_of_tree(level, z0 + here.end - here.begin) - first != means.size()) {
        return Error{"its tree does not belong to its particles", file_.facts().name,
                     "leave the tree out, or write the file again with --tree"};
      }
      if (l == coarsest) {
        interior_.after.insert(interior_.after.end(), means.begin(), means.end());
      } else if (Status done = sink_.put_tree(first, means); !done) {
        return done;
      }
    }
    return {};
  }

  Status coarse(const JobContext& context) {
    const int coarsest = slabs_.coarsest;
    if (interior_.xz_end.size() > 1) {
      auto interior = LinearAccess::create(file_.size(), file_.level_max(), coarsest, coarsest,
                                           std::move(interior_.y), std::move(interior_.xz_end));
      if (!interior) return interior.error();
      const LinearAccess& cells = file_.coarse_cells();
      const auto part =
          coarse_part_of(cells, file_.coarse_values(), *interior, interior_.before, coarsest);
      if (!part) return part.error();
      if (Status done = filter_coarse(*part, context); !done) return done;
      if (with_tree_) {
        if (Status done = put_coarse_tree(*interior, context); !done) return done;
      }
    }
    return coarse_out_.empty() ? Status() : sink_.put(0, coarse_out_);
  }

  Status filter_coarse(const AprPart& part, const JobContext& context) {
    if (part.kept.empty()) return {};
    const AprAccess& access = *part.access;
    auto tree = fill_tree(access, part.values, Reduction::mean, context);
    if (!tree) return tree.error();
    std::vector<float> out(part.values.size());
    if (Status done = filter_.run({&access, part.values, *tree}, part.level_shift,
                                  whole(access.size()), out, context);
        !done) {
      return done;
    }
    return put(part, out);
  }

  Status put_coarse_tree(const LinearAccess& interior, const JobContext& context) {
    const int coarsest = slabs_.coarsest;
    const auto result =
        coarse_part_of(file_.coarse_cells(), coarse_out_, interior, interior_.after, coarsest);
    if (!result) return result.error();
    auto tree = fill_tree(*result->access, result->values, Reduction::mean, context);
    if (!tree) return tree.error();
    if (tree->size() != file_.first_of_tree(coarsest, 0)) {
      return Error{"its tree does not belong to its particles", file_.facts().name,
                   "leave the tree out, or write the file again with --tree"};
    }
    if (Status done = sink_.put_tree(0, *tree); !done) return done;
    return sink_.put_tree(tree->size(), interior_.after);
  }

  const Operation& operation_;
  const AprFileSlabs& file_;
  const PartFilter& filter_;
  const SlabPlan& slabs_;
  bool with_tree_;
  AprValueSink& sink_;
  // Results of the levels to the coarsest.
  std::vector<float> coarse_out_;
  InteriorCells interior_;
};

}  // namespace

Result<FileFilterReport> filter_apr_file(const Operation& complete, AprFileSlabs& file,
                                         const FileFilterOptions& options,
                                         const std::filesystem::path& output,
                                         const JobContext& context) {
  try {
    const auto plan = plan_filter(complete, file.facts().voxel, file.size());
    if (!plan) return plan.error();
    const int level_max = file.level_max();
    const auto filter = PartFilter::create(*plan, level_max);
    if (!filter) return filter.error();
    const auto slabs = plan_slabs(
        file, [&](int coarsest) { return slices_reached(*plan, level_max, coarsest); },
        options.memory);
    if (!slabs) return slabs.error();
    context.report(0.0, "reading");
    if (Status read = file.read_coarse(slabs->coarsest, context.part(0.0, 0.02)); !read) {
      return read.error();
    }
    const bool with_tree = options.with_tree && file.has_tree();
    const auto fill = [&](AprValueSink& sink, const JobContext& share) {
      return FileFilter(complete, file, *filter, *slabs, with_tree, sink).run(share);
    };
    if (Status written = rewrite_apr(file, {made_by_cpu(complete), with_tree}, output, fill,
                                     context.part(0.02, 1.0));
        !written) {
      return written.error();
    }
    return FileFilterReport{static_cast<std::int64_t>(slabs->cuts.size()) - 1, slabs->around};
  } catch (const std::exception&) {
    return Error{"there is too little memory to filter a part of it", file.facts().name,
                 "allow more memory, or close other data"};
  }
}

std::uint64_t bytes_to_filter(const AprFileSlabs& file) {
  const std::uint64_t rows = row_entries(file.size(), file.level_max(), 1, file.level_max());
  // y and value as they are read, f32 values, result, tree and its share of lists and means.
  return file.count() * 20 + rows * 12 + static_cast<std::uint64_t>(file.size().count()) / 50;
}

}  // namespace aprscope

#include "core/operations/deconvolve/file_deconvolution.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/disk_floats.hpp"
#include "core/deconvolution/iterate/camera_offset.hpp"
#include "core/io/apr/apr_rewrite.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/deconvolve/held_out_search.hpp"
#include "core/operations/deconvolve/slab_sweeps.hpp"
#include "core/operations/engine/file_pixel.hpp"
#include "core/operations/filter/file_filter.hpp"

namespace aprscope {
namespace {

// Shares of the progress: until the values are read, and until the result is known.
constexpr double kReadShare = 0.03;
constexpr double kIterationsShare = 0.95;

// Values that are read or written at once.
constexpr std::uint64_t kValuesAtOnce = 4'000'000;
// Cells and rows that are looked at together.
constexpr std::uint64_t kCellsAtOnce = 4'000'000;
constexpr std::int64_t kRowsAtOnce = 1'000'000;

// Calls item(begin, count) for stretches of all values.
template <class Item>
Status for_stretches(std::uint64_t count, const JobContext& context, const char* stage,
                     const Item& item) {
  for (std::uint64_t begin = 0; begin < count; begin += kValuesAtOnce) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(begin) / static_cast<double>(count), stage);
    if (Status done = item(begin, std::min(kValuesAtOnce, count - begin)); !done) return done;
  }
  return {};
}

Result<std::span<float>> read_field(const AprFileSlabs& file, DiskFloats& disk,
                                    const JobContext& context) {
  auto list = disk.take(file.count());
  if (!list) return list.error();
  const JobContext quiet(context.stop_token());
  NonFinite bad;
  std::uint64_t first = 0;
  Status read = for_stretches(file.count(), context, "reading",
                              [&](std::uint64_t begin, std::uint64_t count) -> Status {
                                const std::span<float> values = list->subspan(begin, count);
                                if (Status done = file.read_field(begin, values, quiet); !done)
                                  return done;
                                for (std::size_t i = 0; i < values.size(); ++i) {
                                  if (!is_usable(values[i]) && bad.count++ == 0) first = begin + i;
                                }
                                disk.leave();
                                return {};
                              });
  if (!read) return read.error();
  if (bad.count == 0) return *list;
  const auto at = first_pixel(file, first, quiet);
  if (!at) return at.error();
  bad.first = *at;
  return Error{non_finite_text(bad), file.facts().name, "replace them, or scale the image, first"};
}

// cell_volumes() of a file, which is read where cells reach over the end of the image.
Result<std::vector<WeightRun>> volumes_of(const AprFileSlabs& file, const JobContext& context) {
  CellVolumes volumes(file.size(), file.level_max());
  for (int l = 1; l <= file.level_max(); ++l) {
    const Size3 grid = level_grid(file.size(), file.level_max(), l);
    const auto before = [&](std::int64_t z) { return file.first_in_plane(l, z); };
    if (volumes.all_inside(l)) {
      volumes.add_level(l, before(grid.z) - before(0));
      continue;
    }
    for (std::int64_t z = 0, to = 0; z < grid.z; z = to) {
      to = z + 1;
      while (to < grid.z && before(to + 1) - before(z) <= kCellsAtOnce &&
             (to + 1 - z) * grid.x <= kRowsAtOnce) {
        ++to;
      }
      const auto rows = file.rows(l, z, to, context, false);
      if (!rows) return rows.error();
      const std::uint64_t first = rows->ends.front();
      for (std::int64_t r = 0; r < (to - z) * grid.x; ++r) {
        const auto at = static_cast<std::size_t>(r);
        const std::uint64_t begin = rows->ends[at] - first;
        volumes.add_row(l, z + r / grid.x, r % grid.x,
                        std::span(rows->y).subspan(begin, rows->ends[at + 1] - first - begin));
      }
    }
  }
  return volumes.take();
}

Error refused(const std::string& name, const std::string& what, const std::string& advice) {
  return {what + " needs all of its particles in memory, of which there is too little", name,
          advice};
}

Status check_in_slabs(const DeconvolutionPlan& plan, const std::string& name) {
  if (plan.back_projector) {
    return refused(name, "another back projector than the flipped PSF", "choose the flipped PSF");
  }
  if (has_far_part(plan)) {
    return refused(name, "the far part of a large PSF",
                   "cut the PSF (--truncate) and take the scheme truncated, or crop the image");
  }
  if (plan.hold_out || plan.resolution) {
    return refused(name, "a division of its photons",
                   "end by the change (stop_change), and measure the resolution of a part");
  }
  if (plan.options.start == DeconvolutionStart::given) {
    return refused(name, "an estimate to start from", "start from the image");
  }
  if (plan.background_file) {
    return refused(name, "an image of the background", "give the background as a number");
  }
  return {};
}

// Deconvolves one file; the steps in the order of their calls.
class FileRun {
 public:
  FileRun(const Operation& complete, AprFileSlabs& file, const FileRunOptions& options)
      : operation_(complete), file_(file), options_(options) {}

  Status prepare(const JobContext& context) {
    if (Status ok = make_plan(); !ok) return ok;
    if (Status ok = check_in_slabs(plan_, file_.facts().name); !ok) return ok;
    const auto planned = [&](std::uint64_t memory) {
      return plan_slabs(
          file_,
          [&](int coarsest) {
            return slices_reached(plan_.psf, plan_.boundary, file_.level_max(), coarsest);
          },
          memory, 1, kBytesOfLists);
    };
    auto volumes = volumes_of(file_, JobContext(context.stop_token()));
    if (!volumes) return volumes.error();
    volumes_ = *std::move(volumes);
    const std::uint64_t memory =
        options_.memory - std::min(options_.memory, volumes_.capacity() * sizeof(WeightRun));
    // Half of the memory for a slab leaves the other for structures, which take most of the time.
    auto slabs = planned(memory / 2);
    if (!slabs) slabs = planned(memory);
    if (!slabs) return slabs.error();
    slabs_ = *std::move(slabs);
    room_.emplace(memory - std::min(memory, slabs_.bytes));
    if (Status read = file_.read_coarse(slabs_.coarsest, JobContext(context.stop_token())); !read) {
      return read;
    }
    auto values = read_field(file_, *disk_, context);
    if (!values) return values.error();
    observed_ = *values;
    if (!parameter<bool>(operation_, "offset_auto")) return {};
    operation_ = with_offset(std::move(operation_), guess_offset(observed_, volumes_));
    disk_->leave();
    return make_plan();
  }

  Status iterate(const JobContext& context) {
    plan_.options.disk = disk_;
    // Between the iterations, of which each reports its end, the sweeps tell how far one is.
    const bool regularised = plan_.options.regularisation != Regularisation::none;
    const double of_iteration = regularised ? 3.0 : 2.0;
    const int all = plan_.options.iterations;
    double finished = 0.0;
    double sweeps_done = 0.0;
    const JobContext iterations(context.stop_token(), [&](double fraction, std::string_view stage) {
      finished = std::round(fraction * all);
      sweeps_done = 0.0;
      context.report(fraction, stage);
    });
    SlabSweeps sweeps(file_, slabs_, *room_, *disk_, [&](double part) {
      // What is swept before the first iteration counts as a part of it.
      const double within = std::min(0.99, (sweeps_done + part) / of_iteration);
      context.report((finished + within) / all, "iteration " +
                                                    std::to_string(static_cast<int>(finished) + 1) +
                                                    " of " + std::to_string(all));
      if (part >= 1.0) ++sweeps_done;
    });
    auto model = make_slab_blur(sweeps, plan_.psf, plan_.boundary, std::move(volumes_));
    if (!model) return model.error();
    const auto regulariser = make_slab_regulariser(sweeps, plan_.options.regularisation);
    RichardsonLucyHooks hooks;
    hooks.keep = options_.hooks.keep;
    const SearchPhase phase{0, plan_.options.iterations, false, false};
    if (options_.hooks.observer) {
      hooks.observer = [&](const RichardsonLucyReport& done, std::span<const float>) {
        options_.hooks.observer(told(done, phase), {});
      };
    }
    auto made = richardson_lucy(**model, observed_, plan_.options, regulariser.get(), {}, hooks,
                                iterations);
    if (!made) return made.error();
    outcome_ = DeconvolutionOutcome{*std::move(made), (*model)->description()};
    return {};
  }

  Status write(const std::filesystem::path& output, const JobContext& context) {
    const bool with_tree = options_.with_tree && file_.tree_count() != 0;
    const AprRewriteOptions rewrite{describe(operation_, plan_, outcome_, "cpu"), with_tree,
                                    options_.for_looking};
    const std::span<const float> result = outcome_.result.on_disk;
    const auto fill = [&](AprValueSink& sink, const JobContext& share) -> Status {
      if (with_tree)
        return SlabSweeps(file_, slabs_, *room_, *disk_).put(result, true, sink, share);
      return for_stretches(file_.count(), share, "writing",
                           [&](std::uint64_t begin, std::uint64_t count) -> Status {
                             Status put = sink.put(begin, result.subspan(begin, count));
                             disk_->leave();
                             return put;
                           });
    };
    return rewrite_apr(file_, rewrite, output, fill, context);
  }

  [[nodiscard]] FileRunReport report() const {
    return {operation_, outcome_.result.partial, static_cast<std::int64_t>(slabs_.cuts.size()) - 1,
            slabs_.around};
  }

 private:
  Status make_plan() {
    auto plan = plan_deconvolution(operation_, file_.facts().voxel, file_.size());
    if (!plan) return plan.error();
    plan_ = *std::move(plan);
    return {};
  }

  Operation operation_;
  AprFileSlabs& file_;
  const FileRunOptions& options_;
  std::shared_ptr<DiskFloats> disk_ = std::make_shared<DiskFloats>();
  DeconvolutionPlan plan_;
  SlabPlan slabs_;
  std::optional<SlabRoom> room_;
  std::span<const float> observed_;
  std::vector<WeightRun> volumes_;
  DeconvolutionOutcome outcome_;
};

}  // namespace

Status deconvolves_in_slabs(const Operation& complete, const AprFileSlabs& file) {
  const auto plan = plan_deconvolution(complete, file.facts().voxel, file.size());
  if (!plan) return plan.error();
  return check_in_slabs(*plan, file.facts().name);
}

Result<FileRunReport> deconvolve_apr_file(const Operation& complete, AprFileSlabs& file,
                                          const FileRunOptions& options,
                                          const std::filesystem::path& output,
                                          const JobContext& context) {
  try {
    FileRun run(complete, file, options);
    Status done = run.prepare(context.part(0.0, kReadShare));
    if (done) done = run.iterate(context.part(kReadShare, kIterationsShare));
    if (done) done = run.write(output, context.part(kIterationsShare, 1.0));
    if (!done) return done.error();
    return run.report();
  } catch (const std::exception&) {
    return Error{"there is too little memory to deconvolve a part of it", file.facts().name,
                 "allow more memory, or close other data"};
  }
}

Result<std::uint64_t> bytes_to_deconvolve(const Operation& complete, const AprFileSlabs& file) {
  const auto plan = plan_deconvolution(complete, file.facts().voxel, file.size());
  if (!plan) return plan.error();
  // Lists beside those of a filter: the estimate, its blur, and what the options ask for.
  const RichardsonLucyOptions& o = plan->options;
  const std::uint64_t lists = 2 + (o.regularisation != Regularisation::none ? 1U : 0U) +
                              (o.accelerate ? 2U : 0U) +
                              (plan->boundary == Boundary::zero ? 1U : 0U);
  return bytes_to_filter(file) + lists * file.count() * sizeof(float);
}

}  // namespace aprscope

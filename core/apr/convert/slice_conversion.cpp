#include "core/apr/convert/slice_conversion.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/apr/convert/cell_lists.hpp"
#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/conversion_result.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/half_planes.hpp"
#include "core/apr/convert/kept_slices.hpp"
#include "core/apr/convert/raw_slices.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/slab_values.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/base/nameless_file.hpp"

namespace aprscope {
namespace {

// The local levels of an image whose slices come one after the other, in as many passes as the
// thresholds take: statistics first, then the samples, then the levels. Gradient and scale of the
// first pass wait on the disk where there is room, else the image is read and smoothed again.
class LevelPasses {
 public:
  LevelPasses(SliceSource& source, const ConversionParameters& parameters)
      : slices_(source),
        used_(parameters),
        half_(half_size(source.size())),
        slots_(half_slots(source.size(), parameters)),
        plane_(half_.x * half_.y),
        gradient_(slots_ * plane_),
        scale_(slots_ * plane_) {}

  Status run(LevelMap& levels, const JobContext& context) {
    // With fewer voxels than twice the limit every voxel counts, up to the limit.
    const bool at_once = half_.count() < 2 * kThresholdSamples;
    ThresholdSamples samples(used_.auto_thresholds && at_once ? half_.count() : 0);
    std::int64_t found = 0;
    keep_planes();
    const double first_share = kept_ ? 0.9 : 0.4;
    auto summary =
        pass(context.part(0.0, first_share), [&](const MaskedVoxels& voxels, std::int64_t) {
          if (used_.auto_thresholds && at_once) samples.add(voxels);
          if (!at_once) found += count_voxels(voxels);
          keep(voxels);
        });
    if (!summary) return summary.error();
    if (used_.auto_thresholds) {
      if (!at_once) {
        samples = ThresholdSamples(found);
        Status added =
            again(context.part(first_share, kept_ ? 0.95 : 0.6),
                  [&](const MaskedVoxels& voxels, std::int64_t) { samples.add(voxels); });
        if (!added) return added;
      }
      if (summary->constant_scale) samples.set_scale(*summary->constant_scale);
      const Thresholds thresholds = samples.thresholds(summary->noise);
      used_.sigma_th = thresholds.sigma_th;
      used_.grad_th = thresholds.grad_th;
      samples = ThresholdSamples(0);
    }
    const int level_max = finest_level(slices_.size());
    if (level_max == 1) return {};
    levels = LevelMap(slices_.size(), level_max);
    const LevelRule rule(used_, level_max);
    const HalfSummary known = *summary;
    std::vector<float> constant;
    if (known.constant_scale) {
      constant.assign(static_cast<std::size_t>(plane_), *known.constant_scale);
    }
    return again(context.part(kept_ ? 0.95 : 0.6, 1.0),
                 [&](const MaskedVoxels& voxels, std::int64_t h) {
                   add_levels({voxels.gradient, constant.empty() ? voxels.scale : constant.data(),
                               voxels.count, known.noise},
                              rule, h, h + 1, levels, {});
                 });
  }

  [[nodiscard]] RawSlices& slices() { return slices_; }
  [[nodiscard]] const ConversionParameters& used() const { return used_; }

 private:
  // Calls visit(voxels, h) for each plane of the half grid, in order.
  template <class Visit>
  Result<HalfSummary> pass(const JobContext& context, const Visit& visit) {
    const HalfPlanes planes{{gradient_.data(), half_.x, half_.y, slots_},
                            {scale_.data(), half_.x, half_.y, slots_},
                            {nullptr, half_.x, half_.y, slots_}};
    return make_half_planes(
        slices_, used_, planes, used_.intensity_th,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t h = begin; h < end; ++h) {
            visit({planes.gradient.row(h, 0), planes.scale.row(h, 0), plane_, 0.0F}, h);
          }
          return Status();
        },
        context);
  }

  // Keeps the planes of the first pass on disk, if it has room: half of the bytes of a u16 image.
  void keep_planes() {
    const auto folder = folder_for_scratch();
    if (!has_ample_room(folder, static_cast<std::uint64_t>(half_.z) * 2 * plane_bytes())) return;
    auto file = NamelessFile::create(folder, "set TMPDIR to a folder on a disk with more room");
    if (file) kept_ = std::move(*file);
  }

  void keep(const MaskedVoxels& voxels) {
    if (!kept_) return;
    const auto bytes = [&](const float* plane) {
      return std::span(reinterpret_cast<const std::uint8_t*>(plane), plane_bytes());
    };
    // If the disk is full nevertheless, later passes make the planes again.
    if (!kept_->append(bytes(voxels.gradient)) || !kept_->append(bytes(voxels.scale))) {
      kept_.reset();
    }
  }

  // Visits the planes of the first pass once more.
  template <class Visit>
  Status again(const JobContext& context, const Visit& visit) {
    if (!kept_) {
      const auto made = pass(context, visit);
      return made ? Status() : Status(made.error());
    }
    const auto bytes = [&](float* plane) {
      return std::span(reinterpret_cast<std::uint8_t*>(plane), plane_bytes());
    };
    for (std::int64_t h = 0; h < half_.z; ++h) {
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(h) / static_cast<double>(half_.z), "levels");
      const std::uint64_t at = static_cast<std::uint64_t>(h) * 2 * plane_bytes();
      if (Status read = kept_->read(at, bytes(gradient_.data())); !read) return read;
      if (Status read = kept_->read(at + plane_bytes(), bytes(scale_.data())); !read) return read;
      visit(MaskedVoxels{gradient_.data(), scale_.data(), plane_, 0.0F}, h);
    }
    return {};
  }

  [[nodiscard]] std::size_t plane_bytes() const {
    return static_cast<std::size_t>(plane_) * sizeof(float);
  }

  RawSlices slices_;
  ConversionParameters used_;
  Size3 half_;
  std::int64_t slots_;
  std::int64_t plane_;
  Scratch<float> gradient_, scale_;
  std::optional<NamelessFile> kept_;
};

Result<Apr> convert_in_passes(SliceSource& source, const ConversionParameters& parameters,
                              const JobContext& context) {
  KeptSlices kept(source);
  std::shared_ptr<const AprAccess> access;
  auto passes = std::make_unique<LevelPasses>(kept, parameters);
  {
    LevelMap levels;
    if (Status made = passes->run(levels, context.part(0.0, 0.75)); !made) return made.error();
    auto built =
        access_of(std::move(levels), source.size(), passes->used(), context.part(0.75, 0.85));
    if (!built) return built.error();
    access = *built;
  }
  const ConversionParameters used = passes->used();
  passes.reset();
  RawSlices slices(kept);
  auto values = sample_slices(slices, *access, parameters.rounding, context.part(0.85, 1.0));
  if (!values) return values.error();
  context.report(1.0, "converted");
  return converted_apr(std::move(access), std::move(*values), source.header(), used);
}

Error no_memory() {
  return {"not enough memory to convert slice by slice", "conversion", "close other data"};
}

// Cells that are listed at once.
constexpr std::uint64_t kListedCells = 4'000'000;

// Gives all cells of a part of an APR to the sink, some slices at a time.
Status put_cells(const CellSlabs& cells, AprSink::Part part, AprSink& sink,
                 const JobContext& context) {
  std::vector<std::uint64_t> ends;
  for (int l = cells.level_first(); l <= cells.level_last(); ++l) {
    const int shift = cells.level_max() - l;
    const std::int64_t nz = cells.grid(l).z;
    for (std::int64_t z = 0; z < nz;) {
      // At least two slices: cells of the finest level come in pairs of slices.
      std::int64_t to = std::min(z + 2, nz);
      while (to < nz && cells.before(l, to) - cells.before(l, z) < kListedCells) {
        to = std::min(to + 2, nz);
      }
      const std::int64_t end = to == nz ? cells.size().z : to << shift;
      const auto slab = cells.list(l, l, z << shift, end, context);
      if (!slab) return cancelled_error();
      const std::uint64_t first = cells.before(l, z);
      ends.clear();
      for (const std::uint64_t e : slab->ends(l)) ends.push_back(first + e);
      if (Status put = sink.cells(part, slab->y(), ends); !put) return put;
      context.report(static_cast<double>(first) / static_cast<double>(cells.count()), "writing");
      z = to;
    }
  }
  return {};
}

constexpr int kF32 = 8;

}  // namespace

Result<Apr> convert_slices(SliceSource& source, const ConversionParameters& parameters,
                           const JobContext& context) {
  if (Status fine = check_conversion(source.size(), parameters); !fine) return fine.error();
  try {
    return convert_in_passes(source, parameters, context);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

SliceConversion::SliceConversion(SliceSource& source, ChosenCells found, Apr facts,
                                 CellSlabs particles, CellSlabs tree)
    : source_(&source),
      chosen_(std::move(found)),
      facts_(std::move(facts)),
      particles_(std::move(particles)),
      tree_(std::move(tree)) {}

Result<SliceConversion> SliceConversion::create(SliceSource& source,
                                                const ConversionParameters& parameters,
                                                const JobContext& context) {
  const Size3 size = source.size();
  if (Status fine = check_conversion(size, parameters); !fine) return fine.error();
  const int level_max = finest_level(size);
  if (level_max == 1) {
    return Error{"every pixel is a particle", "conversion", "convert the image in memory"};
  }
  try {
    auto kept = std::make_shared<KeptSlices>(source);
    auto passes = std::make_unique<LevelPasses>(*kept, parameters);
    LevelMap levels;
    if (Status made = passes->run(levels, context.part(0.0, 0.85)); !made) return made.error();
    const ConversionParameters used = passes->used();
    passes.reset();
    auto set = std::make_shared<CellSet>();
    if (!pulling_scheme(std::move(levels), size, level_max, used.neighbourhood_optimisation, *set,
                        context.part(0.85, 1.0))) {
      return cancelled_error();
    }
    SliceConversion made = of_cells(*kept, parameters, {used, std::move(set)});
    made.kept_ = std::move(kept);
    return made;
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

SliceConversion SliceConversion::of_cells(SliceSource& source,
                                          const ConversionParameters& parameters,
                                          const ChosenCells& found) {
  const Size3 size = source.size();
  const int level_max = finest_level(size);
  ConversionParameters used = parameters;
  used.sigma_th = found.used.sigma_th;
  used.grad_th = found.used.grad_th;
  Apr facts = converted_apr(nullptr, std::vector<float>(), source.header(), used);
  facts.fields.clear();
  return {source, ChosenCells{used, found.set}, std::move(facts),
          CellSlabs::particles(found.set, size, level_max),
          CellSlabs::interior(found.set, size, level_max)};
}

Status SliceConversion::put_structure(bool with_tree, AprSink& sink,
                                      const JobContext& context) const {
  Status put = put_cells(particles_, AprSink::Part::particles, sink, context.part(0.0, 0.8));
  if (!put || !with_tree) return put;
  return put_cells(tree_, AprSink::Part::tree, sink, context.part(0.8, 1.0));
}

Status SliceConversion::write(const Apr& facts, bool with_tree, AprSink& sink,
                              const JobContext& context, bool same_cells) const {
  try {
    const SampleKind kind = source_->kind();
    const int type = kind == SampleKind::f32 ? kF32 : static_cast<int>(kind);
    if (Status begun =
            sink.begin({facts, particles_.size(), particles_.level_max(), particles_.count(),
                        with_tree ? tree_.count() : 0, kParticlesField, type, same_cells});
        !begun) {
      return begun;
    }
    if (!same_cells) {
      if (Status put = put_structure(with_tree, sink, context.part(0.0, 0.25)); !put) return put;
    }
    const CellSlabs* const tree = with_tree ? &tree_ : nullptr;
    const SamplingRounding rounding = chosen_.used.rounding;
    RawSlices slices(*source_);
    const JobContext rest = context.part(0.25, 1.0);
    switch (kind) {
      case SampleKind::u8:
        return detail::SlabValues<std::uint8_t>(particles_, tree, rounding, sink).run(slices, rest);
      case SampleKind::u16:
        return detail::SlabValues<std::uint16_t>(particles_, tree, rounding, sink)
            .run(slices, rest);
      case SampleKind::f32:
        break;
    }
    return detail::SlabValues<float>(particles_, tree, rounding, sink).run(slices, rest);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace aprscope

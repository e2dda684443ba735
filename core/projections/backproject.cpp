#include "core/projections/backproject.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/projections/finish.hpp"
#include "core/projections/finite.hpp"
#include "core/projections/image_sums.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/job_fingerprint.hpp"
#include "core/projections/left_out_rows.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/noise_power.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "core/projections/whole_sums.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {

namespace {

class Job {
 public:
  Job(const Projections& projections, const BackprojectSettings& settings,
      const BackprojectHooks& hooks, const JobContext& context, ReconstructionPlan plan)
      : projections_(projections),
        table_(projections.table),
        settings_(settings),
        hooks_(hooks),
        context_(context),
        plan_(std::move(plan)),
        ranks_(hooks.ranks != nullptr && !hooks.ranks->parted() ? hooks.ranks : nullptr) {}

  Result<Reconstruction> run(const InserterFactory& factory) {
    if (Status ok = compare_with_others(); !ok) return ok.error();
    auto summed = sum_images(projections_, settings_, hooks_, ranks_, plan_, factory, context_);
    if (!summed) return summed.error();
    solver_ = std::move(summed->solver);
    HalfSums& sums = summed->halves;
    out_.images = summed->images;
    out_.directions = std::move(summed->directions);
    unsound_ = std::move(summed->unsound);
    plan_.notes.insert(plan_.notes.end(), summed->notes.begin(), summed->notes.end());
    if (ranks_ != nullptr) {
      if (Status ok = sum_over_ranks(sums); !ok) return ok.error();
    }
    leave_empty_half(sums);
    out_.side = table_.side;
    out_.pixel_size = plan_.insertion.pixel_size;
    out_.total = total();
    out_.left_out = plan_.left_out;
    out_.partial = out_.images < total();
    out_.notes = plan_.notes;
    if (Status ok = leave_out_unsound(); !ok) return ok.error();
    out_.noise = plan_.noise;
    if (Status ok = finish_reconstruction(plan_, settings_, std::move(sums), *solver_, out_,
                                          context_.part(0.85, 1.0));
        !ok) {
      return ok.error();
    }
    if (!are_finite(out_.map) || !are_finite(out_.half1) || !are_finite(out_.half2)) {
      return Error{"the map has values that are not numbers", table_.path.string(),
                   "look for weights, CTFs or pixels of the images that are far too large"};
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::int64_t total() const { return static_cast<std::int64_t>(plan_.rows.size()); }
  // Shares of different jobs would add up to a map of none, which nothing would tell.
  Status compare_with_others() {
    if (ranks_ == nullptr) return {};
    return ranks_->agree_on(
        job_fingerprint(table_, settings_, plan_),
        {"has another table or other settings than process 0", table_.path.string(),
         "let all processes see the same files and start them with the same command"});
  }

  // Of all ranks, on the first; the others have nothing left to do.
  Status sum_over_ranks(HalfSums& held) {
    std::vector<std::vector<float>> sums;
    for (auto& half : held) {
      auto values = solver_->let_go(std::move(half));
      if (!values) return values.error();
      sums.push_back(std::move(*values));
    }
    // Ranks without images have counted no directions.
    out_.directions.counts.resize(
        static_cast<std::size_t>(out_.directions.rows * out_.directions.columns));
    ranks_->prepare_sums();
    if (Status ok = ranks_->agree({}); !ok) return ok;
    context_.report(0.85, "Sum over processes");
    for (auto& half : sums) ranks_->sum_on_first(half);
    // With how many were left out, which is one number more.
    out_.directions.counts.push_back(static_cast<double>(unsound_here()));
    ranks_->sum_on_first(out_.directions.counts);
    unsound_elsewhere_ = static_cast<std::int64_t>(out_.directions.counts.back()) - unsound_here();
    out_.directions.counts.pop_back();
    out_.images = total();
    if (Status ok = ranks_->part({}); !ok) return ok;
    for (std::size_t i = 0; i < held.size(); ++i) {
      auto half = solver_->hold(plan_.insertion, std::move(sums[i]));
      if (!half) return half.error();
      held[i] = std::move(*half);
    }
    return {};
  }

  // Where it ended before both halves had an image there is one map, without a correlation.
  void leave_empty_half(HalfSums& sums) {
    if (sums.size() < 2) return;
    const auto end = plan_.halves.begin() + static_cast<std::ptrdiff_t>(out_.images);
    for (const std::int32_t half : {0, 1}) {
      if (std::find(plan_.halves.begin(), end, half) != end) continue;
      sums.erase(sums.begin() + half);
      plan_.notes.emplace_back(kNoHalves);
      return;
    }
  }

  [[nodiscard]] std::int64_t unsound_here() const {
    return std::count(unsound_.begin(), unsound_.end(), true);
  }
  // They were counted as if they were in the map.
  Status leave_out_unsound() {
    const std::int64_t count = unsound_here() + unsound_elsewhere_;
    if (count == 0) return {};
    if (count >= out_.images) {
      return Error{"no image is left: all have pixels that are not numbers", table_.path.string(),
                   "mend the stacks"};
    }
    out_.images -= count;
    out_.total -= count;
    out_.left_out += count;
    out_.unsound = count;
    std::string note = std::to_string(count) + (count == 1 ? " image was" : " images were") +
                       " left out, with pixels that are not numbers";
    if (unsound_elsewhere_ == 0) note += ": rows " + row_ranges(unsound_);
    out_.notes.push_back(std::move(note) + ".");
    return {};
  }

  const Projections& projections_;
  const ProjectionTable& table_;
  const BackprojectSettings& settings_;
  const BackprojectHooks& hooks_;
  const JobContext& context_;
  ReconstructionPlan plan_;
  std::unique_ptr<MapSolver> solver_;
  Ranks* ranks_;
  // By row of the table: images with pixels that are not numbers; of other ranks only how many.
  std::vector<bool> unsound_;
  std::int64_t unsound_elsewhere_ = 0;
  Reconstruction out_;
};

// σ², and what images are so multiplied with. It is that of all rows, also where only the first
// ones are inserted: a map that ended early is that of as many images.
Status measure_noise(const Projections& projections, const BackprojectSettings& settings,
                     const BackprojectHooks& hooks, ReconstructionPlan& plan,
                     const JobContext& context) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < projections.table.rows.size(); ++i) {
    if (projections.table.rows[i].enabled) rows.push_back(static_cast<std::int64_t>(i));
  }
  auto noise = noise_power(projections, rows, settings.noise_images, context, unsound_of(settings),
                           hooks.unsound);
  if (!noise) return noise.error();
  plan.noise = *std::move(noise);
  plan.insertion.optics.resize(projections.table.optics.size());
  std::int64_t images = 0;
  for (const NoisePower& group : plan.noise) {
    plan.insertion.optics[group.optics].weights = noise_weights(group, plan.noise);
    images += group.images;
  }
  plan.notes.push_back("The weights follow the noise in the corners of " + std::to_string(images) +
                       " images of " + std::to_string(plan.noise.size()) +
                       (plan.noise.size() == 1 ? " optics group." : " optics groups."));
  return {};
}

}  // namespace

std::uint64_t backproject_bytes(const ProjectionTable& table, const BackprojectSettings& settings) {
  const auto plan = plan_reconstruction(table, settings);
  if (!plan) return 0;
  const InsertionPlan& p = plan->insertion;
  const auto sums = static_cast<std::uint64_t>(p.tiles.floats() * p.halves) * sizeof(float);
  return std::max(sums + batch_bytes(*plan), finish_bytes(*plan, settings, false)) + kTableBytes;
}

std::uint64_t backproject_scratch_bytes(const ProjectionTable& table,
                                        const BackprojectSettings& settings) {
  const auto plan = plan_reconstruction(table, settings);
  if (!plan) return 0;
  return std::max(least_slab_bytes(*plan), finish_bytes(*plan, settings, true) + kTableBytes);
}

Result<Reconstruction> backproject(const Projections& projections,
                                   const BackprojectSettings& settings,
                                   const BackprojectHooks& hooks, const JobContext& context,
                                   const InserterFactory& factory) {
  auto plan = plan_reconstruction(projections.table, settings);
  if (!plan) return plan.error();
  if (!projections.images) {
    return Error{"the images of the table are not open", projections.table.path.string(),
                 "open the file again"};
  }
  if (hooks.ranks != nullptr && !hooks.ranks->parted() &&
      (hooks.live || hooks.keep.stop_possible())) {
    return Error{"a map that several processes make cannot be watched or ended early",
                 projections.table.path.string(), "use one process"};
  }
  if (hooks.ranks != nullptr && hooks.memory > 0) {
    return Error{"several processes have no room for their sums", projections.table.path.string(),
                 "use one process, or fewer of a host"};
  }
  if (settings.noise == NoiseUse::white) {
    return Job(projections, settings, hooks, context, std::move(*plan)).run(factory);
  }
  const JobContext measuring = context.part(0.0, 0.1);
  if (Status ok = measure_noise(projections, settings, hooks, *plan, measuring); !ok)
    return ok.error();
  const JobContext rest = context.part(0.1, 1.0);
  return Job(projections, settings, hooks, rest, std::move(*plan)).run(factory);
}

}  // namespace aprscope

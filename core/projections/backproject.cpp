#include "core/projections/backproject.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/projections/batch_reader.hpp"
#include "core/projections/finish.hpp"
#include "core/projections/finite.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/job_fingerprint.hpp"
#include "core/projections/left_out_rows.hpp"
#include "core/projections/live_map.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/noise_power.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "core/projections/whole_sums.hpp"
#include "core/ranks/ranks.hpp"
#include "core/ranks/shares.hpp"

namespace aprscope {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Unsound unsound_of(const BackprojectSettings& settings) {
  return settings.skip_unsound ? Unsound::left_out : Unsound::refused;
}

using Sums = std::vector<std::unique_ptr<HeldSums>>;

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
        ranks_(hooks.ranks != nullptr && !hooks.ranks->parted() ? hooks.ranks : nullptr),
        share_{0, static_cast<std::int64_t>(plan_.rows.size())},
        reader_(projections_, plan_, context_, unsound_of(settings), hooks.unsound),
        unsound_(table_.rows.size(), false) {
    if (ranks_ == nullptr) return;
    share_ = share_of(share_.end, ranks_->place().rank, ranks_->place().count);
  }

  Result<Reconstruction> run(const InserterFactory& factory) {
    if (Status ok = compare_with_others(); !ok) return ok.error();
    auto summed = sums_of_all(factory);
    reader_.end();
    if (!summed) return summed.error();
    Sums& sums = *summed;
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
  // One time through the images.
  struct Pass {
    int number = 0;
    int count = 1;
    // Images at a time: the same in all passes, for the same sums.
    std::int64_t batch = 1;
    // Images stay in memory for the next pass.
    bool keep = false;
  };

  [[nodiscard]] std::int64_t total() const { return static_cast<std::int64_t>(plan_.rows.size()); }
  // Its error comes with the next agreement.
  [[nodiscard]] bool another_failed() const {
    return ranks_ != nullptr && ranks_->another_failed();
  }

  // Shares of different jobs would add up to a map of none, which nothing would tell.
  Status compare_with_others() {
    if (ranks_ == nullptr) return {};
    return ranks_->agree_on(
        job_fingerprint(table_, settings_, plan_),
        {"has another table or other settings than process 0", table_.path.string(),
         "let all processes see the same files and start them with the same command"});
  }

  // Of all ranks, on the first; the others have nothing left to do.
  Status sum_over_ranks(Sums& held) {
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
  void leave_empty_half(Sums& sums) {
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

  Status insert(const Batch& batch, Inserter& inserter, bool first_time) {
    std::vector<ImageTerms> terms;
    std::vector<InsertionSample> samples;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Projection& row = batch.rows[i];
      terms.push_back(image_terms(table_, row, plan_.insertion, settings_.invert));
      const std::size_t place = static_cast<std::size_t>(batch.begin) + i;
      if (batch.sound[i] == 0) {
        unsound_[static_cast<std::size_t>(plan_.rows[place])] = true;
        continue;
      }
      add_samples(plan_, row, terms.back(), static_cast<std::int32_t>(i), plan_.halves[place],
                  samples);
      if (first_time) count_directions(plan_.symmetry, row, out_.directions);
    }
    return inserter.insert(batch.images, terms, samples, context_);
  }

  // All images into the tiles of an inserter. The first pass may end early, and says how far the
  // others go.
  Status insert_images(Inserter& inserter, const Pass& pass) {
    const bool live = hooks_.live && pass.count == 1 && !is_short();
    const JobContext context =
        context_.part(0.85 * pass.number / pass.count, 0.85 * (pass.number + 1) / pass.count);
    std::string stage = "Insert images";
    if (pass.count > 1) {
      stage += ", pass " + std::to_string(pass.number + 1) + " of " + std::to_string(pass.count);
    }
    const auto started = Clock::now();
    LivePace pace(hooks_.seconds_between, expected_live_seconds(plan_.insertion));
    context.report(0.0, stage);
    // What is kept for the next pass may be more than a device should pin.
    BatchReader::Room room;
    if (!pass.keep) room = [&](std::size_t floats) { return inserter.image_room(floats); };
    reader_.start(share_, pass.batch, pass.keep, room);
    for (;;) {
      const auto batch = reader_.next();
      if (!batch) return batch.error();
      if (*batch == nullptr) return {};
      const std::int64_t end = (*batch)->end();
      if (Status ok = insert(**batch, inserter, pass.number == 0); !ok) return ok;
      if (pass.number == 0) out_.images = end;
      if (another_failed()) return {};
      if (pass.number == 0 && hooks_.keep.stop_requested()) {
        share_.end = end;
        return {};
      }
      context.report(static_cast<double>(end - share_.begin) / static_cast<double>(share_.size()),
                     stage);
      if (const double seconds = seconds_since(started);
          live && end < share_.end && pace.due(seconds)) {
        if (Status ok = show(inserter, end); !ok) return ok;
        pace.took(seconds, seconds_since(started));
      }
    }
  }

  Result<std::unique_ptr<Inserter>> make(const InserterFactory& factory, TileRange tiles) const {
    InsertionPlan plan = plan_.insertion;
    plan.share = tiles;
    return factory ? factory(plan, context_) : make_cpu_inserter(plan, context_);
  }

  // The sums of all images. Where there is no room for those of all tiles, the images are inserted
  // in several passes, each into some of the tiles, and the sums are put together on the host.
  Result<Sums> sums_of_all(const InserterFactory& factory) {
    const TileRange all{0, plan_.insertion.tiles.count()};
    const std::int64_t most = is_short() ? slab_tiles(plan_, hooks_.memory) : all.size();
    TileRange asked{0, std::min(most, all.end)};
    auto inserter = make(factory, asked);
    if (!inserter) return inserter.error();
    solver_ = (*inserter)->solver();
    TileRange now = fitting(**inserter, asked);
    if (now.size() == all.size() && !is_short()) {
      const Pass pass{.batch = (*inserter)->batch()};
      if (Status ok = insert_images(**inserter, pass); !ok) return ok.error();
      return held_by(**inserter);
    }
    const std::int64_t each = now.size();
    Pass pass{.count = static_cast<int>((all.size() + each - 1) / each),
              .batch = (*inserter)->batch(),
              .keep = !is_short() && has_room_for_images()};
    if (pass.count > 1) {
      plan_.notes.push_back(
          "The sums of a part of the map fit at a time: the images were inserted " +
          std::to_string(pass.count) + " times" +
          (is_short() ? ", and sums lay in temporary files." : "."));
    } else {
      plan_.notes.push_back("Memory is short: the sums lay in temporary files.");
    }
    auto whole = WholeSums::create(plan_.insertion, is_short());
    if (!whole) return whole.error();
    for (;;) {
      if (Status ok = insert_images(**inserter, pass); !ok) return ok.error();
      if (Status ok = whole->collect(**inserter, now); !ok) return ok.error();
      inserter->reset();  // its room is the next one's, or the solver's
      if (now.end >= all.end || another_failed()) {
        if (!is_short()) return held_by_solver(whole->in_memory);
        solver_ = make_cpu_solver();
        return whole->held();
      }
      ++pass.number;
      asked = {now.end, std::min(now.end + each, all.end)};
      inserter = make(factory, asked);
      if (!inserter) return inserter.error();
      now = fitting(**inserter, asked);
      // Less fits than before: somebody else took memory.
      const std::int64_t rest = (all.end - now.begin + now.size() - 1) / now.size();
      pass.count = pass.number + static_cast<int>(rest);
    }
  }

  [[nodiscard]] bool is_short() const { return hooks_.memory > 0; }
  static TileRange fitting(const Inserter& inserter, TileRange asked) {
    const TileRange fits = inserter.fitting();
    return fits.size() > 0 ? fits : asked;
  }

  // Where they were summed, or on the host where the solver there has no room for them.
  Result<Sums> held_by(Inserter& inserter) {
    Sums sums;
    for (int half = 0; half < plan_.insertion.halves; ++half) {
      auto held = inserter.hold(half);
      if (!held && held.error().cancelled()) return held.error();
      if (held) {
        sums.push_back(*std::move(held));
        continue;
      }
      std::vector<std::vector<float>> whole;
      for (auto& one : sums) {
        auto values = solver_->let_go(std::move(one));
        if (!values) return values.error();
        whole.push_back(*std::move(values));
      }
      for (; half < plan_.insertion.halves; ++half) {
        auto values = inserter.take(half);
        if (!values) return values.error();
        whole.push_back(*std::move(values));
      }
      return held_by_processor(whole, held.error().what);
    }
    return sums;
  }

  Result<Sums> held_by_solver(std::vector<std::vector<float>>& whole) {
    Sums sums;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Status room = solver_->holds(plan_.insertion);
      // Others may take what is free in the meantime.
      auto held = room ? solver_->hold(plan_.insertion, std::move(whole[i])) : room.error();
      if (held) {
        sums.push_back(*std::move(held));
        continue;
      }
      if (held.error().cancelled()) return held.error();
      for (std::size_t j = 0; j < i; ++j) {
        auto values = solver_->let_go(std::move(sums[j]));
        if (!values) return values.error();
        whole[j] = *std::move(values);
      }
      return held_by_processor(whole, held.error().what);
    }
    return sums;
  }

  Result<Sums> held_by_processor(std::vector<std::vector<float>>& whole, const std::string& why) {
    plan_.notes.push_back("The map was finished on the processor: " + why + ".");
    solver_ = make_cpu_solver();
    Sums sums;
    for (auto& half : whole) {
      auto held = solver_->hold(plan_.insertion, std::move(half));
      if (!held) return held.error();
      sums.push_back(*std::move(held));
    }
    return sums;
  }

  // For all images of this process beside what the job takes anyway.
  [[nodiscard]] bool has_room_for_images() const {
    const auto images =
        static_cast<std::uint64_t>(share_.size() * table_.side * table_.side) * sizeof(float);
    const std::uint64_t left = available_bytes();
    const std::uint64_t needed = backproject_bytes(table_, settings_);
    return left > needed && images < left - needed;
  }

  Status show(Inserter& inserter, std::int64_t done) {
    auto live = live_map(plan_, settings_, inserter, *solver_, JobContext(context_.stop_token()));
    if (!live) return live.error();
    live->done = done;
    live->total = total();
    hooks_.live(std::move(*live));
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
  // Rows of the plan that are inserted here.
  Share share_;
  BatchReader reader_;
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

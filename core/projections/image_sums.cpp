#include "core/projections/image_sums.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "core/base/system.hpp"
#include "core/projections/batch_reader.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/live_map.hpp"
#include "core/projections/whole_sums.hpp"
#include "core/ranks/ranks.hpp"
#include "core/ranks/shares.hpp"

namespace aprscope {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class ImageSummation {
 public:
  ImageSummation(const Projections& projections, const BackprojectSettings& settings,
                 const BackprojectHooks& hooks, Ranks* ranks, const ReconstructionPlan& plan,
                 const JobContext& context)
      : table_(projections.table),
        settings_(settings),
        hooks_(hooks),
        context_(context),
        plan_(plan),
        ranks_(ranks),
        share_{0, static_cast<std::int64_t>(plan_.rows.size())},
        reader_(projections, plan_, context_, unsound_of(settings), hooks.unsound) {
    out_.unsound.assign(table_.rows.size(), false);
    if (ranks_ == nullptr) return;
    share_ = share_of(share_.end, ranks_->place().rank, ranks_->place().count);
  }

  Result<ImageSums> run(const InserterFactory& factory) {
    auto summed = sums_of_all(factory);
    reader_.end();
    if (!summed) return summed.error();
    out_.halves = *std::move(summed);
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

  Status insert(const Batch& batch, Inserter& inserter, bool first_time) {
    std::vector<ImageTerms> terms;
    std::vector<InsertionSample> samples;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Projection& row = batch.rows[i];
      terms.push_back(image_terms(table_, row, plan_.insertion, settings_.invert));
      const std::size_t place = static_cast<std::size_t>(batch.begin) + i;
      if (batch.sound[i] == 0) {
        out_.unsound[static_cast<std::size_t>(plan_.rows[place])] = true;
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
  Result<HalfSums> sums_of_all(const InserterFactory& factory) {
    const TileRange all{0, plan_.insertion.tiles.count()};
    const std::int64_t most = is_short() ? slab_tiles(plan_, hooks_.memory) : all.size();
    TileRange asked{0, std::min(most, all.end)};
    auto inserter = make(factory, asked);
    if (!inserter) return inserter.error();
    out_.solver = (*inserter)->solver();
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
      out_.notes.push_back(
          "The sums of a part of the map fit at a time: the images were inserted " +
          std::to_string(pass.count) + " times" +
          (is_short() ? ", and sums lay in temporary files." : "."));
    } else {
      out_.notes.push_back("Memory is short: the sums lay in temporary files.");
    }
    auto whole = WholeSums::create(plan_.insertion, is_short());
    if (!whole) return whole.error();
    for (;;) {
      if (Status ok = insert_images(**inserter, pass); !ok) return ok.error();
      if (Status ok = whole->collect(**inserter, now); !ok) return ok.error();
      inserter->reset();  // its room is the next one's, or the solver's
      if (now.end >= all.end || another_failed()) {
        if (!is_short()) return held_by_solver(whole->in_memory);
        out_.solver = make_cpu_solver();
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
  Result<HalfSums> held_by(Inserter& inserter) {
    HalfSums sums;
    for (int half = 0; half < plan_.insertion.halves; ++half) {
      auto held = inserter.hold(half);
      if (!held && held.error().cancelled()) return held.error();
      if (held) {
        sums.push_back(*std::move(held));
        continue;
      }
      std::vector<std::vector<float>> whole;
      for (auto& one : sums) {
        auto values = out_.solver->let_go(std::move(one));
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

  Result<HalfSums> held_by_solver(std::vector<std::vector<float>>& whole) {
    HalfSums sums;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const Status room = out_.solver->holds(plan_.insertion);
      // Others may take what is free in the meantime.
      auto held = room ? out_.solver->hold(plan_.insertion, std::move(whole[i])) : room.error();
      if (held) {
        sums.push_back(*std::move(held));
        continue;
      }
      if (held.error().cancelled()) return held.error();
      for (std::size_t j = 0; j < i; ++j) {
        auto values = out_.solver->let_go(std::move(sums[j]));
        if (!values) return values.error();
        whole[j] = *std::move(values);
      }
      return held_by_processor(whole, held.error().what);
    }
    return sums;
  }

  Result<HalfSums> held_by_processor(std::vector<std::vector<float>>& whole,
                                     const std::string& why) {
    out_.notes.push_back("The map was finished on the processor: " + why + ".");
    out_.solver = make_cpu_solver();
    HalfSums sums;
    for (auto& half : whole) {
      auto held = out_.solver->hold(plan_.insertion, std::move(half));
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
    auto live =
        live_map(plan_, settings_, inserter, *out_.solver, JobContext(context_.stop_token()));
    if (!live) return live.error();
    live->done = done;
    live->total = total();
    hooks_.live(std::move(*live));
    return {};
  }

  const ProjectionTable& table_;
  const BackprojectSettings& settings_;
  const BackprojectHooks& hooks_;
  const JobContext& context_;
  const ReconstructionPlan& plan_;
  Ranks* ranks_;
  // Rows of the plan that are inserted here.
  Share share_;
  ImageSums out_;
  // Ends before the solver does.
  BatchReader reader_;
};

}  // namespace

Unsound unsound_of(const BackprojectSettings& settings) {
  return settings.skip_unsound ? Unsound::left_out : Unsound::refused;
}

Result<ImageSums> sum_images(const Projections& projections, const BackprojectSettings& settings,
                             const BackprojectHooks& hooks, Ranks* ranks,
                             const ReconstructionPlan& plan, const InserterFactory& factory,
                             const JobContext& context) {
  return ImageSummation(projections, settings, hooks, ranks, plan, context).run(factory);
}

}  // namespace aprscope

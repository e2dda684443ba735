#include "core/projections/backproject.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <future>
#include <system_error>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/projections/finish.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/job_fingerprint.hpp"
#include "core/projections/live_map.hpp"
#include "core/projections/reconstruction_plan.hpp"
#include "core/ranks/ranks.hpp"
#include "core/ranks/shares.hpp"

namespace aprscope {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Not a number or infinite.
bool is_finite(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0x7f800000U) != 0x7f800000U;
}

bool are_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), is_finite);
}

// Some rows and their images.
struct Batch {
  std::vector<Projection> rows;
  std::vector<float> images;
};

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
        share_{0, static_cast<std::int64_t>(plan_.rows.size())} {
    if (ranks_ == nullptr) return;
    share_ = share_of(share_.end, ranks_->place().rank, ranks_->place().count);
  }

  Result<Reconstruction> run(const InserterFactory& factory) {
    if (Status ok = compare_with_others(); !ok) return ok.error();
    auto inserter =
        factory ? factory(plan_.insertion, context_) : make_cpu_inserter(plan_.insertion, context_);
    if (!inserter) return inserter.error();
    solver_ = (*inserter)->solver();
    if (Status ok = insert_all(**inserter); !ok) return ok.error();
    std::vector<std::unique_ptr<HeldSums>> sums;
    for (int half = 0; half < plan_.insertion.halves; ++half) {
      auto held = (*inserter)->hold(half);
      if (!held) return held.error();
      sums.push_back(std::move(*held));
    }
    inserter->reset();
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
  // Its error comes with the next agreement.
  [[nodiscard]] bool another_failed() const {
    return ranks_ != nullptr && ranks_->another_failed();
  }
  [[nodiscard]] const Projection& row(std::int64_t i) const {
    return table_.rows[static_cast<std::size_t>(plan_.rows[static_cast<std::size_t>(i)])];
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
  Status sum_over_ranks(std::vector<std::unique_ptr<HeldSums>>& held) {
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
    ranks_->sum_on_first(out_.directions.counts);
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
  void leave_empty_half(std::vector<std::unique_ptr<HeldSums>>& sums) {
    if (sums.size() < 2) return;
    const auto end = plan_.halves.begin() + static_cast<std::ptrdiff_t>(out_.images);
    for (const std::int32_t half : {0, 1}) {
      if (std::find(plan_.halves.begin(), end, half) != end) continue;
      sums.erase(sums.begin() + half);
      plan_.notes.emplace_back(kNoHalves);
      return;
    }
  }

  Status read(std::int64_t begin, std::int64_t end, Batch& batch) const {
    batch.rows.clear();
    for (std::int64_t i = begin; i < end; ++i) batch.rows.push_back(row(i));
    const std::int64_t pixels = table_.side * table_.side;
    batch.images.resize(static_cast<std::size_t>((end - begin) * pixels));
    if (Status ok = projections_.images->read(batch.rows, batch.images, context_); !ok) return ok;
    std::vector<std::uint8_t> sound(batch.rows.size());
    parallel_for(end - begin, threads_for((end - begin) * pixels), [&](std::int64_t i) {
      const auto first = batch.images.begin() + static_cast<std::ptrdiff_t>(i * pixels);
      sound[static_cast<std::size_t>(i)] = std::all_of(first, first + pixels, is_finite) ? 1 : 0;
    });
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (sound[i] != 0) continue;
      const Projection& bad = batch.rows[i];
      const std::string stack = bad.stack < table_.stacks.size()
                                    ? table_.stacks[bad.stack].filename().string()
                                    : std::string("a stack");
      return Error{"image " + std::to_string(bad.image + 1) + " of " + stack +
                       " has pixels that are not numbers",
                   place_of(table_, bad), "leave the row out or mend the stack"};
    }
    return {};
  }

  // Reads in another thread, or at once where none can be started.
  std::future<Status> read_ahead(std::int64_t begin, std::int64_t end, Batch& batch) const {
    const auto work = [this, begin, end, &batch] { return read(begin, end, batch); };
    try {
      return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, work);
    }
  }

  Status insert(const Batch& batch, std::int64_t begin, Inserter& inserter) {
    std::vector<ImageTerms> terms;
    std::vector<InsertionSample> samples;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const Projection& row = batch.rows[i];
      terms.push_back(image_terms(table_, row, plan_.insertion, settings_.invert));
      add_samples(plan_, row, terms.back(), static_cast<std::int32_t>(i),
                  plan_.halves[static_cast<std::size_t>(begin) + i], samples);
      count_directions(plan_.symmetry, row, out_.directions);
    }
    return inserter.insert(batch.images, terms, samples, context_);
  }

  Status insert_all(Inserter& inserter) {
    const std::int64_t size = std::max<std::int64_t>(inserter.batch(), 1);
    // One is inserted while the other is read.
    std::array<Batch, 2> batches;
    std::size_t at = 0;
    std::future<Status> reading =
        read_ahead(share_.begin, std::min(share_.begin + size, share_.end), batches[at]);
    const auto started = Clock::now();
    LivePace pace(hooks_.seconds_between, expected_live_seconds(plan_.insertion));
    for (std::int64_t begin = share_.begin; begin < share_.end; begin += size) {
      const std::int64_t end = std::min(begin + size, share_.end);
      if (Status ok = reading.get(); !ok) return ok;
      const Batch& now = batches[at];
      at = 1 - at;
      if (end < share_.end) {
        reading = read_ahead(end, std::min(end + size, share_.end), batches[at]);
      }
      Status inserted = insert(now, begin, inserter);
      if (!inserted || hooks_.keep.stop_requested() || another_failed()) {
        if (reading.valid()) reading.wait();
        if (!inserted) return inserted;
        out_.images = end;
        return {};
      }
      out_.images = end;
      context_.report(
          0.85 * static_cast<double>(end - share_.begin) / static_cast<double>(share_.size()),
          "Insert images");
      if (const double seconds = seconds_since(started);
          hooks_.live && end < share_.end && pace.due(seconds)) {
        if (Status ok = show(inserter, end); !ok) {
          if (reading.valid()) reading.wait();
          return ok;
        }
        pace.took(seconds, seconds_since(started));
      }
    }
    return {};
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
  Reconstruction out_;
};

}  // namespace

std::uint64_t backproject_bytes(const ProjectionTable& table, const BackprojectSettings& settings) {
  const auto plan = plan_reconstruction(table, settings);
  if (!plan) return 0;
  const InsertionPlan& p = plan->insertion;
  const auto sums = static_cast<std::uint64_t>(p.tiles.floats() * p.halves) * sizeof(float);
  const std::int64_t plane = 4 * (p.image_reach + 3) * (2 * p.image_reach + 5);
  const std::int64_t images = std::min<std::int64_t>(cpu_batch(plane, p.tiles.floats()),
                                                     static_cast<std::int64_t>(plan->rows.size()));
  const auto batch =
      static_cast<std::uint64_t>(images * (plane + 2 * p.side * p.side)) * sizeof(float);
  const std::uint64_t tables = std::uint64_t{16} << 20;  // of threads, windows and plans
  return std::max(sums + batch, finish_bytes(*plan, settings)) + tables;
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
  return Job(projections, settings, hooks, context, std::move(*plan)).run(factory);
}

}  // namespace aprscope

#include "app/cli/bench/bench_cells_window.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/cells/amended_labels.hpp"
#include "core/dataset/first_pixel.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/measure/background_note.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope::cli {
namespace {

// Computes what a preview shows once. Errors: those of LabelEngine::label().
Status preview(const OperationType& type, const Operation& step, const Dataset& data,
               const std::shared_ptr<const Prepared>& prepared, const JobContext& context) {
  auto made = type.labels.label(step, data, prepared.get(), context);
  if (!made) return made.error();
  const auto labels = with_spare(*std::move(made), prepared);
  const LabelCounts counts = label_counts(type.labels, step, data, prepared.get(), *labels);
  const std::string note = background_note(counts.background_share);
  const auto parts =
      type.labels.parts != nullptr ? type.labels.parts(step, data, prepared) : nullptr;
  // Uses the results, so that the compiler cannot remove the work.
  if (counts.cells == 0 && note.empty() && parts == nullptr) {
    return Error{"has no cell", data.name(), "use another image"};
  }
  return {};
}

// A pixel that has this label.
Index3 place_of(std::uint32_t label, const Dataset& data) {
  const std::vector<std::uint32_t>& values = data.labels()->values;
  const auto at = std::find(values.begin(), values.end(), label) - values.begin();
  if (data.is_apr()) {
    return first_pixel(data.apr().access->particles(), static_cast<std::uint64_t>(at));
  }
  const Size3 n = data.size();
  return {at / (n.x * n.y), at / n.y % n.x, at % n.y};
}

// Merges two neighbouring cells of typical size; none if no two cells touch.
Result<std::optional<Operation>> typical_correction(const Dataset& data,
                                                    const JobContext& context) {
  const auto records = records_of(data, context);
  if (!records) return records.error();
  std::vector<LabelContact> pairs = (*records)->contacts;
  if (pairs.empty()) return std::optional<Operation>();
  const auto voxels = [&](const LabelContact& pair) {
    return (*records)->of(pair.a)->voxels + (*records)->of(pair.b)->voxels;
  };
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2);
  std::nth_element(pairs.begin(), middle, pairs.end(),
                   [&](const LabelContact& a, const LabelContact& b) {
                     return std::pair(voxels(a), std::pair(a.a, a.b)) <
                            std::pair(voxels(b), std::pair(b.a, b.b));
                   });
  Correction asked;
  asked.points = {place_of(middle->a, data), place_of(middle->b, data)};
  return std::optional(correct_step(asked));
}

// Labels that are corrected and measured, alternating between the states before and after.
class CorrectedCells {
 public:
  CorrectedCells(std::shared_ptr<const Dataset> labelled, Session& session)
      : now_(std::move(labelled)), session_(session) {}

  Status correct(const Operation& step) {
    auto found = change_of(step, *now_, session_.context());
    if (!found) return found.error();
    change_ = std::make_shared<const LabelChange>(*std::move(found));
    before_ = now_;
    turn(now_->is_apr() ? copied() : amended_.applied(now_->labels(), change_));
    const auto table = session_.backend().measure({"cells", {}}, *now_, session_.context());
    return table ? Status() : table.error();
  }

  // Undoes the correction, and does what the window prepares in the background meanwhile.
  Status make_ready() {
    if (now_->is_apr()) {
      if (before_ != nullptr) now_ = std::exchange(before_, nullptr);
    } else if (change_ != nullptr) {
      turn(amended_.reverted(now_->labels(), change_));
    }
    change_.reset();
    const auto records = records_of(*now_, session_.context());
    if (!records) return records.error();
    if (!now_->is_apr()) amended_.prepare(now_->labels());
    return {};
  }

 private:
  // Particles have few labels, so each state gets a copy.
  std::shared_ptr<const Labels> copied() const {
    auto labels = std::make_shared<Labels>(*now_->labels());
    change_->apply(*labels);
    return labels;
  }
  void turn(std::shared_ptr<const Labels> labels) {
    now_ = now_->with_labels(std::move(labels), {}, known_after(now_->known_labels(), *change_));
  }

  std::shared_ptr<const Dataset> now_;
  std::shared_ptr<const Dataset> before_;
  Session& session_;
  AmendedLabels amended_;
  std::shared_ptr<const LabelChange> change_;
};

Result<BenchTable::Times> time_correction(const Operation& step,
                                          const std::shared_ptr<const Dataset>& labelled,
                                          const BenchTable& table, Session& session) {
  CorrectedCells cells(labelled, session);
  return table.measure([&] { return cells.correct(step); }, [&] { return cells.make_ready(); });
}

}  // namespace

Status bench_label_sliders(const Operation& flood, const Dataset& data, StepRows& rows,
                           Session& session) {
  const JobContext& context = session.context();
  const OperationType& type = *operations().find(flood.id);
  // Replaces automatic parameters by numbers, as the sliders have them.
  const auto step = complete(settled(flood, data, context));
  if (!step) return step.error();
  const auto prepared = type.labels.prepare(*step, data, context);
  if (!prepared) return prepared.error();
  for (const char* const slider : {"merge", "depth"}) {
    const auto from = parameter<double>(*step, slider);
    std::size_t moves = 0;
    const auto times = rows.table().measure([&] {
      // A different value each time, as the engine keeps the result for the last one.
      constexpr std::array<double, 3> kTimes{1.0, 0.5, 1.5};
      Operation moved = *step;
      moved.parameters[slider] = from * kTimes[moves++ % kTimes.size()];
      return preview(type, moved, data, *prepared, context);
    });
    if (!times) return times.error();
    rows.add({"slider", slider, *times, (*prepared)->bytes()}, data);
  }
  return {};
}

Status bench_correction(const std::shared_ptr<const Dataset>& labelled, StepRows& rows,
                        Session& session) {
  const auto step = typical_correction(*labelled, session.context());
  if (!step) return step.error();
  if (!*step) return {};
  const auto times = time_correction(**step, labelled, rows.table(), session);
  if (!times) return times.error();
  rows.add({"correct", "merge", *times, {}}, *labelled);
  return {};
}

}  // namespace aprscope::cli

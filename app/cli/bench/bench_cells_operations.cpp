#include "app/cli/bench/bench_cells_operations.hpp"

#include <utility>

#include "app/cli/bench/bench_cells_tissue.hpp"
#include "app/cli/bench/bench_cells_window.hpp"
#include "core/operations/measure/background_note.hpp"

namespace aprscope::cli {
namespace {

// Runs steps on one image, or on its particles, and times them.
class TimedSteps {
 public:
  TimedSteps(std::shared_ptr<const Dataset> data, StepRows& rows, Session& session)
      : data_(std::move(data)), rows_(rows), session_(session) {}

  Status components() {
    const auto mask = timed(data_, {"threshold", {}}, "otsu");
    if (!mask) return mask.error();
    for (const char* const neighbours : {"6", "26"}) {
      const Operation step{"label", {{"connectivity", std::string(neighbours)}}};
      const auto labels = timed(*mask, step, neighbours);
      if (!labels) return labels.error();
    }
    return {};
  }

  Status exterior() {
    const auto labels = timed(data_, {"fill_exterior", {}}, "otsu");
    if (!labels) return labels.error();
    const auto table = timed(*labels, {"cells", {}}, "of fill_exterior");
    return table ? Status() : table.error();
  }

  // `dark`: the walls are darker than the cells.
  Status basins(bool dark) {
    const std::string walls = dark ? ", dark walls" : "";
    const Operation rough{"watershed", {{"dark", dark}, {"smooth", 0.0}}};
    if (const auto made = timed(data_, rough, "not smoothed" + walls); !made) return made.error();
    const Operation flood{"watershed", {{"dark", dark}}};
    const auto labels = timed(data_, flood, "automatic" + walls);
    if (!labels) return labels.error();
    const auto table = timed(*labels, {"cells", {}}, "of watershed");
    if (!table) return table.error();
    if (Status done = bench_correction(*labels, rows_, session_); !done) return done;
    return bench_label_sliders(flood, *data_, rows_, session_);
  }

 private:
  using Made = Result<std::shared_ptr<const Dataset>>;

  // The result of the step. Each run gets a copy of the data, as a command would: nothing derived
  // from it is cached yet, and freeing it is not timed.
  Made timed(const std::shared_ptr<const Dataset>& on, const Operation& step,
             const std::string& mode) {
    std::shared_ptr<const Dataset> fresh;
    std::optional<Execution> run;
    const auto times = rows_.table().measure(
        [&]() -> Status {
          auto made = execute({step}, fresh, session_.backend(), session_.context());
          if (!made) return made.error();
          run = *std::move(made);
          return {};
        },
        [&]() -> Status {
          run.reset();
          fresh.reset();
          fresh = Dataset::create(on->copy());
          return {};
        });
    if (!times) return times.error();
    rows_.add({step.id, mode, *times, run->costs.front().peak_bytes}, *on);
    return run->data;
  }

  std::shared_ptr<const Dataset> data_;
  StepRows& rows_;
  Session& session_;
};

// Whether the walls between cells are dark, i.e. cells are bright on a dark ground. The program
// then takes the ground for a cell and advises the user to choose dark walls.
Result<bool> has_dark_walls(const BenchCase& item, Session& session) {
  const auto data = apr_of(item, session);
  if (!data) return data.error();
  const auto found = session.backend().find_labels({"watershed", {}}, **data, session.context());
  if (!found) return found.error();
  return !background_note(background_share_of(**data, *(*found)->labels())).empty();
}

// Runs `work` on the pixels and then on the particles; only one of them is in memory at a time.
template <class Work>
Status on_both(const BenchCase& item, BenchTable& table, Session& session, const Work& work) {
  StepRows rows(item.name, table);
  for (const auto make : {image_of, apr_of}) {
    auto data = make(item, session);
    if (!data) return data.error();
    if (Status done = work(TimedSteps(*std::move(data), rows, session)); !done) return done;
  }
  return {};
}

}  // namespace

StepRows::StepRows(std::string name, BenchTable& table) : name_(std::move(name)), table_(table) {}

void StepRows::add(const StepRow& row, const Dataset& of) {
  Row out;
  out.name = name_;
  out.op = row.op;
  out.stencil = of.is_apr() ? "particles" : std::string(of.volume().dtype()) + " pixels";
  out.mode = row.mode;
  out.particles = of.is_apr() ? of.apr().access->count() : 0;
  out.pixels = static_cast<std::uint64_t>(of.size().count());
  out.bytes = own_bytes(of.data());
  out.peak_bytes = row.peak_bytes;
  double& seconds = pixel_seconds_[row.op + " " + row.mode];
  if (of.is_apr()) {
    out.pixel_seconds = seconds;
  } else {
    seconds = row.times.median;
  }
  table_.add(out, row.times);
}

Status bench_cell_steps(const BenchCase& item, BenchTable& table, Session& session) {
  const bool given = !table.options().inputs.empty();
  bool dark = false;
  if (given) {
    const auto found = has_dark_walls(item, session);
    if (!found) return found.error();
    dark = *found;
  }
  const auto first = [&](TimedSteps steps) -> Status {
    if (Status done = steps.components(); !done) return done;
    if (Status done = steps.exterior(); !done) return done;
    return given ? steps.basins(dark) : Status();
  };
  if (Status done = on_both(item, table, session, first); !done || given) return done;
  auto tissue = tissue_image(table.options().size, session.context());
  if (!tissue) return tissue.error();
  return on_both({"tissue", *std::move(tissue)}, table, session, [](TimedSteps steps) -> Status {
    if (Status done = steps.exterior(); !done) return done;
    return steps.basins(false);
  });
}

}  // namespace aprscope::cli

#include "app/gui/document/large_files.hpp"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/gui/document/channels.hpp"
#include "app/gui/document/file_title.hpp"
#include "app/gui/document/release.hpp"
#include "core/base/system.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/pipeline/file_execution.hpp"
#include "core/pipeline/file_measurement.hpp"
#include "core/pipeline/series.hpp"
#include "core/pipeline/slab_execution.hpp"

namespace aprscope::gui {
namespace {

// Share of free memory (one fifth) that is left for the rest of the program and its views.
constexpr std::uint64_t kShareOfFree = 5;

// The data of an item, with everything that the window needs to show it at once.
struct Shown {
  Execution run;
  std::shared_ptr<const Histogram> histogram;
};

// A box in words: "z 65–96, rows 1–512, columns 129–300".
QString box_text(const Region& box) {
  const auto range = [](std::int64_t begin, std::int64_t end) {
    return QStringLiteral("%1–%2").arg(begin + 1).arg(end);
  };
  return LargeFiles::tr("z %1, rows %2, columns %3")
      .arg(range(box.begin.z, box.end.z), range(box.begin.x, box.end.x),
           range(box.begin.y, box.end.y));
}

// "level 8 of 11".
QString level_words(int level, const Size3& size) {
  return LargeFiles::tr("level %1 of %2").arg(level).arg(finest_level(size));
}

QString level_title(const QString& name, int level, const Size3& size) {
  return LargeFiles::tr("%1 (%2)").arg(name, level_words(level, size));
}

}  // namespace

bool is_file_part(const Item& item) {
  const Recipe& made = item.recipe;
  return item.parent == 0 && !item.is_measurement() && !made.input.empty() &&
         made.steps.size() == 1 && may_take_part(made.steps);
}

std::optional<int> file_level(const Item& item) {
  return is_file_part(item) ? shown_level(item.recipe.steps) : std::nullopt;
}

std::vector<Operation> steps_on_box(const Item& item) {
  const Recipe& made = item.recipe;
  const bool of_box =
      item.is_apr() && made.steps.size() > 1 && may_take_part(made.steps) &&
      !shown_level({made.steps.front()}) &&
      QString::fromStdString(made.input).endsWith(QLatin1String(".apr"), Qt::CaseInsensitive);
  if (!of_box) return {};
  std::vector<Operation> steps(made.steps.begin() + 1, made.steps.end());
  return can_run_in_slabs(steps) ? steps : std::vector<Operation>();
}

LargeFiles::LargeFiles(ItemList& items, Services& services) : items_(items), services_(services) {
  connect(&items, &ItemList::data_changed, this, &LargeFiles::follow_selection);
}

std::uint64_t LargeFiles::memory() const {
  if (memory_ != 0) return memory_;
  const std::uint64_t free = available_bytes();
  return free == 0 ? UINT64_MAX : free / kShareOfFree * (kShareOfFree - 1);
}

Item LargeFiles::item_of(const SourceInfo& info, const SourceSelection& selection,
                         const Execution& opened, bool more) {
  Item item;
  item.name = file_title(info);
  item.dataset = opened.data;
  item.selection = selection;
  item.file_channels = static_cast<int>(info.channels.size());
  item.file_times = info.times;
  item.recipe.input = info.path.string();
  if (!info.dataset.empty()) item.recipe.input += ":" + info.dataset;
  item.recipe.channel = selection.channel;
  item.recipe.time = selection.time;
  item.recipe.steps = opened.steps;
  item.costs = opened.costs;
  // Other channels and times of a file can be chosen, at the same level, but not of a box of it.
  const auto level = file_level(item);
  if (opened.steps.empty() || level) item.source = info;
  if (level) {
    const QString which = level_words(*level, info.size);
    if (more) {
      services_.messages.say(
          MessageKind::info,
          tr("This is an overview of %1, %2, until all of it is read.").arg(item.name, which));
    } else {
      services_.messages.say(
          // a warning stays until the user has had time to read it
          MessageKind::warning,
          tr("%1 does not fit into memory: this is an overview, %2. The views show more where you "
             "zoom in, and Process → Crop makes data of what you see.")
              .arg(item.name, which));
    }
    item.name = level_title(item.name, *level, info.size);
  }
  return item;
}

void LargeFiles::look_up(std::uint64_t id) {
  const Item* item = items_.find(id);
  if (item == nullptr) return;
  services_.background.post(
      Lane::full, tr("Reading %1").arg(item->name), {}, this,
      [input = item->recipe.input](const JobContext& context) { return inspect(input, context); },
      [this, id](const Result<SourceInfo>& info) {
        if (!info) {
          services_.messages.say(info.error());
        } else {
          emit looked_up(id, *info);
        }
      });
}

void LargeFiles::open_box(const Item& level, const SourceInfo& info, const Region& box,
                          std::optional<int> other) {
  const SourceSelection selection{other.value_or(level.selection.channel), level.selection.time};
  const QString title = tr("Crop %1").arg(box_text(box));
  const Operation step{"crop", {{"region", region_text(box)}}};
  services_.background.post(
      Lane::full, title, {}, this,
      [info, step, selection,
       backend = services_.backend](const JobContext& context) -> Result<Shown> {
        auto run = execute_file({step}, info, selection, *backend, context);
        if (!run) return run.error();
        Shown out{*std::move(run), {}};
        out.run.data = released_elsewhere(std::move(out.run.data));
        out.histogram = histogram_of(*out.run.data);
        return out;
      },
      [this, info, box, title, other, selection, display = level.display,
       choice = items_.choices()](const Result<Shown>& shown) {
        if (!shown) {
          services_.messages.say(shown.error());
          return;
        }
        Item item = item_of(info, selection, shown->run);
        item.name = tr("%1 (%2)").arg(item.name, box_text(box));
        item.histogram = shown->histogram;
        item.display = display;
        item.display.mode = first_mode(*item.dataset);
        // Who has chosen something else meanwhile stays there.
        items_.add(std::move(item), title, !other && choice == items_.choices());
      });
}

void LargeFiles::read_all(std::uint64_t id, const SourceInfo& info,
                          const SourceSelection& selection) {
  const Item* level = items_.find(id);
  if (level == nullptr) return;
  std::vector<SourceSelection> seen{selection};
  for (const int other : Channels::others_seen(*level, selection.channel)) {
    seen.push_back({other, selection.time});
  }
  const std::uint64_t number = ++requests_;
  using Read = std::optional<Shown>;
  const std::uint64_t job = services_.background.post(
      Lane::full, tr("Reading all of %1").arg(file_title(info)), {}, this,
      [info, selection, seen, memory = memory(),
       backend = services_.backend](const JobContext& context) -> Result<Read> {
        if (!all_particles_fit(info, seen, memory)) return Read();
        auto run = execute_file({}, info, selection, *backend, context);
        if (!run) return run.error();
        Shown out{*std::move(run), {}};
        out.run.data = released_elsewhere(std::move(out.run.data));
        out.histogram = histogram_of(*out.run.data);
        return Read(std::move(out));
      },
      [this, id, info, selection, number](const Result<Read>& shown) {
        const auto reading = reading_all_.find(id);
        if (reading == reading_all_.end() || reading->second.number != number) return;
        reading_all_.erase(reading);
        // The overview stays; who has closed it meanwhile wants no more of it.
        if (items_.find(id) == nullptr) return;
        if (!shown) {
          services_.messages.say(shown.error());
          return;
        }
        if (!*shown) {
          services_.messages.say(
              MessageKind::warning,
              tr("All of %1 does not fit into memory: this is still an overview.")
                  .arg(file_title(info)));
          return;
        }
        Item all = item_of(info, selection, (*shown)->run);
        all.histogram = (*shown)->histogram;
        replace_level(id, std::move(all));
      });
  reading_all_[id] = {selection, number, job};
}

// Another channel or time point was chosen: all of that is wanted now.
void LargeFiles::follow_selection(std::uint64_t id) {
  const auto reading = reading_all_.find(id);
  const Item* level = items_.find(id);
  if (reading == reading_all_.end() || level == nullptr || !level->source) return;
  if (level->selection == reading->second.selection) return;
  services_.background.cancel(reading->second.job);
  read_all(id, *level->source, level->selection);
}

void LargeFiles::replace_level(std::uint64_t id, Item all) {
  const Item& level = *items_.find(id);
  // The contrast stays if the user has set it.
  const Contrast automatic = automatic_contrast(*level.histogram);
  const bool own =
      level.display.contrast.low != automatic.low || level.display.contrast.high != automatic.high;
  all.display = level.display;
  all.display.mode = first_mode(*all.dataset);
  if (!own) {
    const double gamma = level.display.contrast.gamma;
    all.display.contrast = automatic_contrast(*all.histogram);
    all.display.contrast.gamma = gamma;
  }
  // A voxel size that was typed is that of the level's pixels.
  const bool used =
      level.typed_voxel || std::any_of(items_.all().begin(), items_.all().end(),
                                       [&](const Item& other) { return other.parent == id; });
  if (used) {
    const QString what = tr("Read all of %1").arg(all.name);
    items_.add(std::move(all), what, false);
    return;
  }
  // A name that the user gave stays.
  const QString given = level_title(all.name, *file_level(level), all.dataset->size());
  if (level.name != given) all.name = level.name;
  all.id = id;
  all.origin = level.origin;
  items_.change(id, [&](Item& item) { item = std::move(all); });
}

void LargeFiles::apply_to_whole(const std::vector<Item>& items, const QString& path) {
  std::vector<PartSteps> parts;
  for (const Item& item : items) {
    std::vector<Operation> steps = steps_on_box(item);
    if (steps.empty()) return;
    parts.push_back({{item.recipe.channel, item.recipe.time}, std::move(steps)});
  }
  if (parts.empty()) return;
  const std::string input = items.front().recipe.input;
  std::sort(parts.begin(), parts.end(),
            [](const PartSteps& a, const PartSteps& b) { return a.part.channel < b.part.channel; });
  SlabRun run;
  run.memory = memory_;
  services_.jobs.post(
      Lane::full,
      tr("Applying to all of %1").arg(QFileInfo(QString::fromStdString(input)).fileName()), {},
      this,
      [parts, run, input, backend = services_.backend,
       path = path.toStdString()](const JobContext& context) -> Status {
        const auto info = inspect(input, context);
        if (!info) return info.error();
        if (parts.size() > 1) {
          const auto done = apply_to_parts(parts, *info, run, *backend, path, context);
          return done ? Status() : done.error();
        }
        const PartSteps& one = parts.front();
        const auto done = apply_to_file(one.steps, *info, one.part, run, *backend, path, context);
        return done ? Status() : done.error();
      },
      [this, path](const Status& done) {
        if (!done) {
          services_.messages.say(done.error());
        } else {
          emit converted(path);
        }
      });
}

void LargeFiles::measure_whole(const Item& item, const Operation& operation) {
  const int level = item.beside_level != 0 ? item.beside_level : file_level(item).value_or(0);
  if (level == 0) return;
  const QString label = QString::fromStdString(find_schema(operation.id)->label);
  WholeMeasurement wanted{operation, item.recipe.input, item.selection, level, item.typed_voxel};
  wanted.in_level_pixels = item.beside_level == 0;
  wanted.memory = memory_;
  const auto file = QFileInfo(QString::fromStdString(item.recipe.input)).fileName();
  services_.background.post(
      Lane::full, tr("%1 of all of %2").arg(label, file), {}, this,
      [wanted](const JobContext& context) { return measure_all_of_file(wanted, context); },
      [this, item, level, label, choice = items_.choices()](const Result<MeasuredWhole>& measured) {
        if (!measured) {
          services_.messages.say(measured.error());
          return;
        }
        Item made = item;
        if (item.beside_level == 0) descend(made, item, items_);
        made.beside_level = level;
        made.measurement = measured->found;
        made.source.reset();
        made.raycaster.reset();
        made.saved_as.clear();
        made.saved_stamp.reset();
        made.exported = false;
        made.recipe.steps = {measured->operation};
        made.costs = {measured->cost};
        made.name = tr("%1 (whole file)").arg(label);
        items_.add(std::move(made), label, choice == items_.choices());
      });
}

void LargeFiles::convert(const SourceInfo& info, const std::vector<SourceSelection>& parts,
                         const Operation& convert, const QString& path) {
  services_.jobs.post(
      Lane::full, tr("Converting %1 to %2").arg(file_title(info), QFileInfo(path).fileName()), {},
      this,
      [info, parts, convert, memory = memory_,
       path = path.toStdString()](const JobContext& context) {
        FileConversion how;
        how.memory = memory;
        how.convert = convert;
        how.file.with_tree = true;
        return convert_series(how, info, parts, path, context);
      },
      [this, path](const Result<std::vector<FileConversionReport>>& written) {
        if (!written) {
          services_.messages.say(written.error());
        } else {
          emit converted(path);
        }
      });
}

}  // namespace aprscope::gui

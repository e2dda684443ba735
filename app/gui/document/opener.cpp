#include "app/gui/document/opener.hpp"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/gui/document/file_title.hpp"
#include "app/gui/document/release.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/image_source.hpp"
#include "core/io/projections/projection_format.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::gui {
namespace {

// Data with everything that the window needs to show it at once.
using Prepared = Channels::Kept;

// The result of opening a file.
struct Opened {
  Execution run;
  std::shared_ptr<const Histogram> histogram;
  // It is an overview of particles that fit into memory.
  bool more = false;
};

Prepared prepare(Data data) {
  Prepared out;
  out.dataset = released_elsewhere(Dataset::create(std::move(data)));
  out.histogram = histogram_of(*out.dataset);
  return out;
}

DisplaySettings first_display(const Prepared& data) {
  DisplaySettings display;
  display.mode = first_mode(*data.dataset);
  display.contrast = automatic_contrast(*data.histogram);
  return display;
}

QString ending_of_path(const QString& path) { return QFileInfo(path).suffix().toLower(); }

}  // namespace

Opener::Opener(ItemList& items, Runner& runner, Channels& channels, LargeFiles& large,
               Services& services)
    : items_(items),
      runner_(runner),
      channels_(channels),
      large_(large),
      services_(services),
      stitcher_(services),
      ahead_(items, large, services) {
  connect(&stitcher_, &Stitcher::stitched, this,
          [this](const QString& path) { open(QStringList{path}); });
}

void Opener::open(const QStringList& paths) {
  for (const QString& given : paths) {
    const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
    const bool of_zarr = QFileInfo(path).fileName() == QLatin1String("zarr.json");
    if (ending_of_path(path) == QLatin1String("json") && !of_zarr) {
      open_recipe(path);
      continue;
    }
    if (ending_of_path(path) == QLatin1String("aprscope")) {
      emit workspace_dropped(path);
      continue;
    }
    const QString title = tr("Opening %1").arg(QFileInfo(path).fileName());
    // In the background queue, so that opening a file need not wait for a long filter.
    services_.background.post(
        Lane::full, title, {}, this,
        [path = path.toStdString()](const JobContext& context) { return inspect(path, context); },
        [this, path](const Result<SourceInfo>& info) {
          if (!info) {
            services_.messages.say(info.error());
            return;
          }
          // A path may name a dataset after a colon; otherwise, a file with several needs a choice.
          const bool picked = names_dataset(path.toStdString());
          if (info->datasets.size() > 1 && !picked) {
            emit dataset_choice_needed(*info);
          } else {
            open(*info);
          }
        });
  }
}

void Opener::open(const SourceInfo& info, const SourceSelection& selection) {
  // What is opened gets the memory.
  ahead_.release();
  // Images only: particles that do not fit into memory are shown as a level.
  if (reads_slices(info) && !image_fits(info, large_.memory())) {
    emit conversion_needed(info, selection);
  } else {
    load_new(info, selection);
  }
}

void Opener::open_demo() {
  services_.background.post(
      Lane::full, tr("Making the demo image"), {}, this,
      [](const JobContext&) -> Result<Prepared> { return prepare(demo_image()); },
      [this](const Result<Prepared>& data) {
        if (!data) {
          services_.messages.say(data.error());
          return;
        }
        Item item;
        item.name = tr("demo cells");
        item.dataset = data->dataset;
        item.histogram = data->histogram;
        item.display = first_display(*data);
        items_.add(std::move(item), tr("Open the demo image"));
      });
}

void Opener::select(std::uint64_t id, const SourceSelection& selection) {
  const Item* found = items_.find(id);
  if (found == nullptr || !found->source) return;
  if (found->selection == selection) return;
  // The data may be loaded already: a channel shown with others, or the next time point. Not while
  // a part is being read.
  if (const auto kept = selecting(id) ? std::nullopt : channels_.kept(*found, selection)) {
    show_selected(id, selection, *kept);
    return;
  }
  const FilePart part = part_of(*found, selection);
  ahead_.expect(part);
  if (const auto read = selecting(id) ? std::nullopt : ahead_.take(part)) {
    show_loaded(id, selection, *read);
    return;
  }
  load_into(id, *found->source, selection);
}

// Applies a recipe that was opened or dropped to the current item.
void Opener::open_recipe(const QString& path) {
  services_.background.post(
      Lane::full, tr("Reading %1").arg(QFileInfo(path).fileName()), {}, this,
      [path = path.toStdString()](const JobContext&) { return load_recipe(path); },
      [this](const Result<Recipe>& recipe) {
        if (!recipe) {
          services_.messages.say(recipe.error());
        } else {
          runner_.apply(*recipe);
        }
      });
}

// Replaces the data of an item by another part of its file.
void Opener::show_selected(std::uint64_t id, const SourceSelection& selection,
                           const Channels::Kept& data) {
  SourceSelection earlier;
  items_.change(id, [&](Item& item) {
    earlier = item.selection;
    // The contrast becomes automatic for this channel, unless the user has set it.
    const Contrast before = automatic_contrast(*item.histogram);
    if (item.selection.channel != selection.channel && item.display.contrast.low == before.low &&
        item.display.contrast.high == before.high) {
      const double gamma = item.display.contrast.gamma;
      item.display.contrast = automatic_contrast(*data.histogram);
      item.display.contrast.gamma = gamma;
    }
    item.dataset = data.dataset;
    item.histogram = data.histogram;
    item.raycaster = data.raycaster;
    item.selection = selection;
    item.recipe.channel = selection.channel;
    item.recipe.time = selection.time;
    // What was exported is another part.
    item.saved_as.clear();
    item.saved_stamp.reset();
  });
  ahead_.follow(id, earlier);
}

void Opener::show_loaded(std::uint64_t id, const SourceSelection& selection, LoadedPart loaded) {
  // Another device renders by now.
  if (loaded.renders != services_.backend) {
    loaded.chosen.raycaster.reset();
    for (auto& [channel, data] : loaded.others) data.raycaster.reset();
  }
  channels_.put(id, selection.time, std::move(loaded.others));
  show_selected(id, selection, loaded.chosen);
}

void Opener::load_new(const SourceInfo& info, const SourceSelection& selection) {
  services_.background.post(
      Lane::full, tr("Reading %1").arg(file_title(info)), {}, this,
      [info, selection, memory = large_.memory(), at_once = large_.at_once(),
       backend = services_.backend](const JobContext& context) -> Result<Opened> {
        auto run = open_file(info, selection, std::min(memory, at_once), *backend, context);
        if (!run) return run.error();
        Opened out{*std::move(run), {}, false};
        if (shown_level(out.run.steps)) out.more = particles_fit(info, selection, memory);
        out.run.data = released_elsewhere(std::move(out.run.data));
        out.histogram = histogram_of(*out.run.data);
        return out;
      },
      [this, info, selection](const Result<Opened>& read) {
        if (!read) {
          services_.messages.say(read.error());
          return;
        }
        Item item = large_.item_of(info, selection, read->run, read->more);
        item.histogram = read->histogram;
        item.display = first_display({item.dataset, item.histogram, {}});
        const QString name = item.name;
        const QString input = QString::fromStdString(item.recipe.input);
        const std::uint64_t id = items_.add(std::move(item), tr("Open %1").arg(name));
        if (read->more) large_.read_all(id, info, selection);
        emit opened(input);
      });
}

// Loads another part of an item's file to replace the item's data.
void Opener::load_into(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection) {
  const Item* before = items_.find(id);
  if (before == nullptr) return;
  // If only other images are selected, the open table is used and not read again.
  const bool only_images = before->selection.first_image != selection.first_image &&
                           !before->is_apr() && before->dataset->volume().projections;
  const FilePart part = part_of(*before, selection);
  ++selecting_[id];
  // Sliders cause many requests: the newest one replaces those that wait.
  services_.jobs.post(
      Lane::preview, tr("Reading %1").arg(file_title(info)), "select" + std::to_string(id), this,
      [info, part, reading = ahead_.reading(part), set = only_images ? before->dataset : nullptr](
          const JobContext& context) -> Result<LoadedPart> {
        if (set) {
          LoadedPart out;
          auto images = other_images(set->volume(), part.selection.first_image, context);
          if (!images) return images.error();
          out.chosen.dataset = released_elsewhere(Dataset::create(*std::move(images)));
          out.chosen.histogram = histogram_of(*out.chosen.dataset);
          return out;
        }
        // What is being read ahead is not read twice; if that fails, this says why.
        if (auto read = reading ? reading->wait(context) : std::nullopt) return *std::move(read);
        if (context.stop_requested()) return cancelled_error();
        return load_part(info, part, context);
      },
      [this, id, info, selection, level = part.level](const Result<LoadedPart>& loaded) {
        if (--selecting_[id] == 0) selecting_.erase(id);
        if (!loaded) {
          services_.messages.say(loaded.error());
          // Also cancelled if a newer selection replaced it; then not_selected() is not emitted.
          if (!loaded.error().cancelled() || !selecting_.contains(id)) emit not_selected(id);
          return;
        }
        // All of the file has taken the place of an overview meanwhile.
        const Item* now = items_.find(id);
        if (now != nullptr && file_level(*now) != level) {
          load_into(id, info, selection);
          return;
        }
        show_loaded(id, selection, *loaded);
      });
}

}  // namespace aprscope::gui

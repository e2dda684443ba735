#include "app/gui/document/opener.hpp"

#include <QDir>
#include <QFileInfo>
#include <utility>

#include "app/gui/document/release.hpp"
#include "core/image/synthetic.hpp"

namespace aprscope::gui {
namespace {

// Data with what the window needs to show it at once.
using Prepared = Channels::Kept;

// A channel, and those that are shown with it.
struct Loaded {
  Prepared chosen;
  std::map<int, Prepared> others;
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

QString stem(const SourceInfo& info) {
  QString name = QString::fromStdString(info.path.stem().string());
  if (info.datasets.size() > 1) {
    name += QStringLiteral(" ") + QString::fromStdString(info.dataset);
  }
  return name;
}

std::string recipe_input(const SourceInfo& info) {
  const std::string path = info.path.string();
  return info.dataset.empty() ? path : path + ":" + info.dataset;
}

QString ending_of(const QString& path) { return QFileInfo(path).suffix().toLower(); }

}  // namespace

Opener::Opener(ItemList& items, Runner& runner, Channels& channels, Services& services)
    : items_(items), runner_(runner), channels_(channels), services_(services) {}

void Opener::open(const QStringList& paths) {
  for (const QString& given : paths) {
    const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
    const bool of_zarr = QFileInfo(path).fileName() == QLatin1String("zarr.json");
    if (ending_of(path) == QLatin1String("json") && !of_zarr) {
      open_recipe(path);
      continue;
    }
    if (ending_of(path) == QLatin1String("aprscope")) {
      emit workspace_dropped(path);
      continue;
    }
    const QString title = tr("Opening %1").arg(QFileInfo(path).fileName());
    // In the background queue: a file need not wait until a long filter is done.
    services_.background.post(
        Lane::full, title, {}, this,
        [path = path.toStdString()](const JobContext& context) { return inspect(path, context); },
        [this, path](const Result<SourceInfo>& info) {
          if (!info) {
            services_.messages.say(info.error());
            return;
          }
          // A dataset named after the colon was asked for; otherwise several need a choice.
          const bool picked = image_path(path.toStdString()) != info->path;
          if (info->datasets.size() > 1 && !picked) {
            emit dataset_choice_needed(*info);
          } else {
            open(*info);
          }
        });
  }
}

void Opener::open(const SourceInfo& info, const SourceSelection& selection) {
  load_into(0, info, selection);
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
  if (found->selection.channel == selection.channel && found->selection.time == selection.time) {
    return;
  }
  // What is shown beside the others is there already. Nothing that is still read may follow it.
  if (const auto kept = selecting(id) ? std::nullopt : channels_.kept(*found, selection)) {
    show_selected(id, selection, *kept);
    return;
  }
  load_into(id, *found->source, selection);
}

// A recipe that is dropped or opened is applied to the current item.
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

// Another part of its file takes the place of an item's data.
void Opener::show_selected(std::uint64_t id, const SourceSelection& selection,
                           const Channels::Kept& data) {
  items_.change(id, [&](Item& item) {
    // Channels differ in brightness; what the user has set by hand stays.
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
  });
}

// Loads a part of a file as a new item (id 0), or in the place of the data of item `id`.
void Opener::load_into(std::uint64_t id, const SourceInfo& info, const SourceSelection& selection) {
  const QString title = tr("Reading %1").arg(stem(info));
  // Sliders ask for many parts: the newest wins.
  JobBridge& bridge = id == 0 ? services_.background : services_.jobs;
  const Item* before = items_.find(id);
  const auto typed = before == nullptr ? std::nullopt : before->typed_voxel;
  std::vector<int> others;
  if (before != nullptr && before->selection.time != selection.time) {
    others = Channels::others_seen(*before, selection.channel);
  }
  if (id != 0) ++selecting_[id];
  bridge.post(
      id == 0 ? Lane::full : Lane::preview, title,
      id == 0 ? std::string() : "select" + std::to_string(id), this,
      [info, selection, typed, others](const JobContext& context) -> Result<Loaded> {
        Loaded out;
        const double count = static_cast<double>(others.size()) + 1.0;
        auto chosen =
            Channels::load_channel(info, selection, typed, context.part(0.0, 1.0 / count));
        if (!chosen) return chosen.error();
        out.chosen = *std::move(chosen);
        double at = 1.0;
        for (const int channel : others) {
          auto other = Channels::load_channel(info, {channel, selection.time}, typed,
                                              context.part(at / count, (at + 1.0) / count));
          if (!other) return other.error();
          out.others[channel] = *std::move(other);
          at += 1.0;
        }
        return out;
      },
      [this, id, info, selection](const Result<Loaded>& loaded) {
        if (id != 0 && --selecting_[id] == 0) selecting_.erase(id);
        if (!loaded) {
          services_.messages.say(loaded.error());
          if (id != 0 && !loaded.error().cancelled()) emit not_selected(id);
          return;
        }
        const Prepared* data = &loaded->chosen;
        if (id != 0) {
          channels_.put(id, selection.time, loaded->others);
          show_selected(id, selection, *data);
          return;
        }
        Item item;
        item.name = stem(info);
        item.dataset = data->dataset;
        item.histogram = data->histogram;
        item.display = first_display(*data);
        item.source = info;
        item.selection = selection;
        item.file_channels = static_cast<int>(info.channels.size());
        item.file_times = info.times;
        item.recipe.input = recipe_input(info);
        item.recipe.channel = selection.channel;
        item.recipe.time = selection.time;
        const QString name = item.name;
        items_.add(std::move(item), tr("Open %1").arg(name));
        emit opened(QString::fromStdString(recipe_input(info)));
      });
}

}  // namespace aprscope::gui

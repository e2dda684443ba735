// What the document does in the background: open, select, apply, export.
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/document.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/project/half_map_files.hpp"
#include "core/operations/registry.hpp"
#include "core/pipeline/brightest.hpp"

namespace aprscope::gui {
namespace {

// Data with what the window needs to show it at once.
struct Prepared {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
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

// A file, and where it was computed what went into it.
struct Written {
  FileStamp stamp;
  StepCost cost;
};

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

Status write(const Item& item, const std::filesystem::path& path, const QString& ending,
             const ExportOptions& options, const Backend& backend, const JobContext& context) {
  if (ending == QLatin1String("json")) return save_recipe(item.recipe, path);
  if (item.is_measurement()) return write_tables(table_files(std::array{item.measurement}, path));
  if (ending == QLatin1String("apr")) {
    return write_apr(item.dataset->apr(), path, {options.with_tree}, context);
  }
  if (options.labels) return write_labels_of(*item.dataset, path, context);
  if (!item.is_apr()) {
    const Volume& image = item.dataset->volume();
    if (options.halves) {
      if (Status ok = write_half_maps(image, path, context.part(0.0, 0.6)); !ok) return ok;
    }
    return write_image(image, path, context.part(options.halves ? 0.6 : 0.0, 1.0));
  }
  Operation reconstruct{"reconstruct", {}};
  if (options.smooth) reconstruct.parameters["mode"] = std::string("smooth");
  const auto pixels = execute({reconstruct}, item.dataset, backend, context.part(0.0, 0.5));
  if (!pixels) return pixels.error();
  return write_image(pixels->data->volume(), path, context.part(0.5, 1.0));
}

}  // namespace

void Document::open(const QStringList& paths) {
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
    background_->post(
        Lane::full, title, {}, this,
        [path = path.toStdString()](const JobContext& context) { return inspect(path, context); },
        [this, path](const Result<SourceInfo>& info) {
          if (!info) {
            say(info.error());
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

// A recipe that is dropped or opened is applied to the current item.
void Document::open_recipe(const QString& path) {
  background_->post(
      Lane::full, tr("Reading %1").arg(QFileInfo(path).fileName()), {}, this,
      [path = path.toStdString()](const JobContext&) { return load_recipe(path); },
      [this](const Result<Recipe>& recipe) {
        if (!recipe) {
          say(recipe.error());
        } else {
          apply(*recipe);
        }
      });
}

void Document::open(const SourceInfo& info, const SourceSelection& selection) {
  load_into(0, info, selection);
}

void Document::select(std::uint64_t id, const SourceSelection& selection) {
  const Item* found = item(id);
  if (found == nullptr || !found->source) return;
  if (found->selection.channel == selection.channel && found->selection.time == selection.time) {
    return;
  }
  load_into(id, *found->source, selection);
}

// Loads a part of a file as a new item (id 0), or in the place of the data of item `id`.
void Document::load_into(std::uint64_t id, const SourceInfo& info,
                         const SourceSelection& selection) {
  const QString title = tr("Reading %1").arg(stem(info));
  // Sliders ask for many parts: the newest wins.
  JobBridge& bridge = id == 0 ? *background_ : *jobs_;
  const auto typed = id == 0 ? std::nullopt : item(id)->typed_voxel;
  bridge.post(
      id == 0 ? Lane::full : Lane::preview, title,
      id == 0 ? std::string() : "select" + std::to_string(id), this,
      [info, selection, typed](const JobContext& context) -> Result<Prepared> {
        auto data = load(info, selection, context);
        if (!data) return data.error();
        if (typed) std::visit([&](auto& one) { one.voxel = *typed; }, *data);
        return prepare(*std::move(data));
      },
      [this, id, info, selection](const Result<Prepared>& data) {
        if (!data) {
          say(data.error());
          return;
        }
        if (id != 0) {
          change_item(id, [&](Item& item) {
            // Channels differ in brightness; what the user has set by hand stays.
            const Contrast before = automatic_contrast(*item.histogram);
            if (item.selection.channel != selection.channel &&
                item.display.contrast.low == before.low &&
                item.display.contrast.high == before.high) {
              const double gamma = item.display.contrast.gamma;
              item.display.contrast = automatic_contrast(*data->histogram);
              item.display.contrast.gamma = gamma;
            }
            item.dataset = data->dataset;
            item.histogram = data->histogram;
            item.raycaster.reset();
            item.selection = selection;
            item.recipe.channel = selection.channel;
            item.recipe.time = selection.time;
          });
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
        add(std::move(item), tr("Open %1").arg(name));
        emit opened(QString::fromStdString(recipe_input(info)));
      });
}

void Document::set_voxel_size(std::uint64_t id, const VoxelSize& voxel) {
  const Item* found = item(id);
  if (found == nullptr || found->dataset->voxel() == voxel) return;
  if (found->growing) {
    say(MessageKind::info, tr("It is still growing: cancel its job, or keep what there is."));
    return;
  }
  if (!found->recipe.steps.empty()) {
    say(MessageKind::warning, tr("A result has the voxel size of what it was made from."));
    return;
  }
  jobs_->post(
      Lane::preview, tr("Voxel size"), "voxel" + std::to_string(id), this,
      [data = found->dataset, voxel](const JobContext&) -> Result<std::shared_ptr<const Dataset>> {
        return released_elsewhere(Dataset::create(with_voxel_size(*data, voxel)));
      },
      [this, id, voxel,
       before = found->dataset](const Result<std::shared_ptr<const Dataset>>& made) {
        if (!made) {
          say(made.error());
          return;
        }
        const Item* still = item(id);
        // Another channel came meanwhile: then that has the file's own size.
        if (still == nullptr || still->dataset != before) return;
        undo_.push(new VoxelCommand(*this, id, *made, voxel));
      });
}

void Document::open_demo() {
  background_->post(
      Lane::full, tr("Making the demo image"), {}, this,
      [](const JobContext&) -> Result<Prepared> { return prepare(demo_image()); },
      [this](const Result<Prepared>& data) {
        if (!data) {
          say(data.error());
          return;
        }
        Item item;
        item.name = tr("demo cells");
        item.dataset = data->dataset;
        item.histogram = data->histogram;
        item.display = first_display(*data);
        add(std::move(item), tr("Open the demo image"));
      });
}

void Document::go_to_brightest() {
  const Item* now = current();
  if (now == nullptr || !has_values(*now->dataset)) return;
  background_->post(
      Lane::preview, tr("Looking for the maximum"), "brightest", this,
      [data = now->dataset](const JobContext& context) { return brightest(*data, context); },
      [this, id = now->id](const Result<std::optional<Index3>>& found) {
        if (!found) {
          say(found.error());
        } else if (*found && current_ == id) {
          set_crosshair(**found);
        }
      });
}

std::uint64_t Document::apply(const Operation& operation) {
  const auto whole = complete(operation);
  if (!whole) {
    say(whole.error());
    return 0;
  }
  if (const Status ok = supports(*whole); !ok) {
    say(ok.error());
    return 0;
  }
  if (amends(*whole)) return amend(*whole);
  return start(*current(), {*whole}, QString::fromStdString(find_schema(whole->id)->label));
}

std::uint64_t Document::apply(const Recipe& recipe) {
  if (recipe.steps.empty()) {
    say(MessageKind::warning, tr("The recipe has no steps."));
    return 0;
  }
  if (const Status ok = supports(recipe.steps.front()); !ok) {
    say(ok.error());
    return 0;
  }
  return start(*current(), steps_for(recipe.steps, current()->recipe.input),
               tr("Recipe of %n step(s)", nullptr, static_cast<int>(recipe.steps.size())));
}

std::uint64_t Document::export_item(std::uint64_t id, const QString& path,
                                    const ExportOptions& options) {
  const Item* found = item(id);
  if (found == nullptr || found->growing) return 0;
  QString ending = ending_of(path);
  if (ending == QLatin1String("tiff")) ending = QStringLiteral("tif");
  const bool table = found->is_measurement();
  const QStringList endings =
      table ? QStringList{QStringLiteral("csv"), QStringLiteral("json")}
            : QStringList{QStringLiteral("apr"), QStringLiteral("tif"), QStringLiteral("mrc"),
                          QStringLiteral("map"), QStringLiteral("json")};
  if (!endings.contains(ending)) {
    say(Error{table ? "cannot be written: what was measured is .csv, its recipe .json"
                    : "cannot be written: its ending is not .apr, .tif, .mrc, .png or .json",
              path.toStdString(), "choose one of them"});
    return 0;
  }
  if (ending == QLatin1String("json") && found->typed_voxel) {
    const VoxelSize& v = *found->typed_voxel;
    say(MessageKind::warning,
        tr("A recipe holds no voxel size: on the command line, add --voxel-size %1,%2,%3.")
            .arg(v.z)
            .arg(v.x)
            .arg(v.y));
  }
  if (ending == QLatin1String("apr") && !found->is_apr()) {
    say(Error{"is a pixel image, which an .apr file cannot hold", found->name.toStdString(),
              "convert it first, or write a .tif"});
    return 0;
  }
  return jobs_->post(
      Lane::full, tr("Writing %1").arg(QFileInfo(path).fileName()), {}, this,
      [item = *found, path, ending, options,
       backend = backend_](const JobContext& context) -> Result<Written> {
        const std::string file = path.toStdString();
        StepCost cost;
        cost.operation = "reconstruct";
        const JobContext watched =
            context.listening([&](const DeviceMove& move) { cost.moved = move; });
        if (Status ok = write(item, file, ending, options, *backend, watched); !ok) {
          return ok.error();
        }
        // Of several files there is no stamp that a workspace would ask for.
        if (item.is_measurement()) return Written{};
        auto stamp = stamp_of(file);
        if (!stamp) return stamp.error();
        return Written{*std::move(stamp), std::move(cost)};
      },
      [this, id, path, ending, dataset = found->dataset,
       measurement = found->measurement](const Result<Written>& written) {
        if (!written) {
          say(written.error());
          return;
        }
        say_moves({written->cost});
        // A workspace reads such a file instead of doing the steps again.
        const Item* still = item(id);
        const bool exact =
            still != nullptr && !still->is_measurement() &&
            // Findings of labels are in no file.
            (!dataset->labels() || dataset->labels()->findings.empty()) &&
            (dataset->is_apr()
                 ? ending == QLatin1String("apr")
                 : ending == QLatin1String("tif") && !dataset->labels() &&
                       !dataset->volume().reconstruction && !dataset->volume().projections);
        if (exact && still->dataset == dataset) {
          change_item(id, [&](Item& saved) {
            saved.saved_as = QFileInfo(path).absoluteFilePath().toStdString();
            saved.saved_stamp = written->stamp;
          });
        }
        QString file = path;
        if (measurement) {
          const auto files = table_files(std::array{measurement}, path.toStdString());
          if (!files.empty()) file = QString::fromStdString(files.front().path.string());
          if (ending == QLatin1String("csv") && still != nullptr) {
            change_item(id, [](Item& written_item) { written_item.exported = true; });
          }
        }
        if (ending == QLatin1String("json")) file = path;
        emit exported(file);
      });
}

}  // namespace aprscope::gui

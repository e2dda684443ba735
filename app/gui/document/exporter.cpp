#include "app/gui/document/exporter.hpp"

#include <QFileInfo>
#include <array>
#include <filesystem>
#include <utility>

#include "app/gui/document/zarr_export.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/project/half_map_files.hpp"
#include "core/pipeline/series.hpp"

namespace aprscope::gui {
namespace {

// A written file, and the cost of a step that was needed for it.
struct Written {
  FileStamp stamp;
  StepCost cost;
};

QString ending_of(const QString& path) { return QFileInfo(path).suffix().toLower(); }

Status write(const Item& item, const ZarrLook& look, const std::filesystem::path& path,
             const QString& ending, const ExportOptions& options, const Backend& backend,
             const JobContext& context) {
  if (ending == QLatin1String("json")) return save_recipe(item.recipe, path);
  if (item.is_measurement()) return write_tables(table_files(std::array{item.measurement}, path));
  if (ending == QLatin1String("apr") && options.all_parts) {
    const auto info = inspect(item.recipe.input, context);
    if (!info) return info.error();
    return write_series(item.recipe.steps, *info, all_parts(*info), item.typed_voxel, backend, path,
                        {options.with_tree}, context);
  }
  if (ending == QLatin1String("apr")) {
    return write_apr(item.dataset->apr(), path, {options.with_tree}, context);
  }
  if (ending == QLatin1String("zarr") && !options.labels) {
    return write_zarr(item, look, options.all_parts, path, options.zarr, backend, context);
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

Exporter::Exporter(ItemList& items, Channels& channels, Services& services)
    : items_(items), channels_(channels), services_(services) {}

std::uint64_t Exporter::export_item(std::uint64_t id, const QString& path,
                                    const ExportOptions& options) {
  const Item* found = items_.find(id);
  if (found == nullptr || found->growing) return 0;
  QString ending = ending_of(path);
  if (ending == QLatin1String("tiff")) ending = QStringLiteral("tif");
  const bool table = found->is_measurement();
  const QStringList endings =
      table ? QStringList{QStringLiteral("csv"), QStringLiteral("json")}
            : QStringList{QStringLiteral("apr"), QStringLiteral("tif"),  QStringLiteral("mrc"),
                          QStringLiteral("map"), QStringLiteral("zarr"), QStringLiteral("json")};
  if (!endings.contains(ending)) {
    services_.messages.say(Error{
        table ? "cannot be written: measurements are written as .csv, their recipes as .json"
              : "cannot be written: its ending is not .apr, .tif, .mrc, .map, .zarr, .png or .json",
        path.toStdString(), "choose one of them"});
    return 0;
  }
  if (ending == QLatin1String("json") && found->typed_voxel) {
    const VoxelSize& v = *found->typed_voxel;
    services_.messages.say(
        MessageKind::warning,
        tr("A recipe holds no voxel size: on the command line, add --voxel-size %1,%2,%3.")
            .arg(v.z)
            .arg(v.x)
            .arg(v.y));
  }
  if (ending == QLatin1String("apr") && !found->is_apr()) {
    services_.messages.say(Error{"is a pixel image, which an .apr file cannot hold",
                                 found->name.toStdString(), "convert it first, or write a .tif"});
    return 0;
  }
  return services_.jobs.post(
      Lane::full, tr("Writing %1").arg(QFileInfo(path).fileName()), {}, this,
      [item = *found, look = zarr_look(*found, channels_), path, ending, options,
       backend = services_.backend](const JobContext& context) -> Result<Written> {
        const std::string file = path.toStdString();
        StepCost cost;
        cost.operation = "reconstruct";
        const JobContext watched =
            context.listening([&](const DeviceMove& move) { cost.moved = move; });
        if (Status ok = write(item, look, file, ending, options, *backend, watched); !ok) {
          return ok.error();
        }
        // A stamp describes a single file, so exports of several files have none.
        if (item.is_measurement() || ending == QLatin1String("zarr")) return Written{};
        auto stamp = stamp_of(file);
        if (!stamp) return stamp.error();
        return Written{*std::move(stamp), std::move(cost)};
      },
      [this, id, path, ending, all_parts = options.all_parts, dataset = found->dataset,
       measurement = found->measurement](const Result<Written>& written) {
        if (!written) {
          services_.messages.say(written.error());
          return;
        }
        services_.messages.say_moves({written->cost});
        // Remembers the file, so that a workspace can read it instead of repeating the steps.
        const Item* still = items_.find(id);
        const bool exact =
            still != nullptr && !still->is_measurement() && !all_parts &&
            // Files do not store the findings of labels, so these would be lost.
            (!dataset->labels() || dataset->labels()->findings.empty()) &&
            (dataset->is_apr()
                 ? ending == QLatin1String("apr")
                 : ending == QLatin1String("tif") && !dataset->labels() &&
                       !dataset->volume().reconstruction && !dataset->volume().projections);
        if (exact && still->dataset == dataset) {
          items_.change(id, [&](Item& saved) {
            saved.saved_as = QFileInfo(path).absoluteFilePath().toStdString();
            saved.saved_stamp = written->stamp;
          });
        }
        QString file = path;
        if (measurement) {
          const auto files = table_files(std::array{measurement}, path.toStdString());
          if (!files.empty()) file = QString::fromStdString(files.front().path.string());
          if (ending == QLatin1String("csv") && still != nullptr) {
            items_.change(id, [](Item& written_item) { written_item.exported = true; });
          }
        }
        if (ending == QLatin1String("json")) file = path;
        emit exported(file);
      });
}

}  // namespace aprscope::gui

#include "app/gui/document/turn_export.hpp"

#include <QFileInfo>
#include <utility>

namespace aprscope::gui {

TurningData turning(const Item& item, const DisplaySettings& display, const QString& title) {
  return {item.dataset,
          {nullptr, item.dataset->size(), item.dataset->voxel(), display.contrast, display.colormap,
           title.toStdString()}};
}

WritingWork turn_work(std::vector<TurningData> wanted, int frames, const QString& path) {
  return [wanted = std::move(wanted), frames,
          path = path.toStdString()](const JobContext& context) -> Status {
    std::vector<MovieSide> sides;
    for (const TurningData& one : wanted) {
      auto raycaster = one.data->raycaster(context.part(0.0, 0.1));
      if (!raycaster) return raycaster.error();
      sides.push_back(one.side);
      sides.back().raycaster = *std::move(raycaster);
      for (const auto& [data, look] : one.channels) {
        auto made = data->raycaster(context.part(0.0, 0.1));
        if (!made) return made.error();
        sides.back().channels.push_back({*std::move(made), look});
      }
    }
    MovieOptions options;
    options.frames = frames;
    return write_turn(sides, options, path, context.part(0.1, 1.0));
  };
}

std::uint64_t write_in_background(Document& document, const QString& path, WritingWork work) {
  return document.jobs().post(
      Lane::full, QObject::tr("Writing %1").arg(QFileInfo(path).fileName()), {},
      &document.exporter(),
      [work = std::move(work)](const JobContext& context) -> Result<bool> {
        if (Status done = work(context); !done) return done.error();
        return true;
      },
      [&document, path](const Result<bool>& written) {
        if (!written) {
          document.messages().say(written.error());
        } else {
          emit document.exporter().exported(path);
        }
      });
}

std::uint64_t export_turn(Document& document, const Item& item, const QString& path, int frames) {
  if (const Status ok = check_movie(path.toStdString()); !ok) {
    document.messages().say(ok.error());
    return 0;
  }
  TurningData data = turning(item, item.display, document.items().full_name(item.id));
  for (const ItemChannel& one : document.channels().of(item)) {
    if (one.look.visible && one.dataset) data.channels.emplace_back(one.dataset, one.look);
  }
  return write_in_background(document, path, turn_work({std::move(data)}, frames, path));
}

}  // namespace aprscope::gui

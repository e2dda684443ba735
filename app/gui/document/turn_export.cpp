#include "app/gui/document/turn_export.hpp"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <utility>

namespace aprscope::gui {
namespace {

// Wide pictures of 720 rows.
constexpr int kFlightPixels = 1280;

}  // namespace

TurningData turning(const Item& item, const DisplaySettings& display, const ViewOptions& options,
                    const QString& title) {
  const Dataset& data = *item.dataset;
  TurningData out{item.dataset,
                  {nullptr, data.size(), data.voxel(), display.contrast, display.colormap,
                   title.toStdString()}};
  if (options.translucent) out.side.depth = options.depth * mean_side(data.size(), data.voxel());
  return out;
}

namespace {

// Makes the raycasters of a side.
Result<MovieSide> made_side(const TurningData& one, const JobContext& context) {
  auto raycaster = one.data->raycaster(context);
  if (!raycaster) return raycaster.error();
  MovieSide side = one.side;
  side.raycaster = *std::move(raycaster);
  for (const auto& [data, look] : one.channels) {
    auto made = data->raycaster(context);
    if (!made) return made.error();
    side.channels.push_back({*std::move(made), look});
  }
  return side;
}

// An item as the 3-D view shows it, with the channels that are shown over it; a surface is of one.
TurningData shown_item(Document& document, const Item& item, const QString& title,
                       std::optional<float> surface) {
  TurningData data = turning(item, item.display, document.view().options(), title);
  data.side.surface = surface;
  if (surface) return data;
  for (const ItemChannel& one : document.channels().of(item)) {
    if (one.look.visible && one.dataset) data.channels.emplace_back(one.dataset, one.look);
  }
  return data;
}

}  // namespace

WritingWork turn_work(std::vector<TurningData> wanted, int frames, const QString& path) {
  return [wanted = std::move(wanted), frames,
          path = path.toStdString()](const JobContext& context) -> Status {
    std::vector<MovieSide> sides;
    for (const TurningData& one : wanted) {
      auto side = made_side(one, context.part(0.0, 0.1));
      if (!side) return side.error();
      sides.push_back(*std::move(side));
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

std::uint64_t export_turn(Document& document, const Item& item, const QString& path, int frames,
                          std::optional<float> surface) {
  if (const Status ok = check_movie(path.toStdString()); !ok) {
    document.messages().say(ok.error());
    return 0;
  }
  TurningData data = shown_item(document, item, document.items().full_name(item.id), surface);
  if (item.id == document.items().current_id()) data.side.only = document.view().clip();
  return write_in_background(document, path, turn_work({std::move(data)}, frames, path));
}

std::uint64_t export_flight(Document& document, const Item& item,
                            const std::vector<RayCamera>& stops, double seconds,
                            const QString& path, std::optional<float> surface) {
  if (const Status ok = check_movie(path.toStdString()); !ok) {
    document.messages().say(ok.error());
    return 0;
  }
  MovieOptions options;
  options.pixels = kFlightPixels;
  const int steps = std::max(1, static_cast<int>(std::lround(seconds * options.per_second)));
  TurningData data = shown_item(document, item, {}, surface);
  return write_in_background(document, path,
                             [data = std::move(data), stops, steps, options,
                              path = path.toStdString()](const JobContext& context) -> Status {
                               const auto side = made_side(data, context.part(0.0, 0.1));
                               if (!side) return side.error();
                               return write_flight(*side, stops, steps, options, path,
                                                   context.part(0.1, 1.0));
                             });
}

}  // namespace aprscope::gui

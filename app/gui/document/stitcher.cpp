#include "app/gui/document/stitcher.hpp"

#include "app/gui/document/file_title.hpp"
#include "core/pipeline/stitching.hpp"

namespace aprscope::gui {

void Stitcher::stitch(const SourceInfo& list, const SourceSelection& selection,
                      const QString& path) {
  services_.jobs.post(
      Lane::full, tr("Registering the tiles of %1").arg(file_title(list)), {}, this,
      [list, selection, path = path.toStdString()](const JobContext& context) {
        return stitch_list(list, selection, {}, path, context);
      },
      [this, path](const Result<StitchFigures>& made) {
        if (!made) {
          services_.messages.say(made.error());
          return;
        }
        if (made->counting == 0) {
          services_.messages.say(
              MessageKind::warning,
              tr("No two of the %1 tiles have enough in common: they stay where the list has them.")
                  .arg(made->tiles));
        } else {
          services_.messages.say(
              MessageKind::info,
              tr("%1 tiles registered: %2 of %3 pairs count, moves up to %4 pixels, off by %5.")
                  .arg(made->tiles)
                  .arg(made->counting)
                  .arg(made->pairs)
                  .arg(made->largest_move, 0, 'f', 1)
                  .arg(made->off_rms, 0, 'f', 2));
        }
        emit stitched(path);
      });
}

void Stitcher::list(const SourceInfo& file, const QString& path) {
  services_.jobs.post(
      Lane::full, tr("Listing the tiles of %1").arg(file_title(file)), {}, this,
      [file, path = path.toStdString()](const JobContext& context) {
        return list_tiles(file, {}, path, context);
      },
      [this, path](const Result<std::size_t>& listed) {
        if (!listed) {
          services_.messages.say(listed.error());
          return;
        }
        services_.messages.say(
            MessageKind::info,
            tr("%1 tiles lie where their file says. Process → Register tiles finds where they "
               "really are.")
                .arg(*listed));
        emit stitched(path);
      });
}

}  // namespace aprscope::gui

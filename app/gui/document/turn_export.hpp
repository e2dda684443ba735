#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "app/gui/document/document.hpp"
#include "core/pipeline/movie.hpp"

namespace aprscope::gui {

/// Something that is written in the background.
using WritingWork = std::function<Status(const JobContext&)>;

/// Data whose projection turns, and how it is shown; the raycaster of `side` is made by the work.
struct TurningData {
  std::shared_ptr<const Dataset> data;
  MovieSide side;
  /// Channels that are shown over each other instead; none: the data alone.
  std::vector<std::pair<std::shared_ptr<const Dataset>, ChannelLook>> channels{};
};

/// Data with the contrast and the colours of an item.
TurningData turning(const Item& item, const DisplaySettings& display, const QString& title);

/// Makes the raycasters and writes the turn to a folder, to .mp4 or to .webm.
WritingWork turn_work(std::vector<TurningData> sides, int frames, const QString& path);

/// Runs it with progress and Cancel through Document::jobs(), then Exporter::exported. Returns the
/// job's id.
std::uint64_t write_in_background(Document& document, const QString& path, WritingWork work);

/// The projection of one item, turning once. Returns the job's id, 0 if refused (a message says
/// why).
std::uint64_t export_turn(Document& document, const Item& item, const QString& path, int frames);

}  // namespace aprscope::gui

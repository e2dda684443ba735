#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/gui/document/document.hpp"
#include "core/pipeline/movie.hpp"

namespace aprscope::gui {

/// A function that writes files in the background.
using WritingWork = std::function<Status(const JobContext&)>;

/// Data to show turning, and how. turn_work() makes the raycaster of `side`.
struct TurningData {
  std::shared_ptr<const Dataset> data;
  MovieSide side;
  /// Channels shown over each other instead of the data; empty: the data alone.
  std::vector<std::pair<std::shared_ptr<const Dataset>, ChannelLook>> channels{};
};

/// Data with the contrast and the colours of an item, and rays as all views have them.
TurningData turning(const Item& item, const DisplaySettings& display, const ViewOptions& options,
                    const QString& title);

/// Work that makes the raycasters and writes the turn to a folder, an .mp4 or a .webm.
WritingWork turn_work(std::vector<TurningData> sides, int frames, const QString& path);

/// Runs the work: progress and Cancel are in Document::jobs(), then Exporter::exported follows.
/// Returns the job's id.
std::uint64_t write_in_background(Document& document, const QString& path, WritingWork work);

/// Exports one full turn of an item's projection, or of its surface at a value. Returns the job's
/// id, 0 if refused (a message says why).
std::uint64_t export_turn(Document& document, const Item& item, const QString& path, int frames,
                          std::optional<float> surface = {});

/// Exports a movie of an item's projection, or of its surface at a value, that flies from camera to
/// camera, each way taking so many seconds. Returns the job's id, 0 if refused (a message says
/// why).
std::uint64_t export_flight(Document& document, const Item& item,
                            const std::vector<RayCamera>& stops, double seconds,
                            const QString& path, std::optional<float> surface = {});

}  // namespace aprscope::gui

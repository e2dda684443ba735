#pragma once

#include <QString>

#include "app/gui/compare/compare_area.hpp"

namespace aprscope::gui {

/// What to export of a comparison.
struct CompareExport {
  enum class Kind {
    /// PNG of the slices with scale bar, colours and captions.
    figure,
    /// CSV of the metrics, and of the costs of each side.
    metrics,
    /// CSV of both profiles along the line.
    profile,
    /// Both projections, turning: a folder of PNGs, .mp4 or .webm.
    movie,
  };
  Kind kind = Kind::figure;
  QString path;
  /// For a figure: also draw B − A.
  bool with_difference = true;
  /// For a movie: the number of pictures of the turn.
  int frames = 120;
};

/// Exports in the background: progress and Cancel are in Document::jobs(), and Exporter::exported
/// follows. Returns the job's id, 0 if it was refused (a message says why).
std::uint64_t export_comparison(Document& document, const Comparison& comparison, CompareArea& area,
                                const CompareExport& what);

}  // namespace aprscope::gui

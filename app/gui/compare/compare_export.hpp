#pragma once

#include <QString>

#include "app/gui/compare/compare_area.hpp"

namespace aprscope::gui {

/// What of a comparison is written.
struct CompareExport {
  enum class Kind {
    /// PNG of the slices with scale bar, colours and captions.
    figure,
    /// CSV of the metrics and of what each side took.
    metrics,
    /// CSV of both profiles.
    profile,
    /// Both projections turning: a folder of PNGs, .mp4 or .webm.
    movie,
  };
  Kind kind = Kind::figure;
  QString path;
  /// Figure: also B − A.
  bool with_difference = true;
  /// Movie: pictures of the turn.
  int frames = 120;
};

/// Writes it in the background: progress and Cancel through Document::jobs(), then
/// Exporter::exported. Returns the job's id, 0 if refused (a message says why).
std::uint64_t export_comparison(Document& document, const Comparison& comparison, CompareArea& area,
                                const CompareExport& what);

}  // namespace aprscope::gui

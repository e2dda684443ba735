#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cells/label_row.hpp"

namespace aprscope {

/// Why an object should be looked at before its numbers are used.
struct Suspicion {
  std::uint32_t label = 0;
  /// How suspicious, from 0 (not included) to 1.
  double score = 0.0;
  /// The strongest reason: "leaks", "open", "weak walls", "odd volume", "low sphericity", "border".
  std::string reason;
  friend bool operator==(const Suspicion&, const Suspicion&) = default;
};

/// The suspicious ones among all objects of an image, the most suspicious first, equally suspicious
/// ones in ascending order of labels. Volumes and sphericities are odd where they lie far from the
/// median (in medians of the deviations from it; volumes by their logarithm), among those that do
/// not touch the border. `wall_strengths`: one a row, or empty, from 0 (no wall to a neighbour) to
/// 1; NaN: not known.
std::vector<Suspicion> suspicions(const std::vector<LabelRow>& rows,
                                  std::span<const double> wall_strengths = {});

}  // namespace aprscope

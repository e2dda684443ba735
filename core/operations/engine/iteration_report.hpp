#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/named_figure.hpp"

namespace aprscope {

/// A finished iteration of any iterative operation. Code that shows it knows no figures in advance,
/// and shows them by order and name.
struct IterationReport {
  /// Number of the iteration, from 1, and the most iterations that there will be.
  int iteration = 0;
  int of = 0;
  /// Whether it only searches for the number of iterations: then the result begins anew.
  bool searching = false;
  /// Seconds that this iteration took, without the observer.
  double seconds = 0.0;
  /// Figures of the algorithm about its progress; the same ones in each report of a run.
  std::vector<NamedFigure> figures;
  /// How the iterate agrees with a ground truth, where there is one.
  std::vector<NamedFigure> against_truth;

  /// The value of a figure of either list; none: there is none of this id.
  [[nodiscard]] std::optional<double> figure(const std::string& id) const {
    for (const auto* list : {&figures, &against_truth}) {
      for (const NamedFigure& each : *list) {
        if (each.id == id) return each.value;
      }
    }
    return std::nullopt;
  }
};

}  // namespace aprscope

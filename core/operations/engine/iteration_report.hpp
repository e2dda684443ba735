#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/named_figure.hpp"

namespace aprscope {

/// One iteration that is done, of whatever iterates: who shows it knows no figure, and goes by
/// their order and names.
struct IterationReport {
  /// Counted from 1, and how many there are to be at most.
  int iteration = 0;
  int of = 0;
  /// It only finds out how many iterations are good: the result begins anew.
  bool searching = false;
  /// Of this iteration, without the observer.
  double seconds = 0.0;
  /// What the algorithm says of its course; the same ones in each report of a run.
  std::vector<NamedFigure> figures;
  /// How the iterate agrees with a ground truth, where there is one.
  std::vector<NamedFigure> against_truth;

  /// The value of a figure, of either kind; none: it has none of this id.
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

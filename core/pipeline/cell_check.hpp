#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope {

/// The result of finding cells.
struct FoundCells {
  std::uint64_t cells = 0;
  /// Volume of all cells together, in CellCheck::unit.
  double volume = 0.0;
  /// Radius in CellCheck::length_unit, 0: all are closed; none: the steps do not look for leaks.
  std::optional<double> widest_leak;
};

/// Cells of particles beside those that the same steps find on the image that the particles were
/// made from: what conversion changed.
struct CellCheck {
  FoundCells particles;
  FoundCells pixels;
  /// "µm³", or of one slice "µm²".
  std::string unit;
  /// Unit of the radii of leaks: "µm".
  std::string length_unit;
  /// The mean over the pixels' cells of the largest IoU with one of the particles; NaN: there are
  /// none.
  double overlap = std::numeric_limits<double>::quiet_NaN();
  /// Cells of both that overlap by half of their union.
  std::size_t matched = 0;
  /// Whether volumes are the same to a hundredth, cells overlap by 0.95 and no leak is wider by
  /// more than half a voxel.
  bool agrees = false;
  /// The verdict in words, with advice where they do not agree.
  std::string finding;
};

/// `labelled`: particles with the labels that `steps` (complete; each gives labels) found on them.
/// Runs the steps on `pixels`, whose voxels are taken to be those of the particles, and, where they
/// look for leaks, on the pixels of the particles. Errors: the data are not particles and pixels of
/// one size; no steps; those of the steps. Throws std::bad_alloc.
Result<CellCheck> check_cells(const Dataset& labelled, const std::vector<Operation>& steps,
                              const std::shared_ptr<const Dataset>& pixels, const Backend& backend,
                              const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/backproject.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// All decisions that are made before the first image is read.
struct ReconstructionPlan {
  InsertionPlan insertion;
  SymmetryGroup symmetry;
  /// Rows of the table that are inserted, in this order, and the half of each (0 or 1; 0 without
  /// halves). Halves take turns, so that the first rows have images of both.
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> halves;
  std::int64_t left_out = 0;
  /// Noise by group, if weights follow it; measured after everything else is decided.
  std::vector<NoisePower> noise;
  std::vector<std::string> notes;
};

/// Note about a map whose images are all of one half.
inline constexpr const char* kNoHalves =
    "only one half has images: there are no half maps and no correlation";

/// Plans a map. Errors: settings that do not fit the table, unusable rows (with file and line).
Result<ReconstructionPlan> plan_reconstruction(const ProjectionTable& table,
                                               const BackprojectSettings& settings);

/// Å of the pixels of a group's images: the table's, else 1, where it does not
/// say.
double pixel_size_of(const ProjectionTable& table, const OpticsGroup& group);

/// The corrections of images of each group beside the CTF; empty: none. Groups that cannot be
/// corrected (see aberration_trouble()) get none: check_rows() has refused their rows.
std::vector<GroupOptics> group_optics(const ProjectionTable& table, CtfUse ctf);

/// How an image of the table is read.
ImageTerms image_terms(const ProjectionTable& table, const Projection& row,
                       const InsertionPlan& plan, bool invert);

/// The first two rows times M⁻¹, to give frequencies of the image; the result is no rotation.
Rotation magnified(Rotation rotation, const Magnification& magnification);

/// Adds the samples of an image, one for each coset.
void add_samples(const ReconstructionPlan& plan, const Projection& row, const ImageTerms& terms,
                 std::int32_t image, std::int32_t half, std::vector<InsertionSample>& samples);

/// The place of a row for errors: "set.star, line 12".
std::string place_of(const ProjectionTable& table, const Projection& row);

/// Counts viewing directions of a row and its symmetric copies.
void count_directions(const SymmetryGroup& symmetry, const Projection& row,
                      DirectionHistogram& histogram);

}  // namespace aprscope

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/backproject.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// All that is decided before the first image is read.
struct ReconstructionPlan {
  InsertionPlan insertion;
  SymmetryGroup symmetry;
  /// Rows of the table that are inserted, in this order, and the half of each (0 or 1; 0 without
  /// halves). Halves take turns, so that the first rows are of both.
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> halves;
  std::int64_t left_out = 0;
  /// Where weights follow it; measured after all that is decided.
  std::vector<NoisePower> noise;
  std::vector<std::string> notes;
};

/// Of a map whose images are all of one half.
inline constexpr const char* kNoHalves =
    "only one half has images: there are no half maps and no correlation";

/// Errors: settings that do not fit the table, rows that cannot be used (naming file and line).
Result<ReconstructionPlan> plan_reconstruction(const ProjectionTable& table,
                                               const BackprojectSettings& settings);

/// Å of the pixels of a group's images: the table's, else 1, where it does not
/// say.
double pixel_size_of(const ProjectionTable& table, const OpticsGroup& group);

/// What images of each group are corrected by beside their CTF; empty: nothing. What cannot be
/// (see aberration_trouble()) is left alone: rows are looked at before.
std::vector<GroupOptics> group_optics(const ProjectionTable& table, CtfUse ctf);

/// How an image of the table is read.
ImageTerms image_terms(const ProjectionTable& table, const Projection& row,
                       const InsertionPlan& plan, bool invert);

/// With rows that give frequencies of the image: M⁻¹ times the first two. No rotation any more.
Rotation magnified(Rotation rotation, const Magnification& magnification);

/// Adds the samples of an image, one for each coset.
void add_samples(const ReconstructionPlan& plan, const Projection& row, const ImageTerms& terms,
                 std::int32_t image, std::int32_t half, std::vector<InsertionSample>& samples);

/// "set.star, line 12".
std::string place_of(const ProjectionTable& table, const Projection& row);

/// Counts viewing directions of a row and its symmetric copies.
void count_directions(const SymmetryGroup& symmetry, const Projection& row,
                      DirectionHistogram& histogram);

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/projections/insertion_plan.hpp"
#include "core/projections/orientation.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/reconstruction.hpp"
#include "core/projections/reconstruction_plan.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

// What a row of a table, and its optics group, is to a reconstruction.

/// Å of the pixels of a group's images: the table's, else 1, where it does not say.
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

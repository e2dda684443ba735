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

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

// Which rows a map is made of, in which order, and how their CTF is used.

/// Chooses all enabled rows. Errors: there are none, or one's optics group is not there.
Status choose_rows(const ProjectionTable& table, ReconstructionPlan& plan);

/// The use of the CTF that `wanted` means for these rows; a note where a CTF is left alone. Errors:
/// a CTF that is not known, groups of which some are premultiplied, optics that no microscope has.
Result<CtfUse> ctf_use(const ProjectionTable& table, std::span<const std::int64_t> rows,
                       CtfUse wanted, std::vector<std::string>& notes);

/// The half of each row; then rows in an order in which halves take turns, in proportion.
void choose_halves(const ProjectionTable& table, Halves wanted, ReconstructionPlan& plan);

/// Keeps only the first `count` rows (0: all); drops halves if one of them has no image then.
void keep_first(std::int64_t count, ReconstructionPlan& plan);

/// Checks the rows of a plan, whose CTF and pixel size are decided already. Errors: rows that
/// cannot be used, naming the first; pixel sizes that are too far apart.
Status check_rows(const ProjectionTable& table, const ReconstructionPlan& plan);

}  // namespace aprscope

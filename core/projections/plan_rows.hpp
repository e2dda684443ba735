#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

// Which rows a map is made of, in which order, and what is done about their CTF.

/// All enabled rows. Errors: there is none, or one of a group that is not there.
Status choose_rows(const ProjectionTable& table, ReconstructionPlan& plan);

/// What `wanted` comes to for these rows of the table; a note where a CTF is left alone. Errors: a
/// CTF that is not known, groups of which some are premultiplied, optics that no microscope has.
Result<CtfUse> ctf_use(const ProjectionTable& table, std::span<const std::int64_t> rows,
                       CtfUse wanted, std::vector<std::string>& notes);

/// The half of each row; then rows in an order in which halves take turns, in proportion.
void choose_halves(const ProjectionTable& table, Halves wanted, ReconstructionPlan& plan);

/// Leaves all out but the first `count` (0: none); without halves where one has no image then.
void keep_first(std::int64_t count, ReconstructionPlan& plan);

/// Errors: rows that cannot be used, naming the first; pixel sizes that are too far apart. The CTF
/// and the pixel size of the map are decided before.
Status check_rows(const ProjectionTable& table, const ReconstructionPlan& plan);

}  // namespace aprscope

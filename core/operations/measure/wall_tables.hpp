#pragma once

#include <vector>

#include "core/cells/wall_statistics.hpp"
#include "core/data/table.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Adds grey values on walls to a table of cells (column label), and to one of contacts (columns
/// label and neighbour): median, deviation, the weakest value and its place. NaN where there is no
/// wall.
void add_walls(const std::vector<WallStatistics>& of_objects, Table& cells);
void add_contacts(const std::vector<WallStatistics>& between, Table& contacts);

/// Whether cells that these steps found have walls that are darker than what they enclose.
bool has_dark_walls(const std::vector<Operation>& steps);

}  // namespace aprscope

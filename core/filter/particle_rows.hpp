#pragma once

#include "core/filter/patch.hpp"

namespace aprscope::detail {

/// Writes the cells [y0, y1) of row (z, x) of the isotropic grid of `level`: particles of the
/// level, tree means where it is finer, and what coarser particles cover, however much coarser they
/// are.
void fill_isotropic_row(const FilterInput& input, int level, std::int64_t z, std::int64_t x,
                        std::int64_t y0, std::int64_t y1, float* out);

}  // namespace aprscope::detail

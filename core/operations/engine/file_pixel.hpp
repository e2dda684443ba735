#pragma once

#include <cstdint>

#include "core/io/apr/apr_slabs.hpp"

namespace aprscope {

/// Where the cell of a particle of a file begins; see first_pixel(). Errors: those of reading.
Result<Index3> first_pixel(const AprFileSlabs& file, std::uint64_t particle,
                           const JobContext& context);

}  // namespace aprscope

#pragma once

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// For each of `bricks` bricks: whether it holds particles (1 or 0), and how many entries its halo
/// has.
void count_halos(const OctetView& v, std::uint32_t bricks, std::uint32_t* active,
                 std::uint32_t* counts, cudaStream_t stream);

/// Reads totals from the prefix sums over bricks: for each level the first brick with particles;
/// the number of such bricks at [level_max + 1]; of all halo entries at [level_max + 2].
void read_halo_totals(const OctetView& v, std::uint32_t bricks, const std::uint32_t* active_before,
                      const std::uint32_t* count_before, std::uint32_t* out, cudaStream_t stream);

/// Lists the `work_count` bricks that hold particles, without their halos.
void list_work(const OctetView& v, std::uint32_t bricks, const std::uint32_t* active_before,
               const std::uint32_t* count_before, BrickWork* work, cudaStream_t stream);

/// Lists the halo of each of these bricks.
void list_halos(const OctetView& v, BrickWork* work, std::uint32_t work_count,
                std::uint32_t* source, std::uint16_t* place, cudaStream_t stream);

}  // namespace aprscope::gpu

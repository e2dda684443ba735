#pragma once

#include "gpu/octet/octet_target.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {

/// Stores the results of an octet; children beyond the image become 0.
__device__ inline void store(const Target& t, std::uint32_t octet, std::uint32_t info,
                             float (&sum)[8]) {
  if (info_clipped(info) != 0) {
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      if (!child_exists(info, c)) sum[c] = 0.0F;
    }
  }
  float4* const to = reinterpret_cast<float4*>(t.out + std::uint64_t{octet} * 8);
  to[0] = {sum[0], sum[1], sum[2], sum[3]};
  to[1] = {sum[4], sum[5], sum[6], sum[7]};
}

}  // namespace aprscope::gpu

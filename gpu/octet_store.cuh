#pragma once

#include "gpu/octet_target.hpp"
#include "gpu/octets.cuh"

namespace aprscope::gpu {

/// Stores the results of an octet as the target wants them.
__device__ inline void store(const OctetView& v, const Target& t, std::uint32_t octet,
                             std::uint32_t info, float (&sum)[8]) {
  if (t.epilogue != Epilogue::store) {
    const float4* const from = reinterpret_cast<const float4*>(t.other + std::uint64_t{octet} * 8);
    const float4 a = from[0];
    const float4 b = from[1];
    const float u[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      if (t.epilogue == Epilogue::divide) {
        sum[c] = sum[c] > 0.0F ? u[c] / sum[c] : 0.0F;
      } else {
        sum[c] *= u[c];
      }
    }
  }
  if (t.out != nullptr) {
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
  if (t.linear_out != nullptr) {
    const uint4 rows = *reinterpret_cast<const uint4*>(v.rows + std::uint64_t{octet} * 4);
    const std::uint32_t begin[4] = {rows.x, rows.y, rows.z, rows.w};
    const std::uint32_t leaves = info_leaves(info);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const std::uint32_t two = leaves >> (2 * r) & 3U;
      if (two == 0) continue;
      t.linear_out[begin[r]] = (two & 1U) != 0 ? sum[2 * r] : sum[2 * r + 1];
      if (two == 3) t.linear_out[begin[r] + 1] = sum[2 * r + 1];
    }
  }
}

}  // namespace aprscope::gpu

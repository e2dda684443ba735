#include "core/projections/blob_insertion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/projections/chebyshev.hpp"

namespace aprscope {

BlobTable::BlobTable(const Blob& blob)
    : radius(static_cast<float>(blob.radius)),
      inverse_square(static_cast<float>(1.0 / (blob.radius * blob.radius))) {
  const auto fit = polynomial<kTerms>(
      [&](double u) { return blob(blob.radius * std::sqrt(std::max(1.0 - u, 0.0))); });
  for (std::size_t i = 0; i < fit.size(); ++i) c[i] = static_cast<float>(fit[i]);
}

namespace {

// The sum over the pixels round (x, y) at distance z from the plane.
std::array<float, 3> read(const PlaneSample& sample, const TexelPlane& plane, const BlobTable& blob,
                          float x, float y, float z) {
  const float reach = std::sqrt(std::max(blob.radius * blob.radius - z * z, 0.0F));
  const auto limit = static_cast<float>(plane.centre);
  std::array<float, 3> sum{};
  for (float py = std::max(std::ceil(y - reach), -limit); py <= std::min(y + reach, limit);
       py += 1.0F) {
    for (float px = std::max(std::ceil(x - reach), -limit); px <= std::min(x + reach, limit);
         px += 1.0F) {
      const float dx = px - x;
      const float dy = py - y;
      const float u = 1.0F - (dx * dx + dy * dy + z * z) * blob.inverse_square;
      if (!(u >= 0.0F) || px * px + py * py > sample.radius_square) continue;
      float k = blob.c[BlobTable::kTerms - 1];
      for (int i = BlobTable::kTerms - 1; i-- > 0;) k = k * u + blob.c[i];
      const bool conjugate = px < 0.0F;
      const auto column = static_cast<std::int64_t>(conjugate ? -px : px);
      const std::int64_t row = plane.centre + static_cast<std::int64_t>(conjugate ? -py : py);
      const float* const texel = sample.texels + 4 * (row * plane.width + column);
      sum[0] += k * texel[0];
      sum[1] += conjugate ? -k * texel[1] : k * texel[1];
      sum[2] += k * texel[2];
    }
  }
  return sum;
}

}  // namespace

void insert_blobs(const TileTask& task, const BlobTable& blob) {
  for (std::int64_t s = 0; s < task.count; ++s) {
    const PlaneSample& sample = task.samples[task.list[s]];
    const float* const m = sample.rows;
    const float most = std::sqrt(sample.radius_square) + blob.radius;
    float* sums = task.sums;
    for (std::int32_t iz = 0; iz < task.side; ++iz) {
      for (std::int32_t iy = 0; iy < task.side; ++iy) {
        for (std::int32_t ix = 0; ix < task.side; ++ix, sums += 4) {
          const auto vx = static_cast<float>(task.origin[0] + ix);
          const auto vy = static_cast<float>(task.origin[1] + iy);
          const auto vz = static_cast<float>(task.origin[2] + iz);
          const float z = m[6] * vx + m[7] * vy + m[8] * vz;
          if (std::abs(z) >= blob.radius) continue;
          const float x = m[0] * vx + m[1] * vy + m[2] * vz;
          const float y = m[3] * vx + m[4] * vy + m[5] * vz;
          if (x * x + y * y > most * most) continue;
          const std::array<float, 3> sum = read(sample, *task.plane, blob, x, y, z);
          for (std::size_t i = 0; i < 3; ++i) sums[i] += sum[i];
        }
      }
    }
  }
}

}  // namespace aprscope

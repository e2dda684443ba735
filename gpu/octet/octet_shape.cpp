#include "gpu/octet/octet_shape.hpp"

#include <cstdint>

#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  ensure(cudaGetDevice(&device), "asking for the current GPU");
  ensure(cudaDeviceGetAttribute(&value, which, device), "asking what the GPU offers");
  return value;
}

// The smallest n ≥ from with n ≡ rest (mod m): a stride that spreads lanes over memory banks.
std::int64_t next(std::int64_t from, std::int64_t rest, std::int64_t m) {
  return from + ((rest - from) % m + m) % m;
}

PatchShape shape_of(Int3 radius, int side, bool split) {
  PatchShape s;
  s.side = side;
  s.halo = {(radius.z + 1) / 2, (radius.x + 1) / 2, (radius.y + 1) / 2};
  const std::int64_t z = side + 4 * s.halo.z;
  const std::int64_t x = side + 4 * s.halo.x;
  const std::int64_t y = side + 4 * s.halo.y;
  const std::int64_t row = split ? next(y / 2, 2, 4) : next(y, 1, 2);
  const std::int64_t plane = split ? next(x * row, 8, 16) : next(x * row, 16, 32);
  const std::int64_t floats = z * plane * (split ? 2 : 1);
  s.bytes = floats * 4 < (1 << 20) ? static_cast<int>(floats * 4) : 1 << 20;
  s.row = static_cast<int>(row);
  s.plane = static_cast<int>(plane);
  s.odd = split ? static_cast<int>(z * plane) : 0;
  return s;
}

}  // namespace

PatchShape choose_patch(Int3 radius, bool split) {
  // Larger radii never fit; returning here keeps the products below from overflowing.
  if (radius.z > 64 || radius.x > 64 || radius.y > 64) return {};
  const int block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const int all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const PatchShape shapes[2] = {shape_of(radius, 16, split), shape_of(radius, 8, split)};
  constexpr int kOther = 20480;  // memory that a kernel uses besides the patch
  for (const PatchShape& s : shapes) {
    if (2 * (s.bytes + kOther) <= all && s.bytes + kOther <= block) return s;
  }
  for (const PatchShape& s : shapes) {
    if (s.bytes + kOther <= block) return s;
  }
  return {};
}

}  // namespace aprscope::gpu

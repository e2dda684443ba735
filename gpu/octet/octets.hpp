#pragma once

#include <cstdint>

// The layout of an APR on the device. The children of an interior cell, particles or interior cells
// themselves, always come together: an octet, 8 floats in the order z, x, y. Octets of a level are
// grouped in sub-bricks of 4³ octets, a 64-bit mask and the index of the first one each, and these
// in bricks of 2³ sub-bricks, i.e. 16³ cells, the unit of work of a block of threads. Octets are
// numbered by level (coarse to fine), brick, sub-brick, bit.
namespace aprscope::gpu {

constexpr int kMaxLevels = 17;  // levels 0 … 16: sizes up to 65536

/// The number of an octet that does not exist. Octet 0 itself only holds the value of the root, in
/// its first slot; no lookup returns it.
constexpr std::uint32_t kNoOctet = 0;

/// A position or extent on the device.
struct Int3 {
  int z = 0;
  int x = 0;
  int y = 0;
};

struct LevelLayout {
  Int3 cells;   // the level's grid
  Int3 octets;  // ceil(cells / 2)
  Int3 bricks;  // ceil(octets / 8)
  std::uint32_t first_brick = 0;
  std::uint32_t brick_count = 0;
  std::uint32_t first_octet = 0;
  std::uint32_t octet_count = 0;
};

/// A brick that holds particles, and the octets around it that its particles need: entries
/// [halo_first, halo_first + halo) name octets, the `coarse` ones after them single slots.
struct alignas(16) BrickWork {
  std::uint32_t brick = 0;
  std::uint32_t first_octet = 0;
  std::uint32_t halo_first = 0;
  std::uint16_t octets = 0;  // number of the brick's own octets
  std::uint16_t halo = 0;
  std::uint16_t coarse = 0;
  std::uint16_t level = 0;
  std::uint16_t z = 0, x = 0, y = 0;  // in bricks
  std::uint16_t surface = 0;          // needs cells beyond the image
  /// The smallest box that holds the brick's octets with particles: first and last z, x, y, in 3
  /// bits each from the highest down.
  std::uint32_t box = 0;
};
static_assert(sizeof(BrickWork) == 32, "two loads");

/// The structure as kernels see it. Arrays of octets are indexed by octet (0 … octet_count).
struct OctetView {
  LevelLayout levels[kMaxLevels];
  int level_max = 0;
  std::uint32_t octet_count = 0;          // without octet 0
  const std::uint64_t* masks = nullptr;   // [brick · 8 + sub-brick]
  const std::uint32_t* bases = nullptr;   // index of the first octet; as masks, and one more
  const std::uint32_t* info = nullptr;    // see octet_info()
  const std::uint32_t* parent = nullptr;  // slot that holds the octet's mean
  const std::uint32_t* rows =
      nullptr;                      // [octet · 4 + z · 2 + x]: linear index of its first particle
  const BrickWork* work = nullptr;  // coarse levels first
  const std::uint32_t* halo_source = nullptr;
  const std::uint16_t* halo_place = nullptr;  // offset in a Patch3
};

/// The staged patch of a brick for stencils up to 5³: 20³ cells, those of even and of odd y apart,
/// so that neighbouring lanes, which work on neighbouring octets, read different banks.
constexpr int kPatchSide = 20;
constexpr int kPatchRow = 10;
constexpr int kPatchPlane = 200;
constexpr int kPatchOdd = 4000;

}  // namespace aprscope::gpu

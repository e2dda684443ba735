#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// A flag for each pixel of a box of an image.
struct BoxMask {
  Region box{};
  std::vector<std::uint8_t> set;

  BoxMask() = default;
  explicit BoxMask(const Region& of)
      : box(of), set(static_cast<std::size_t>(of.size().count()), 0) {}
  [[nodiscard]] std::size_t index(std::int64_t z, std::int64_t x, std::int64_t y) const {
    const Size3 n = box.size();
    return static_cast<std::size_t>(((z - box.begin.z) * n.x + x - box.begin.x) * n.y + y -
                                    box.begin.y);
  }
  [[nodiscard]] bool contains(std::int64_t z, std::int64_t x, std::int64_t y) const {
    return z >= box.begin.z && z < box.end.z && x >= box.begin.x && x < box.end.x &&
           y >= box.begin.y && y < box.end.y;
  }
};

/// A box with so much more on all sides, as far as the image goes.
Region box_with_margin(const Region& box, const Index3& margin, const Size3& size);

/// The pixels of the mask's box whose centre is at most `radius` from that of a pixel that is set,
/// in the unit of `voxel`: separable passes with the exact distance. Errors: cancelled.
Result<BoxMask> within_distance(const BoxMask& mask, double radius, const VoxelSize& voxel,
                                const JobContext& context);

/// How many pixels a length reaches along z, x and y.
Index3 reach_in_pixels(double radius, const VoxelSize& voxel);

/// The holes of a mask: pixels that are not set and not connected (across faces, through pixels
/// that are not set) to the faces of the box. In an image of one slice (`flat`), connections stay
/// in it. Errors: cancelled.
Result<BoxMask> holes_of(const BoxMask& mask, bool flat, const JobContext& context);

}  // namespace aprscope

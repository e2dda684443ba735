#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/image/region.hpp"
#include "core/tiles/flat_shift.hpp"

namespace aprscope {

/// Maximum projections of a box of a tile along z, x and y, in the frame of all tiles. In order:
/// (x, y), (z, y), (z, x) as rows and columns.
using BoxProjections = std::array<FlatPicture, 3>;

/// Makes projections of boxes of one image in one pass over its slices.
class Projector {
 public:
  /// `at`: the first pixel of the image in the frame that boxes count in.
  Projector(const Size3& size, const Index3& at);

  /// Adds a box of the frame, cut to the image; its projections are at the returned place.
  std::size_t add(const Region& box);
  /// Reads all slices that boxes touch. Errors: those of the source, cancelled.
  Status run(SliceSource& source, const JobContext& context);
  [[nodiscard]] BoxProjections take(std::size_t place) { return std::move(done_[place]); }

 private:
  void add_slice(std::size_t place, std::int64_t z, const std::vector<float>& slice);

  Size3 size_;
  Index3 at_;
  /// In pixels of the image.
  std::vector<Region> boxes_;
  std::vector<BoxProjections> done_;
};

}  // namespace aprscope

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/structure/part.hpp"

namespace aprscope {

/// What the slabs of one plan leave for those after them and for the next time: lists, so that they
/// need not be taken from the system again, and their structures, as many as memory has room for.
/// One thread at a time.
class SlabRoom {
 public:
  /// Keeps structures of at most so many bytes.
  explicit SlabRoom(std::uint64_t bytes) : left_(bytes) {}

  /// The slab of this index with values of the whole, one a particle, until it is given back; none:
  /// it is not kept.
  std::optional<AprPart> part(std::int64_t index, std::span<const float> values);
  /// Gives a slab back, with its origins, and keeps it while there is room.
  void give(std::int64_t index, AprPart part);

  /// Lists of this length, with any values in them, until the next call.
  std::span<float> tree(std::size_t count);
  std::span<float> results(std::size_t count);

 private:
  // Slabs without values; none while one is given away.
  std::map<std::int64_t, std::optional<AprPart>> kept_;
  std::uint64_t left_;
  std::vector<float> values_, tree_, results_;
};

}  // namespace aprscope

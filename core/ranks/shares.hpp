#pragma once

#include <algorithm>
#include <cstdint>

namespace aprscope {

/// Items [begin, end) of a row.
struct Share {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
  friend bool operator==(const Share&, const Share&) = default;
};

/// The share of rank `rank` of `count` in `total` items: [rank · total ÷ count, (rank + 1) · total
/// ÷ count), rounded down. Shares cover all items, in order, and differ by at most one in size;
/// with more ranks than items some are empty. total · count must be below 2⁶³.
inline Share share_of(std::int64_t total, int rank, int count) {
  return {total * rank / count, total * (rank + 1) / count};
}

/// The items `from` to `from` + `most` of a share, as far as it has them.
inline Share piece_of(const Share& share, std::int64_t from, std::int64_t most) {
  const std::int64_t begin = std::min(share.begin + from, share.end);
  return {begin, std::min(begin + most, share.end)};
}

}  // namespace aprscope

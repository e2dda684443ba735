#include "core/ranks/shares.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Shares, CoverAllItemsInOrderAndEvenly) {
  for (const std::int64_t total : {0, 1, 5, 12, 1001}) {
    for (const int count : {1, 2, 3, 7, 64}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < count; ++rank) {
        const Share share = share_of(total, rank, count);
        EXPECT_EQ(share.begin, next);
        EXPECT_GE(share.size(), total / count);
        EXPECT_LE(share.size(), (total + count - 1) / count);
        next = share.end;
      }
      EXPECT_EQ(next, total);
    }
  }
}

// The sums of a map of 2048³ padded voxels: more than an int counts.
TEST(Shares, HoldForArraysOfManyGigabytes) {
  const std::int64_t total = std::int64_t{15} << 30;
  EXPECT_EQ(share_of(total, 999, 1000).end, total);
  EXPECT_EQ(share_of(total, 500, 1000).begin, total / 2);
}

TEST(Shares, PiecesCoverAShare) {
  const Share share{10, 25};
  EXPECT_EQ(piece_of(share, 0, 6), (Share{10, 16}));
  EXPECT_EQ(piece_of(share, 12, 6), (Share{22, 25}));
  EXPECT_EQ(piece_of(share, 18, 6).size(), 0);
}

}  // namespace
}  // namespace aprscope

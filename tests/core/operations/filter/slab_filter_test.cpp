// What slabs know of coarser levels, as it travels between processes; that slabs give the values of
// the whole: file_filter_test.cpp.
#include "core/operations/filter/slab_filter.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(CoarseShare, IsTheSameAfterTravelling) {
  CoarseShare share;
  share.runs = {{3, 2}, {17, 1}};
  share.results = {1.0F, -2.0F, 3e8F};
  share.y = {1, 5, 9};
  share.row_ends = {0, 2, 2, 3};
  share.before = {0.5F, 0.25F, 0.125F};
  for (int i = 0; i < 2; ++i) {
    const auto back = coarse_share_of(bytes_of(share));
    ASSERT_TRUE(back.ok());
    ASSERT_EQ(back->runs.size(), share.runs.size());
    EXPECT_EQ(back->runs[1].to, 17U);
    EXPECT_EQ(back->runs[0].count, 2U);
    EXPECT_EQ(back->results, share.results);
    EXPECT_EQ(back->y, share.y);
    EXPECT_EQ(back->row_ends, share.row_ends);
    EXPECT_EQ(back->before, share.before);
    EXPECT_EQ(back->after, share.after);
    share.after = {7.0F};
  }
  EXPECT_TRUE(coarse_share_of(bytes_of(CoarseShare())).ok());
}

TEST(CoarseShare, OtherBytesAreRefused) {
  CoarseShare share;
  share.results = {1.0F, 2.0F};
  auto bytes = bytes_of(share);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(coarse_share_of(std::span(bytes).first(length)).ok()) << length;
  }
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(coarse_share_of(bytes).ok()) << "something is left";
}

}  // namespace
}  // namespace aprscope

// Pieces of a dataset; that files made of them hold the right values: apr_rewrite_test.cpp.
#include "core/io/apr/vector_pieces.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

constexpr int kF32Type = 8;
constexpr BloscPacking kPacking{BloscCodec::zstd, 2};

struct Seen {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
  bool packed = false;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::vector<Seen> pieces_of(std::uint64_t all, std::uint64_t begin, std::uint64_t count) {
  const VectorChunks chunks(kF32Type, all, kPacking);
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), static_cast<float>(begin));
  std::vector<Seen> seen;
  const Status done = cut_into_pieces(
      chunks, begin, values.data(), count,
      [&](const VectorPiece& piece) -> Status {
        seen.push_back({piece.begin, piece.count, piece.packed});
        if (!piece.packed) {
          EXPECT_EQ(piece.bytes.size(), piece.count * sizeof(float));
          const auto* const first = reinterpret_cast<const float*>(piece.bytes.data());
          EXPECT_EQ(*first, static_cast<float>(piece.begin));
        } else if (piece.count > 1000) {
          EXPECT_LT(piece.bytes.size(), piece.count * sizeof(float)) << "a ramp packs well";
        }
        return {};
      },
      {});
  EXPECT_TRUE(done.ok());
  return seen;
}

TEST(VectorPieces, AreWholeChunksAndWhatIsLeftBesideThem) {
  EXPECT_EQ(pieces_of(350'000, 50'000, 270'000), (std::vector<Seen>{{50'000, 50'000, false},
                                                                    {100'000, 100'000, true},
                                                                    {200'000, 100'000, true},
                                                                    {300'000, 20'000, false}}));
  // The last chunk may be short, and is whole all the same.
  EXPECT_EQ(pieces_of(350'000, 300'000, 50'000), (std::vector<Seen>{{300'000, 50'000, true}}));
  EXPECT_EQ(pieces_of(350'000, 310'000, 40'000), (std::vector<Seen>{{310'000, 40'000, false}}));
  EXPECT_EQ(pieces_of(350'000, 120'000, 10), (std::vector<Seen>{{120'000, 10, false}}));
  EXPECT_EQ(pieces_of(7, 0, 7).size(), 1U);
  EXPECT_TRUE(pieces_of(350'000, 100'000, 0).empty());
}

TEST(VectorPieces, EndWithTheErrorOfWhoTakesThem) {
  const VectorChunks chunks(kF32Type, 1'000'000, kPacking);
  const std::vector<float> values(1'000'000);
  int taken = 0;
  const Status done = cut_into_pieces(chunks, 0, values.data(), values.size(),
                                      [&](const VectorPiece&) -> Status {
                                        if (++taken == 3) return Error{"is full", "disk", ""};
                                        return {};
                                      },
                                      {});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().what, "is full");
  EXPECT_EQ(taken, 3);
}

}  // namespace
}  // namespace aprscope

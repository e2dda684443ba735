// The sums of all objects, against counting them voxel by voxel and stratum by stratum.
#include "core/cells/label_records.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

using test::painted;
using test::view;

LabelRecords measured(const Pixels<std::uint32_t>& labels,
                      const std::vector<AnyPixels>& images = {}) {
  std::vector<const AnyPixels*> channels;
  for (const AnyPixels& one : images) channels.push_back(&one);
  auto found = label_records(view(labels), channels);
  EXPECT_TRUE(found.ok());
  return found ? *std::move(found) : LabelRecords{};
}

std::uint32_t at(const Pixels<std::uint32_t>& p, std::int64_t z, std::int64_t x, std::int64_t y) {
  const bool in = z >= 0 && z < p.size.z && x >= 0 && x < p.size.x && y >= 0 && y < p.size.y;
  return in ? p.at(z, x, y) : 0;
}

// By definition.
LabelRecords naive(const Pixels<std::uint32_t>& p, const AnyPixels* image) {
  std::map<std::uint32_t, LabelSums> sums;
  std::map<std::uint32_t, IntensitySums> values;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LabelContact> contacts;
  for (std::int64_t z = 0; z < p.size.z; ++z) {
    for (std::int64_t x = 0; x < p.size.x; ++x) {
      for (std::int64_t y = 0; y < p.size.y; ++y) {
        const std::uint32_t l = p.at(z, x, y);
        if (l == 0) continue;
        sums[l].label = l;
        sums[l].add_box({{z, x, y}, {z + 1, x + 1, y + 1}});
        std::size_t axis = 0;
        bool wall = false;
        for (const auto& [dz, dx, dy] : {std::array{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}) {
          for (const int sign : {-1, 1}) {
            const std::int64_t nz = z + sign * dz;
            const std::int64_t nx = x + sign * dx;
            const std::int64_t ny = y + sign * dy;
            const std::uint32_t other = at(p, nz, nx, ny);
            const bool in =
                nz >= 0 && nz < p.size.z && nx >= 0 && nx < p.size.x && ny >= 0 && ny < p.size.y;
            wall = wall || (in && other != l);
            if (sign > 0 && other != 0 && other != l) {
              const auto pair = std::minmax(l, other);
              contacts[pair].a = pair.first;
              contacts[pair].b = pair.second;
              ++contacts[pair].faces[axis];
            }
          }
          ++axis;
        }
        for (std::size_t d = 0; d < 13; ++d) {
          const auto& step = LabelSums::kDirections[d];
          sums[l].crossings[d] += at(p, z + step[0], x + step[1], y + step[2]) != l ? 1 : 0;
          sums[l].crossings[d] += at(p, z - step[0], x - step[1], y - step[2]) != l ? 1 : 0;
        }
        if (image == nullptr) continue;
        IntensitySums one;
        std::visit(
            [&](const auto& pixels) {
              const auto v = pixels.at(z, x, y);
              one.minimum = one.maximum = static_cast<float>(v);
              one.wall_voxels = wall ? 1 : 0;
              if constexpr (std::is_integral_v<decltype(+v)>) {
                one.sum = v;
                one.squares = static_cast<Int128>(v) * v;
                one.wall_sum = wall ? v : 0;
              } else {
                one.real_sum = v;
                one.real_squares = static_cast<double>(v) * v;
                one.real_wall_sum = wall ? v : 0.0;
              }
            },
            *image);
        values[l].add(one);
      }
    }
  }
  // A stratum belongs to each object that has one of the voxels round it.
  for (std::int64_t z = 0; z <= p.size.z; ++z) {
    for (std::int64_t x = 0; x <= p.size.x; ++x) {
      for (std::int64_t y = 0; y <= p.size.y; ++y) {
        for (unsigned axes = 0; axes < 8; ++axes) {
          std::set<std::uint32_t> touching;
          for (std::int64_t dz = (axes & 4U) != 0 ? 0 : -1; dz <= 0; ++dz) {
            for (std::int64_t dx = (axes & 2U) != 0 ? 0 : -1; dx <= 0; ++dx) {
              for (std::int64_t dy = (axes & 1U) != 0 ? 0 : -1; dy <= 0; ++dy) {
                touching.insert(at(p, z + dz, x + dx, y + dy));
              }
            }
          }
          for (const std::uint32_t l : touching) {
            if (l != 0) ++sums[l].strata[axes];
          }
        }
      }
    }
  }
  LabelRecords out;
  for (const auto& [label, one] : sums) out.sums.push_back(one);
  for (const auto& [pair, one] : contacts) out.contacts.push_back(one);
  if (image != nullptr) {
    out.intensities.emplace_back();
    for (const auto& [label, one] : values) out.intensities.back().push_back(one);
  }
  return out;
}

template <class T>
AnyPixels grey(Size3 size, unsigned seed, int most) {
  std::mt19937 random(seed);
  Pixels<T> out(size);
  for (T& v : out.values) v = static_cast<T>(random() % static_cast<unsigned>(most));
  return out;
}

Pixels<std::uint32_t> noise(Size3 size, unsigned seed, unsigned labels) {
  std::mt19937 random(seed);
  return painted(size, [&](auto, auto, auto) { return random() % (labels + 1); });
}

void expect_same(const LabelRecords& got, const LabelRecords& want) {
  ASSERT_EQ(got.sums.size(), want.sums.size());
  for (std::size_t i = 0; i < got.sums.size(); ++i) {
    EXPECT_TRUE(got.sums[i] == want.sums[i]) << "label " << want.sums[i].label;
    EXPECT_EQ(got.sums[i].strata, want.sums[i].strata);
    EXPECT_EQ(got.sums[i].crossings, want.sums[i].crossings);
  }
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.intensities, want.intensities);
}

TEST(LabelRecords, AreWhatCountingEachVoxelGives) {
  for (const Size3 size : {Size3{7, 9, 21}, Size3{1, 13, 11}, Size3{5, 1, 8}, Size3{6, 4, 1},
                           Size3{1, 1, 1}, Size3{12, 3, 40}}) {
    for (const unsigned labels : {1U, 2U, 5U, 300U}) {
      const auto p = noise(size, labels + 3, labels);
      for (const AnyPixels& image :
           {grey<std::uint8_t>(size, 1, 256), grey<std::uint16_t>(size, 2, 65536),
            grey<float>(size, 3, 999)}) {
        expect_same(measured(p, {image}), naive(p, &image));
      }
    }
    expect_same(measured(test::tissue(size, 12, 5)), naive(test::tissue(size, 12, 5), nullptr));
  }
}

TEST(LabelRecords, AreTheSameForAnyNumberOfThreadsAlsoOfRealNumbers) {
  const Size3 size{40, 190, 150};
  const auto p = test::tissue(size, 40, 9);
  Pixels<float> real(size);
  std::mt19937 random(4);
  for (float& v : real.values) v = std::normal_distribution<float>(3.0F, 1e3F)(random);
  const std::vector<AnyPixels> images{real, grey<std::uint16_t>(size, 8, 65536)};
  set_thread_count(1);
  const LabelRecords one = measured(p, images);
  for (const int threads : {2, 3, 5}) {
    set_thread_count(threads);
    EXPECT_TRUE(measured(p, images) == one) << threads;
  }
  set_thread_count(0);
}

TEST(LabelRecords, LargeNumbersWithGapsTakeTheMemoryOfThoseThatAreThere) {
  auto p = test::tissue({9, 10, 30}, 3, 2);
  const LabelRecords want = measured(p);
  const auto number = [](std::uint32_t l) {
    return l == 3 ? 4'000'000'000U : l == 2 ? 70'000'007U : l;
  };
  for (std::uint32_t& l : p.values) l = number(l);
  LabelRecords got = measured(p);
  EXPECT_LT(got.bytes(), 10'000U);
  ASSERT_EQ(got.sums.size(), want.sums.size());
  for (std::size_t i = 0; i < got.sums.size(); ++i) {
    EXPECT_EQ(got.sums[i].label, number(want.sums[i].label));
    got.sums[i].label = want.sums[i].label;
    EXPECT_TRUE(got.sums[i] == want.sums[i]);
  }
  ASSERT_EQ(got.contacts.size(), want.contacts.size());
  for (std::size_t i = 0; i < got.contacts.size(); ++i) {
    EXPECT_EQ(got.contacts[i].faces, want.contacts[i].faces);
  }
}

TEST(LabelRecords, ManyObjectsOfOneVoxel) {
  const auto p = painted({5, 120, 130}, [](auto z, auto x, auto y) {
    return static_cast<std::uint32_t>((z * 120 + x) * 130 + y + 1);
  });
  const LabelRecords all = measured(p);
  ASSERT_EQ(all.sums.size(), 78'000U);
  for (std::size_t i = 0; i < all.sums.size(); i += 997) {
    EXPECT_EQ(all.sums[i].label, i + 1);
    EXPECT_EQ(all.sums[i].voxels, 1);
    EXPECT_EQ(all.sums[i].strata, (std::array<std::int64_t, 8>{8, 4, 4, 2, 4, 2, 2, 1}));
  }
  EXPECT_EQ(all.contacts.size(), 4U * 120 * 130 + 5U * 119 * 130 + 5U * 120 * 129);
}

TEST(LabelRecords, NoneOfNone) {
  const LabelRecords all = measured(Pixels<std::uint32_t>(Size3{4, 5, 6}));
  EXPECT_TRUE(all.sums.empty());
  EXPECT_TRUE(all.contacts.empty());
}

// Any change, told by its box and the objects that it touched, and only these are looked at again.
TEST(LabelRecords, UpdatedAreThoseOfTheWhole) {
  std::mt19937 random(11);
  const Size3 size{20, 60, 70};
  auto p = test::tissue(size, 30, 3);
  Pixels<float> real(size);
  for (float& v : real.values) v = std::normal_distribution<float>(3.0F, 1e3F)(random);
  const AnyPixels image = real;
  const AnyPixels* channel = &image;
  LabelRecords now = measured(p, {image});
  for (int edit = 0; edit < 25; ++edit) {
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
    };
    Region box{{below(size.z), below(size.x), below(size.y)}, {}};
    box.end = {std::min(size.z, box.begin.z + 1 + below(9)),
               std::min(size.x, box.begin.x + 1 + below(20)),
               std::min(size.y, box.begin.y + 1 + below(20))};
    // To background, to one that there is, to a new one.
    const std::uint32_t to = edit % 3 == 0   ? 0
                             : edit % 3 == 1 ? 1U + random() % 30U
                                             : 100U + random() % 5;
    std::set<std::uint32_t> changed{to};
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          changed.insert(p.at(z, x, y));
          p.at(z, x, y) = to;
        }
      }
    }
    const std::vector<std::uint32_t> which(changed.begin(), changed.end());
    auto updated = updated_records(std::move(now), view(p), {&channel, 1}, box, which);
    ASSERT_TRUE(updated.ok());
    now = *std::move(updated);
    expect_same(now, measured(p, {image}));
  }
}

TEST(LabelRecords, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto p = test::tissue({5, 6, 7}, 3, 3);
  const auto found = label_records(view(p), {}, JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled());
}

}  // namespace
}  // namespace aprscope

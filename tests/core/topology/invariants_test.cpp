// What holds of topology curves whatever the image is: random images, the seed in the message.
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "core/pipeline/backend.hpp"

namespace aprscope {
namespace {

using Image = Pixels<std::uint16_t>;

struct Curves {
  std::vector<double> threshold;
  std::vector<std::int64_t> change;
  std::vector<std::int64_t> euler;
  std::vector<double> volume;
  std::vector<double> surface;
  friend bool operator==(const Curves&, const Curves&) = default;
};

Curves curves_of(const Image& image, const std::string& sets, const std::string& construction) {
  Volume volume;
  volume.pixels = image;
  const auto found =
      cpu_backend()->measure({"topology", {{"sets", sets}, {"construction", construction}}},
                             *Dataset::create(std::move(volume)), {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  if (!found) return {};
  const Table& table = found->tables.front();
  const auto real = [&](const char* id) {
    return std::get<std::vector<double>>(table.column(id)->cells);
  };
  const auto whole = [&](const char* id) {
    return std::get<std::vector<std::int64_t>>(table.column(id)->cells);
  };
  return {real("threshold"), whole("vcec"), whole("ecc"), real("volume"), real("surface")};
}

struct Sample {
  std::uint64_t seed = 0;
  Image image{Size3{1, 1, 1}};
};

// Of any shape up to 6 pixels a side, with 2 to 9 values.
Sample random_image(std::uint64_t seed, bool flat) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(1 + random() % most);
  };
  Sample out;
  out.seed = seed;
  out.image = Image(Size3{flat ? 1 : pick(5) + 1, pick(6), pick(6)});
  const std::uint64_t values = 2 + random() % 8;
  for (auto& v : out.image.values) v = static_cast<std::uint16_t>(10 * (1 + random() % values));
  return out;
}

// The image whose pixel at `to` is that at place(to).
template <class Place>
Image moved(const Image& image, const Size3& size, const Place& place) {
  Image out(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const Index3 p = place(z, x, y);
        out.at(z, x, y) = image.at(p.z, p.x, p.y);
      }
    }
  }
  return out;
}

// The image with a border of `value`, one pixel wide; a flat one stays flat.
Image framed(const Image& image, std::uint16_t value) {
  const Size3 n = image.size;
  const std::int64_t deep = n.z == 1 ? 0 : 1;
  Image out(Size3{n.z + 2 * deep, n.x + 2, n.y + 2}, value);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) out.at(z + deep, x + 1, y + 1) = image.at(z, x, y);
    }
  }
  return out;
}

constexpr int kImages = 800;
constexpr const char* kSets[] = {"superlevel", "sublevel"};
constexpr const char* kConstructions[] = {"t", "v"};

template <class Check>
void for_all(const Check& check) {
  for (int i = 0; i < kImages; ++i) {
    const Sample sample = random_image(1000 + static_cast<std::uint64_t>(i), i % 3 == 0);
    for (const char* sets : kSets) {
      for (const char* construction : kConstructions) {
        SCOPED_TRACE(testing::Message()
                     << "seed " << sample.seed << " " << sets << " " << construction);
        check(sample.image, sets, construction);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(TopologyInvariants, ChangesAddUpToOneBox) {
  for_all([](const Image& image, const char* sets, const char* construction) {
    const Curves curves = curves_of(image, sets, construction);
    std::int64_t sum = 0;
    for (const std::int64_t change : curves.change) sum += change;
    EXPECT_EQ(sum, 1);
    const bool super = std::string(sets) == "superlevel";
    EXPECT_EQ(super ? curves.euler.front() : curves.euler.back(), 1);
    EXPECT_EQ(super ? curves.volume.front() : curves.volume.back(),
              static_cast<double>(image.size.count()));
  });
}

TEST(TopologyInvariants, AxesAndDirectionsDoNotMatter) {
  for_all([](const Image& image, const char* sets, const char* construction) {
    const Size3 n = image.size;
    const Curves curves = curves_of(image, sets, construction);
    EXPECT_EQ(curves_of(moved(image, {n.z, n.y, n.x},
                              [](auto z, auto x, auto y) {
                                return Index3{z, y, x};
                              }),
                        sets, construction),
              curves);
    EXPECT_EQ(curves_of(moved(image, n,
                              [&](auto z, auto x, auto y) {
                                return Index3{n.z - 1 - z, x, n.y - 1 - y};
                              }),
                        sets, construction),
              curves);
    // An image of one slice is another thing than a volume that is one pixel wide.
    if (n.z == 1 || n.x == 1 || n.y == 1) return;
    EXPECT_EQ(curves_of(moved(image, {n.y, n.z, n.x},
                              [](auto z, auto x, auto y) {
                                return Index3{x, y, z};
                              }),
                        sets, construction),
              curves);
  });
}

TEST(TopologyInvariants, ValuesOnlyNameLevels) {
  for_all([](const Image& image, const char* sets, const char* construction) {
    const Curves curves = curves_of(image, sets, construction);
    Image other = image;
    for (auto& v : other.values) v = static_cast<std::uint16_t>(v * v + 7);
    Curves renamed = curves_of(other, sets, construction);
    for (double& t : renamed.threshold) t = std::sqrt(t - 7.0);
    EXPECT_EQ(renamed, curves);
  });
}

// What is dark touches by faces where what is bright touches by corners: of one another's
// complement they say the same (Alexander duality in a box whose border is dark).
TEST(TopologyInvariants, BrightAndDarkAreComplements) {
  for (int i = 0; i < kImages; ++i) {
    const Sample sample = random_image(5000 + static_cast<std::uint64_t>(i), i % 2 == 0);
    SCOPED_TRACE(testing::Message() << "seed " << sample.seed);
    const Image image = framed(sample.image, 1);
    const bool flat = image.size.z == 1;
    const auto check = [&](const char* bright_by, const char* dark_by) {
      const Curves bright = curves_of(image, "superlevel", bright_by);
      const Curves dark = curves_of(image, "sublevel", dark_by);
      ASSERT_EQ(bright.threshold, dark.threshold);
      for (std::size_t t = 1; t < bright.threshold.size(); ++t) {
        // What is bright from t on, and what is dark below it.
        EXPECT_EQ(dark.euler[t - 1], flat ? 1 - bright.euler[t] : 1 + bright.euler[t]) << t;
      }
    };
    check("t", "v");
    check("v", "t");
  }
}

TEST(TopologyInvariants, SeparatePiecesAdd) {
  for (int i = 0; i < kImages; ++i) {
    const Sample a = random_image(9000 + static_cast<std::uint64_t>(i), false);
    const Sample b = random_image(9500 + static_cast<std::uint64_t>(i), false);
    SCOPED_TRACE(testing::Message() << "seeds " << a.seed << ", " << b.seed);
    for (const char* construction : kConstructions) {
      // One after the other along y, in a dark room.
      const Image first = framed(a.image, 1);
      const Image second = framed(b.image, 1);
      Image both(Size3{std::max(first.size.z, second.size.z), std::max(first.size.x, second.size.x),
                       first.size.y + second.size.y},
                 1);
      const auto place = [&](const Image& part, std::int64_t from) {
        for (std::int64_t z = 0; z < part.size.z; ++z) {
          for (std::int64_t x = 0; x < part.size.x; ++x) {
            for (std::int64_t y = 0; y < part.size.y; ++y) {
              both.at(z, x, from + y) = part.at(z, x, y);
            }
          }
        }
      };
      place(first, 0);
      place(second, first.size.y);
      const Curves of_both = curves_of(both, "superlevel", construction);
      const Curves of_first = curves_of(first, "superlevel", construction);
      const Curves of_second = curves_of(second, "superlevel", construction);
      const auto at = [](const Curves& curves, double t) -> std::int64_t {
        const auto level = std::lower_bound(curves.threshold.begin(), curves.threshold.end(), t);
        if (level == curves.threshold.end()) return 0;
        return curves.euler[static_cast<std::size_t>(level - curves.threshold.begin())];
      };
      for (std::size_t t = 1; t < of_both.threshold.size(); ++t) {
        EXPECT_EQ(of_both.euler[t],
                  at(of_first, of_both.threshold[t]) + at(of_second, of_both.threshold[t]));
      }
    }
  }
}

}  // namespace
}  // namespace aprscope

#include "core/cells/label_colours.hpp"

#include <gtest/gtest.h>

#include "core/image/label_plane.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

std::vector<LabelContact> contacts_of(const Pixels<std::uint32_t>& p) {
  const auto records = label_records(test::view(p), {});
  return records.ok() ? records->contacts : std::vector<LabelContact>{};
}

std::size_t clashes(const std::vector<LabelContact>& contacts,
                    const std::vector<std::uint8_t>& colours) {
  return static_cast<std::size_t>(
      std::count_if(contacts.begin(), contacts.end(),
                    [&](const LabelContact& one) { return colours[one.a] == colours[one.b]; }));
}

TEST(LabelColours, KeepNeighboursApart) {
  const auto p = test::tissue({20, 40, 40}, 300, 21);
  const auto contacts = contacts_of(p);
  const auto colours = colour_indices(contacts, test::largest_of(p));
  EXPECT_EQ(colours.size(), test::largest_of(p) + 1U);
  EXPECT_EQ(colours[0], 0);
  EXPECT_EQ(clashes(contacts, colours), 0U);
  for (std::size_t l = 1; l < colours.size(); ++l) {
    EXPECT_GT(colours[l], 0);
    EXPECT_LT(colours[l], label_palette().size());
  }
}

TEST(LabelColours, StayWhereAnEditMakesNoClash) {
  auto p = test::tissue({20, 40, 40}, 300, 22);
  const auto before = colour_indices(contacts_of(p), 300);
  // The same contacts: the same colours.
  EXPECT_EQ(colour_indices(contacts_of(p), 300, before), before);
  // Two that touch become one.
  const auto pair = contacts_of(p)[40];
  for (std::uint32_t& l : p.values) l = l == pair.b ? pair.a : l;
  const auto contacts = contacts_of(p);
  const auto after = colour_indices(contacts, 300, before);
  EXPECT_EQ(clashes(contacts, after), 0U);
  std::size_t changed = 0;
  for (std::size_t l = 1; l < after.size(); ++l) changed += after[l] != before[l] ? 1 : 0;
  EXPECT_LE(changed, 6U);
}

TEST(LabelColours, AreTheSameBeforeNeighboursAreKnown) {
  LabelColours pictures;
  pictures.palette.assign(label_palette().begin(), label_palette().end());
  for (const std::uint32_t label : {1U, 2U, 77U, 70000U, 4'000'000'000U}) {
    EXPECT_EQ(pictures.colour(label), label_palette()[hashed_colour(label)]) << label;
  }
}

TEST(LabelColours, LargeLabelsHaveTheirHash) {
  EXPECT_EQ(colour_indices({}, 4'000'000'000U).size(), kMostColoured + 1U);
  EXPECT_GT(hashed_colour(4'000'000'000U), 0);
}

// Normal eyes, and those without red or green cones (Viénot, Brettel, Mollon 1999, in linear
// light).
TEST(LabelColours, AreBrightAndDistinct) {
  const auto linear = [](double v) { return std::pow(v / 255.0, 2.2); };
  const auto palette = label_palette();
  for (std::size_t i = 1; i < palette.size(); ++i) {
    const auto& c = palette[i];
    EXPECT_GT(0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]), 0.2) << i;
    for (std::size_t j = 1; j < i; ++j) {
      const auto& d = palette[j];
      EXPECT_GT(std::hypot(c[0] - d[0], c[1] - d[1], c[2] - d[2]), 35.0) << i << " " << j;
      const auto seen = [&](const std::array<std::uint8_t, 3>& of) {
        const double yellow = 0.29 * linear(of[0]) + 0.71 * linear(of[1]);
        return std::pair(255.0 * std::pow(yellow, 1.0 / 2.2), static_cast<double>(of[2]));
      };
      const auto a = seen(c);
      const auto b = seen(d);
      EXPECT_GT(std::hypot(a.first - b.first, a.second - b.second), 10.0) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace aprscope

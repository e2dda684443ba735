#include "core/cells/label_colours.hpp"

#include <algorithm>

namespace aprscope {
namespace {

constexpr std::array<std::array<std::uint8_t, 3>, 19> kPalette{{{0, 0, 0},
                                                                {230, 159, 0},
                                                                {86, 180, 233},
                                                                {0, 178, 130},
                                                                {240, 228, 66},
                                                                {70, 130, 225},
                                                                {232, 94, 20},
                                                                {214, 120, 180},
                                                                {255, 206, 130},
                                                                {165, 222, 255},
                                                                {130, 235, 195},
                                                                {252, 248, 170},
                                                                {160, 180, 255},
                                                                {255, 150, 125},
                                                                {250, 195, 230},
                                                                {175, 190, 50},
                                                                {175, 125, 245},
                                                                {60, 215, 225},
                                                                {250, 85, 140}}};
constexpr std::size_t kColours = kPalette.size() - 1;

}  // namespace

std::span<const std::array<std::uint8_t, 3>> label_palette() { return kPalette; }

std::uint8_t hashed_colour(std::uint32_t label) {
  if (label == 0) return 0;
  const std::uint64_t mixed = label * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::uint8_t>(1 + (mixed >> 40U) % kColours);
}

std::vector<std::uint8_t> colour_indices(std::span<const LabelContact> contacts,
                                         std::uint32_t largest,
                                         std::span<const std::uint8_t> previous) {
  const std::size_t count = static_cast<std::size_t>(std::min(largest, kMostColoured)) + 1;
  std::vector<std::uint8_t> colours(count);
  for (std::size_t l = 1; l < count; ++l) {
    const bool known = l < previous.size() && previous[l] != 0 && previous[l] <= kColours;
    colours[l] = known ? previous[l] : hashed_colour(static_cast<std::uint32_t>(l));
  }
  // The neighbours of each label, one list after another.
  std::vector<std::uint64_t> end(count + 1, 0);
  const auto counts = [&](const LabelContact& one) { return one.a < count && one.b < count; };
  for (const LabelContact& one : contacts) {
    if (!counts(one)) continue;
    ++end[one.a];
    ++end[one.b];
  }
  std::uint64_t sum = 0;
  for (std::uint64_t& one : end) {
    const std::uint64_t n = one;
    one = sum;
    sum += n;
  }
  std::vector<std::uint32_t> neighbours(sum);
  for (const LabelContact& one : contacts) {
    if (!counts(one)) continue;
    neighbours[end[one.a]++] = one.b;
    neighbours[end[one.b]++] = one.a;
  }
  for (std::size_t l = 1; l < count; ++l) {
    const std::span<const std::uint32_t> near(neighbours.data() + end[l - 1],
                                              neighbours.data() + end[l]);
    const bool taken = std::any_of(near.begin(), near.end(), [&](std::uint32_t other) {
      return other < l && colours[other] == colours[l];
    });
    if (!taken) continue;
    // A smaller neighbour's colour is settled: worse than any number of colours that may change.
    std::array<std::uint64_t, kColours + 1> used{};
    constexpr std::uint64_t kSettled = std::uint64_t{1} << 32;
    for (const std::uint32_t other : near) used[colours[other]] += other < l ? kSettled : 1;
    const std::size_t first = hashed_colour(static_cast<std::uint32_t>(l));
    std::size_t best = first;
    for (std::size_t k = 0; k < kColours; ++k) {
      const std::size_t colour = 1 + (first - 1 + k) % kColours;
      if (used[colour] < used[best]) best = colour;
    }
    colours[l] = static_cast<std::uint8_t>(best);
  }
  return colours;
}

}  // namespace aprscope

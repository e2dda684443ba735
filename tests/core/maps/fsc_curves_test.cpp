#include "core/maps/fsc_curves.hpp"

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/maps/fsc_measurement.hpp"
#include "core/maps/map_filters.hpp"
#include "core/maps/map_spectrum.hpp"
#include "core/maps/raised_cosine.hpp"
#include "core/maps/random_phases.hpp"
#include "core/maps/shells.hpp"
#include "core/projections/phantom.hpp"
#include "tests/core/maps/test_maps.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

using test::noise_map;

TEST(RandomPhases, KeepAmplitudesAndARealMap) {
  for (const std::int64_t n : {16, 15}) {
    const auto map = noise_map(n, 1);
    auto spectrum = *MapSpectrum::of(map, n);
    const auto before = *MapSpectrum::of(map, n);
    randomise_phases(spectrum, 4, 7, 1);
    auto copy = spectrum.copy();
    ASSERT_TRUE(copy);
    const auto real = (*std::move(copy)).to_map();
    ASSERT_TRUE(real);
    // Were it not a real map's, its transform would not come back.
    const auto again = *MapSpectrum::of(*real, n);
    int turned = 0;
    for (std::int64_t z = 0; z < n; ++z) {
      for (std::int64_t y = 0; y < n; ++y) {
        for (std::int64_t x = 0; x < before.row_length(); ++x) {
          const auto was = before.row(z, y)[x];
          const auto is = again.row(z, y)[x];
          EXPECT_NEAR(std::abs(spectrum.row(z, y)[x] - is), 0.0, 2e-4);
          EXPECT_NEAR(std::abs(was), std::abs(is), 2e-4);
          const std::int64_t k2 = before.frequency(z) * before.frequency(z) +
                                  before.frequency(y) * before.frequency(y) + x * x;
          if (k2 < 16) {
            EXPECT_NEAR(std::abs(was - is), 0.0, 2e-4);
          } else if (std::abs(was - is) > 1e-3F * std::abs(was)) {
            ++turned;
          }
        }
      }
    }
    EXPECT_GT(turned, n * n * (n / 2 + 1) / 2);
  }
}

TEST(RandomPhases, OfTwoMapsDoNotAgree) {
  const std::int64_t n = 32;
  auto a = *MapSpectrum::of(noise_map(n, 1), n);
  auto b = *a.copy();
  randomise_phases(a, 6, 1, 1);
  randomise_phases(b, 6, 1, 2);
  const auto fsc = shell_correlation(a, b);
  for (std::size_t s = 0; s < 6; ++s) EXPECT_GT(fsc[s], s < 5 ? 0.999 : 0.3) << s;
  for (std::size_t s = 7; s < fsc.size(); ++s) EXPECT_LT(std::abs(fsc[s]), 0.3) << s;
}

struct Halves {
  std::int64_t side = 48;
  std::vector<float> signal, first, second;
};

// A molecule without anything beyond shell 12, and noise.
Halves blurred_halves() {
  Halves halves;
  const auto atoms = random_molecule({.atoms = 60, .half_axes = {8, 7, 7}});
  halves.signal = *low_passed(phantom_map(atoms, halves.side), halves.side, 4.0);
  halves.first = noise_map(halves.side, 11);
  halves.second = noise_map(halves.side, 12);
  for (std::size_t i = 0; i < halves.signal.size(); ++i) {
    halves.first[i] = halves.signal[i] + 0.02F * halves.first[i];
    halves.second[i] = halves.signal[i] + 0.02F * halves.second[i];
  }
  return halves;
}

std::vector<float> ball(std::int64_t n, double radius, double edge) {
  std::vector<float> mask;
  for (std::int64_t i = 0; i < n * n * n; ++i) {
    const auto at = [&](std::int64_t v) { return test::from_middle(v, n); };
    const double r = std::hypot(at(i / n / n), at(i / n % n), at(i % n));
    mask.push_back(static_cast<float>(raised_cosine(r, radius, radius + edge)));
  }
  return mask;
}

// A mask as rough as noise, the same for both maps: it carries the strong low frequencies to high
// ones, where they agree although nothing is there.
TEST(FscCurves, CorrectionTakesAwayWhatAHardMaskMakesAgree) {
  const Halves halves = blurred_halves();
  auto mask = ball(halves.side, 9.0, 0.0);
  const auto rough = noise_map(halves.side, 5);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (rough[i] < 0.0F) mask[i] = 0.0F;
  }
  const auto curves = fsc_curves(halves.first, halves.second, halves.side, mask);
  ASSERT_TRUE(curves) << curves.error().message();
  ASSERT_FALSE(curves->corrected.empty());
  EXPECT_GE(curves->randomised_from, 11);
  EXPECT_LE(curves->randomised_from, 13);
  for (std::size_t s = 16; s < 24; ++s) {
    EXPECT_LT(std::abs(curves->unmasked[s]), 0.1) << s;
    EXPECT_GT(curves->masked[s], 0.8) << s;
    EXPECT_GT(curves->randomised[s], 0.6) << s;
    EXPECT_LT(curves->corrected[s], curves->masked[s] - 0.1) << s;
    const double formula =
        (curves->masked[s] - curves->randomised[s]) / (1.0 - curves->randomised[s]);
    EXPECT_DOUBLE_EQ(curves->corrected[s], formula);
  }
  for (std::size_t s = 0; s < static_cast<std::size_t>(curves->randomised_from) + 2; ++s) {
    EXPECT_EQ(curves->corrected[s], curves->masked[s]);
  }
  const Measurement said =
      fsc_measurement(*curves, {halves.side, 1.5, "Å"}, mask_facts(mask, halves.side));
  const auto has = [&](const char* words) {
    return std::any_of(said.notes.begin(), said.notes.end(), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("edge of the mask"));
  EXPECT_TRUE(has("too tight or too hard"));
  EXPECT_FALSE(has("border"));
}

TEST(FscCurves, ASoftMaskRaisesTheCurveToWhatSignalAndNoiseInsideSay) {
  const Halves halves = blurred_halves();
  const auto mask = ball(halves.side, 10.0, 6.0);
  const auto curves = fsc_curves(halves.first, halves.second, halves.side, mask);
  ASSERT_TRUE(curves);
  // Signal ÷ (signal + noise) inside the mask, by shell.
  auto signal = halves.signal;
  auto noise = noise_map(halves.side, 13);
  for (std::size_t i = 0; i < signal.size(); ++i) {
    signal[i] *= mask[i];
    noise[i] *= 0.02F * mask[i];
  }
  const auto s = radial_amplitude(*MapSpectrum::of(signal, halves.side));
  const auto n = radial_amplitude(*MapSpectrum::of(noise, halves.side));
  for (std::size_t k = 2; k < 24; ++k) {
    EXPECT_NEAR(curves->masked[k], s[k] * s[k] / (s[k] * s[k] + n[k] * n[k]), 0.1) << k;
    EXPECT_GE(curves->masked[k], curves->unmasked[k] - 0.1) << k;
  }
  for (std::size_t k = 16; k < 24; ++k) EXPECT_LT(std::abs(curves->corrected[k]), 0.15) << k;

  const Measurement said =
      fsc_measurement(*curves, {halves.side, 1.5, "Å"}, mask_facts(mask, halves.side));
  ASSERT_EQ(said.curves.size(), 1U);
  ASSERT_EQ(said.curves.front().ys.size(), 4U);
  EXPECT_EQ(said.curves.front().x.unit, "1/Å");
  const double at = *crossing(curves->corrected, 0.143, halves.side, 1.5);
  ASSERT_EQ(said.curves.front().marks.size(), 3U);
  EXPECT_NEAR(1.0 / said.curves.front().marks[1].x, at, 1e-9);
  // Two voxels.
  EXPECT_NEAR(1.0 / said.curves.front().marks[2].x, 3.0, 1e-12);
  EXPECT_EQ(said.curves.front().marks[2].words, "Nyquist");
  EXPECT_EQ(said.curves.front().reciprocal_of, "Å");
  EXPECT_EQ(said.curves.front().span, (CurveSpan{0.0, 1.0}));
  ASSERT_EQ(said.curves.front().levels.size(), 2U);
  EXPECT_EQ(said.curves.front().levels[0].y, 0.143);
  EXPECT_EQ(said.curves.front().levels[1].y, 0.5);
  // The signal ends at 4 voxels of 1.5 Å; the mask mixes two shells more.
  EXPECT_NEAR(at, 6.0, 1.2);
  const Table* shells = nullptr;
  for (const Table& table : said.tables) {
    if (table.id == "shells") shells = &table;
  }
  ASSERT_NE(shells, nullptr);
  EXPECT_EQ(shells->rows(), 25U);
  for (const std::string& note : said.notes) EXPECT_EQ(note.find("edge of"), std::string::npos);
}

TEST(FscCurves, WithoutMaskThereIsOneAndTheSameForAnyThreads) {
  const Halves halves = blurred_halves();
  const auto plain = fsc_curves(halves.first, halves.second, halves.side, {});
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->masked.empty());
  EXPECT_EQ(&plain->best(), &plain->unmasked);
  const auto mask = ball(halves.side, 10.0, 6.0);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = fsc_curves(halves.first, halves.second, halves.side, mask);
  set_thread_count(3);
  const auto three = fsc_curves(halves.first, halves.second, halves.side, mask);
  set_thread_count(before);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->corrected, three->corrected);
  EXPECT_FALSE(fsc_curves(halves.first, halves.second, halves.side, std::vector<float>(8)));
  std::stop_source stop;
  stop.request_stop();
  const auto ended =
      fsc_curves(halves.first, halves.second, halves.side, mask, {}, JobContext(stop.get_token()));
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().cancelled());
}

TEST(SoftMask, FallsAsACosineAndItsFactsSaySo) {
  const std::vector<float> squared{0.0F, 4.0F, 9.0F, 16.0F, 25.0F, 64.0F};
  const auto mask = soft_mask(squared, 2.0, 4.0);
  const double expected[] = {
      1.0, 1.0, 0.5 + 0.5 * std::cos(M_PI / 4), 0.5, 0.5 + 0.5 * std::cos(3 * M_PI / 4), 0.0};
  for (std::size_t i = 0; i < mask.size(); ++i) EXPECT_NEAR(mask[i], expected[i], 1e-6);

  const std::int64_t n = 40;
  for (const double edge : {2.0, 4.0, 6.0, 10.0}) {
    const MaskFacts facts = mask_facts(ball(n, 8.0, edge), n);
    EXPECT_NEAR(facts.edge, edge, 0.4);
    EXPECT_FALSE(facts.touches_border);
    EXPECT_EQ(facts.highest, 1.0F);
  }
  EXPECT_EQ(mask_facts(ball(n, 8.0, 0.0), n).edge, M_PI / 2);
  EXPECT_TRUE(mask_facts(ball(n, 17.0, 6.0), n).touches_border);
}

}  // namespace
}  // namespace aprscope

#include "core/projections/job_fingerprint.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/plan_reconstruction.hpp"

namespace aprscope {
namespace {

struct TestJob {
  ProjectionTable table;
  BackprojectSettings settings;
};

TestJob job() {
  TestJob out;
  out.table.path = "/data/set.star";
  out.table.side = 32;
  out.table.pixel_size = 2.0;
  out.table.stacks = {"/data/stacks/a.mrcs", "/data/stacks/b.mrcs"};
  out.table.optics.resize(1);
  OpticsGroup& group = out.table.optics[0];
  group.name = "one";
  group.voltage_kv = 300.0;
  group.spherical_aberration_mm = 2.7;
  group.amplitude_contrast = 0.1;
  group.pixel_size = 2.0;
  for (int i = 0; i < 10; ++i) {
    Projection row;
    row.image = i;
    row.rot = 7.0 * i;
    row.defocus_u = 10000.0 + i;
    row.defocus_v = 11000.0 + i;
    row.line = i;
    out.table.rows.push_back(row);
  }
  return out;
}

std::uint64_t number_of(const TestJob& job) {
  const auto plan = plan_reconstruction(job.table, job.settings);
  EXPECT_TRUE(plan.ok()) << (plan ? "" : plan.error().message());
  return plan ? job_fingerprint(job.table, job.settings, *plan) : 0;
}

std::uint64_t number_with(const std::function<void(TestJob&)>& change) {
  TestJob changed = job();
  change(changed);
  return number_of(changed);
}

TEST(JobFingerprint, IsAnotherForAnyOtherJob) {
  const std::uint64_t own = number_of(job());
  const std::vector<std::function<void(TestJob&)>> changes{
      [](TestJob& j) { j.settings.symmetry = "C2"; },
      [](TestJob& j) { j.settings.kernel = InsertionKernel::blob; },
      [](TestJob& j) { j.settings.order = 2; },
      [](TestJob& j) { j.settings.padding = 1.5; },
      [](TestJob& j) { j.settings.ctf = CtfUse::none; },
      [](TestJob& j) { j.settings.solve = Solve::least_squares; },
      [](TestJob& j) { j.settings.iterations += 1; },
      [](TestJob& j) { j.settings.tau *= 1.001; },
      [](TestJob& j) { j.settings.max_resolution = 9.0; },
      [](TestJob& j) { j.settings.halves = Halves::none; },
      [](TestJob& j) { j.settings.mask_diameter = 40.0; },
      [](TestJob& j) { j.settings.images = 9; },
      [](TestJob& j) { j.settings.invert = true; },
      [](TestJob& j) { j.settings.noise = NoiseUse::corners; },
      [](TestJob& j) { j.settings.noise_images = 7; },
      [](TestJob& j) { j.table.side = 34; },
      [](TestJob& j) { j.table.pixel_size = 2.5; },
      [](TestJob& j) { j.table.stacks[0] = "/data/stacks/c.mrcs"; },
      [](TestJob& j) { j.table.stacks[0] = "/data/other/a.mrcs"; },
      [](TestJob& j) { j.table.optics[0].voltage_kv = 200.0; },
      [](TestJob& j) { j.table.optics[0].amplitude_contrast = 0.07; },
      [](TestJob& j) { j.table.optics[0].beam_tilt_x = 0.1; },
      [](TestJob& j) { j.table.optics[0].beam_tilt_y = 0.1; },
      [](TestJob& j) {
        j.table.optics[0].odd_zernike = {0.5, 0.0};
      },
      [](TestJob& j) { j.table.optics[0].even_zernike = {0.5}; },
      [](TestJob& j) { j.table.optics[0].magnification[1] = 0.01; },
      [](TestJob& j) { j.table.rows.pop_back(); },
      [](TestJob& j) { std::swap(j.table.rows[3], j.table.rows[4]); },
      [](TestJob& j) { j.table.rows[3].enabled = false; },
      [](TestJob& j) { j.table.rows[3].stack = 1; },
      [](TestJob& j) { j.table.rows[3].image = 4; },
      [](TestJob& j) { j.table.rows[3].rot += 1e-12; },
      [](TestJob& j) { j.table.rows[3].tilt = 1.0; },
      [](TestJob& j) { j.table.rows[3].psi = 1.0; },
      [](TestJob& j) { j.table.rows[3].shift_x = 1.0; },
      [](TestJob& j) { j.table.rows[3].shift_y = 1.0; },
      [](TestJob& j) { j.table.rows[3].mirrored = true; },
      [](TestJob& j) { j.table.rows[3].weight = 0.5; },
      [](TestJob& j) { j.table.rows[3].defocus_u += 1.0; },
      [](TestJob& j) { j.table.rows[3].defocus_angle = 1.0; },
      [](TestJob& j) { j.table.rows[3].phase_shift = 1.0; },
      // Of all rows: which half is which.
      [](TestJob& j) {
        for (Projection& row : j.table.rows) row.half = row.image < 5 ? 1 : 2;
      },
  };
  std::vector<std::uint64_t> seen{own};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::uint64_t other = number_with(changes[i]);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), other), 0) << "change " << i;
    seen.push_back(other);
  }
}

TEST(JobFingerprint, IsTheSameForTheSameJobElsewhere) {
  const std::uint64_t own = number_of(job());
  EXPECT_EQ(number_of(job()), own);
  EXPECT_EQ(number_with([](TestJob& j) {
              j.table.path = "/scratch/set.star";
              j.table.stacks = {"/scratch/stacks/a.mrcs", "/scratch/stacks/b.mrcs"};
              for (Projection& row : j.table.rows) row.line += 2;
              j.table.optics[0].name = "two";
            }),
            own);
}

// A field of the table that a file does not give is not a number, of either sign.
TEST(JobFingerprint, TakesAllThatAreNoNumbersAsOne) {
  const auto with = [](double none) {
    return number_with([none](TestJob& j) {
      for (Projection& row : j.table.rows) row.defocus_u = row.defocus_v = none;
    });
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(with(kNone), with(-kNone));
}

}  // namespace
}  // namespace aprscope

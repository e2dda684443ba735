#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/orientation.hpp"

// Insertion of planes on the processor, samples a second of one thread: `images` has one sample an
// image (transform included), `samples` eight (what symmetry does). Compare ratios in one run.
namespace aprscope::bench {
namespace {

struct Setup {
  InsertionPlan plan;
  std::vector<float> images;
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;

  Setup(std::int64_t n, std::int64_t count, int copies, CtfUse ctf) {
    plan.side = n;
    plan.padded = 2 * n;
    plan.tiles = FrequencyTiles(n + 1, FrequencyTiles::good_side(2 * n));
    plan.slab = slab_kernel(plan.blob);
    plan.ctf = ctf;
    plan.image_reach = n + 1;
    const CounterRandom random(1, 0);
    images.resize(static_cast<std::size_t>(n * n * count));
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = static_cast<float>(random.normal(i));
    ImageTerms term;
    term.pixel_size = 1.2;
    term.shift_x = 1.5F;
    term.ctf.mean = 150.0;
    terms.assign(static_cast<std::size_t>(count), term);
    for (std::int64_t i = 0; i < count * copies; ++i) {
      const auto u = [&](std::uint64_t k) {
        return random.uniform(1000000 + 3 * static_cast<std::uint64_t>(i) + k);
      };
      const Rotation a = from_euler(360 * u(0), std::acos(2 * u(1) - 1) * 57.29578, 360 * u(2));
      InsertionSample sample;
      for (std::size_t j = 0; j < 9; ++j) {
        sample.rows[j] = static_cast<float>(a.rows[j / 3][j % 3]);
      }
      sample.radius = static_cast<float>(n + 2);
      sample.image = static_cast<std::int32_t>(i / copies);
      samples.push_back(sample);
    }
  }
};

void insert(benchmark::State& state, std::int64_t n, std::int64_t count, int copies, CtfUse ctf) {
  const Setup setup(n, count, copies, ctf);
  const int before = thread_count();
  set_thread_count(static_cast<int>(state.range(0)));
  auto inserter = make_cpu_inserter(setup.plan, {});
  for (auto _ : state) {
    if (!(*inserter)->insert(setup.images, setup.terms, setup.samples, {})) {
      state.SkipWithError("insertion failed");
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(setup.samples.size()));
  set_thread_count(before);
}

BENCHMARK_CAPTURE(insert, images_64, 64, 512, 1, CtfUse::none)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(insert, images_64_ctf, 64, 512, 1, CtfUse::ctf)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(insert, samples_64, 64, 128, 8, CtfUse::none)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(insert, samples_420, 420, 8, 8, CtfUse::none)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

// Exterior, lumens and volumes of particles, and its parts. Membranes: the brightest tenth of the
// particles.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include <benchmark/benchmark.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/component_runs.hpp"
#include "core/cells/particle_basin_tree.hpp"
#include "core/cells/particle_basins.hpp"
#include "core/cells/particle_components.hpp"
#include "core/cells/particle_exterior.hpp"
#include "core/cells/particle_jumps.hpp"
#include "core/cells/particle_runs.hpp"
#include "tests/bench/bench_data.hpp"

namespace aprscope::bench {
namespace {

const std::vector<std::uint8_t>& membrane() {
  static const std::vector<std::uint8_t> mask = [] {
    std::vector<float> sorted = bench_apr().values;
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 10 * 9);
    std::nth_element(sorted.begin(), at, sorted.end());
    std::vector<std::uint8_t> out;
    out.reserve(sorted.size());
    for (const float value : bench_apr().values) out.push_back(value >= *at ? 1 : 0);
    return out;
  }();
  return mask;
}

void per_particle(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(bench_apr().access().count()));
}

Connectivity connectivity_of(const benchmark::State& state) {
  return state.range(0) == 6 ? Connectivity::faces : Connectivity::corners;
}

void jump_bench(benchmark::State& state) {
  (void)bench_apr().access().interior();
  for (auto _ : state) {
    const ParticleJumps jumps(bench_apr().access());
    benchmark::DoNotOptimize(&jumps);
  }
  per_particle(state);
}
BENCHMARK(jump_bench)
    ->Name("jumps")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void runs_bench(benchmark::State& state) {
  for (auto _ : state) {
    const auto runs = ParticleRuns::find(bench_apr().access(), membrane(), false);
    state.counters["runs"] = runs->count();
  }
  per_particle(state);
}
BENCHMARK(runs_bench)
    ->Name("runs")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void exterior_bench(benchmark::State& state) {
  for (auto _ : state) {
    const auto water = fill_particles(bench_apr().access(), membrane(), connectivity_of(state));
    state.counters["lumens"] = water->lumens();
  }
  per_particle(state);
}
BENCHMARK(exterior_bench)
    ->Name("exterior, lumens, volumes")
    ->Arg(6)
    ->Arg(26)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// The membrane's pixels.
const Pixels<std::uint8_t>& membrane_pixels() {
  static const Pixels<std::uint8_t> mask = [] {
    const std::vector<float> values(membrane().begin(), membrane().end());
    const AprAccess& access = bench_apr().access();
    const auto painted =
        reconstruct(access, values, ReconstructionMode::constant, whole(access.size()));
    Pixels<std::uint8_t> out(access.size());
    std::transform(painted->values.begin(), painted->values.end(), out.values.begin(),
                   [](float v) { return static_cast<std::uint8_t>(v); });
    return out;
  }();
  return mask;
}

// The same of the pixels: labels of all that is no membrane, which of them touch the border, and
// how many pixels each has.
void pixel_exterior_bench(benchmark::State& state) {
  const Pixels<std::uint8_t>& mask = membrane_pixels();
  const Size3 size = mask.size;
  for (auto _ : state) {
    const auto runs = ComponentRuns::of(mask.values, size, MaskSide::clear, connectivity_of(state));
    const std::vector<std::uint8_t> border = runs->at_border();
    std::vector<std::uint32_t> labels;
    make_zeros(labels, size.count());
    std::vector<std::uint64_t> pixels(border.size(), 0);
    parallel_for(size.z, thread_count(), [&](std::int64_t z) {
      ComponentRuns::PaintedBand painted;
      std::vector<std::uint64_t> own(border.size(), 0);
      for (std::int64_t x = 0; x < size.x; ++x) {
        runs->paint(z, x, labels.data() + (z * size.x + x) * size.y, painted);
        runs->each_run(z, x, [&](std::int64_t begin, std::int64_t end, std::uint32_t label) {
          own[label] += static_cast<std::uint64_t>(end - begin);
        });
      }
      for (std::size_t i = 0; i < own.size(); ++i) {
        std::atomic_ref(pixels[i]).fetch_add(own[i], std::memory_order_relaxed);
      }
    });
    benchmark::DoNotOptimize(pixels.data());
  }
  state.SetItemsProcessed(state.iterations() * size.count());
}
BENCHMARK(pixel_exterior_bench)
    ->Name("pixels: exterior, lumens, volumes")
    ->Arg(6)
    ->Arg(26)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void components_bench(benchmark::State& state) {
  for (auto _ : state) {
    const auto labels = label_particles(bench_apr().access(), membrane(), connectivity_of(state));
    state.counters["labels"] = labels->largest;
  }
  per_particle(state);
}
BENCHMARK(components_bench)
    ->Name("components of the mask")
    ->Arg(6)
    ->Arg(26)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void watershed_bench(benchmark::State& state) {
  const AprAccess& access = bench_apr().access();
  const BasinRule rule{connectivity_of(state), true, {}};
  for (auto _ : state) {
    const auto basins = find_particle_basins(access, bench_apr().values, rule);
    const auto tree = particle_basin_tree(access, bench_apr().values, *basins, rule);
    state.counters["basins"] = static_cast<double>(tree->floors.size() - 1);
  }
  per_particle(state);
}
BENCHMARK(watershed_bench)
    ->Name("watershed")
    ->Arg(6)
    ->Arg(26)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void pixel_watershed_bench(benchmark::State& state) {
  const AprAccess& access = bench_apr().access();
  const auto image =
      reconstruct(access, bench_apr().values, ReconstructionMode::constant, whole(access.size()));
  const BasinRule rule{connectivity_of(state), true, {}};
  for (auto _ : state) {
    const auto basins = find_basins(*image, rule);
    const auto tree = basin_tree(*image, *basins, rule);
    state.counters["basins"] = static_cast<double>(tree->floors.size() - 1);
  }
  state.SetItemsProcessed(state.iterations() * access.size().count());
}
BENCHMARK(pixel_watershed_bench)
    ->Name("pixels: watershed")
    ->Arg(6)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

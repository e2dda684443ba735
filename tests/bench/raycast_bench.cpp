#include <memory>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/apr/raycast/raycast.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "tests/bench/bench_data.hpp"

namespace aprscope::bench {
namespace {

void build_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  double bytes = 0.0;
  for (auto _ : state) {
    const auto caster = MipRaycaster::build(data.apr.access, data.values, data.apr.voxel);
    bytes = static_cast<double>((*caster)->bytes());
  }
  state.counters["MB"] = 1e-6 * bytes;
}
BENCHMARK(build_bench)
    ->Name("raycast_build")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// A full turn in steps of 7°, at an elevation that drifts, as a hand would turn it.
void turn(benchmark::State& state, const MipRaycaster& caster, const Size3& size,
          const VoxelSize& voxel, int finest_level) {
  int step = 0;
  for (auto _ : state) {
    RayCamera camera = orbit_camera(size, voxel, 7.0 * step, 25.0 * ((step % 5) - 2) / 2.0, 1.0);
    camera.perspective = state.range(0) != 0;
    benchmark::DoNotOptimize(caster.render(camera, 512, 512, finest_level));
    ++step;
  }
  state.counters["fps"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void apr_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  static const auto caster = MipRaycaster::build(data.apr.access, data.values, data.apr.voxel);
  turn(state, **caster, data.access().size(), data.apr.voxel,
       data.access().level_max() - static_cast<int>(state.range(1)));
}
BENCHMARK(apr_bench)
    ->Name("raycast_apr_512x512(perspective, levels left out)")
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({0, 1})
    ->Args({0, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void pixel_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  static const auto volume = [&] {
    auto out = std::make_shared<Volume>();
    auto pixels = reconstruct(data.access(), data.values, ReconstructionMode::constant,
                              whole(data.access().size()));
    out->pixels = std::move(*pixels);
    out->voxel = data.apr.voxel;
    return out;
  }();
  static const auto caster = MipRaycaster::build(volume);
  turn(state, **caster, volume->size(), volume->voxel, data.access().level_max());
}
BENCHMARK(pixel_bench)
    ->Name("raycast_pixels_512x512(perspective)")
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

#include <cstdint>

#include <benchmark/benchmark.h>

#include "core/apr/sample/slice.hpp"
#include "core/apr/structure/tree.hpp"
#include "tests/bench/bench_data.hpp"

namespace aprscope::bench {
namespace {

// Slices through the whole stack in turn, so that the figure is the mean over positions.
void slice_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  const auto mode = static_cast<ReconstructionMode>(state.range(0));
  const auto axis = static_cast<Axis>(state.range(1));
  const auto tree = fill_tree(data.access(), data.values, Reduction::mean);
  const std::int64_t n = plane_count(data.access().size(), axis);
  std::int64_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(slice_particles(data.access(), data.values, *tree, mode, axis, at));
    at = (at + 37) % n;
  }
}
BENCHMARK(slice_bench)
    ->Name("slice(constant 0 smooth 1 level 2, axis z 0 x 1 y 2)")
    ->ArgsProduct({{0, 1, 2}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void dots_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  const auto axis = static_cast<Axis>(state.range(0));
  const std::int64_t n = plane_count(data.access().size(), axis);
  std::int64_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(slice_dots(data.access(), data.values, axis, at, 50000));
    at = (at + 37) % n;
  }
}
BENCHMARK(dots_bench)
    ->Name("slice_dots(axis z 0 x 1 y 2)")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

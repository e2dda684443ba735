#include <cstdint>

#include <benchmark/benchmark.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "tests/bench/bench_data.hpp"

namespace aprscope::bench {
namespace {

void per_particle(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(bench_apr().access().count()));
}

void fill_tree_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  const auto reduction = static_cast<Reduction>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(fill_tree(data.access(), data.values, reduction));
  per_particle(state);
}
BENCHMARK(fill_tree_bench)
    ->Name("fill_tree(mean 0, min 1, max 2)")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void reconstruct_bench(benchmark::State& state) {
  const BenchApr& data = bench_apr();
  const auto mode = static_cast<ReconstructionMode>(state.range(0));
  const auto tree = fill_tree(data.access(), data.values, Reduction::mean);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        reconstruct(data.access(), data.values, *tree, mode, whole(data.access().size())));
  }
  state.SetBytesProcessed(state.iterations() * data.access().size().count() *
                          static_cast<std::int64_t>(sizeof(float)));
}
BENCHMARK(reconstruct_bench)
    ->Name("reconstruct(constant 0, smooth 1, level 2)")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void create_access_bench(benchmark::State& state) {
  const LinearAccess& cells = bench_apr().access().particles();
  for (auto _ : state) benchmark::DoNotOptimize(AprAccess::create(cells));
  per_particle(state);
}
BENCHMARK(create_access_bench)
    ->Name("create_access")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

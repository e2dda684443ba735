#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/slab_smoother.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "tests/bench/bench_data.hpp"

// Conversion of a u16 image as a whole and by its parts; GB/s of the image.
namespace aprscope::bench {
namespace {

const Volume& image() {
  static const Volume made = [] {
    const BenchApr& data = bench_apr();
    const auto pixels = reconstruct(data.access(), data.values, ReconstructionMode::constant,
                                    whole(data.access().size()));
    Pixels<std::uint16_t> grey(pixels->size);
    for (std::size_t i = 0; i < grey.values.size(); ++i) {
      grey.values[i] = static_cast<std::uint16_t>(pixels->values[i]);
    }
    Volume volume;
    volume.pixels = std::move(grey);
    return volume;
  }();
  return made;
}

void finish(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(image().bytes()));
}

// Coefficients only, which are overwritten as they are made.
void smoothing(benchmark::State& state) {
  const Size3 size = image().size();
  const int threads = threads_for(size.count());
  RawSlices slices(image());
  std::vector<const void*> raw;
  for (auto _ : state) {
    SlabSmoother smoother(size, slices.kind(), 3.0, threads);
    for (const SlabSmoother::Block& block : smoother.blocks()) {
      if (!slices.get(block.raw_begin, block.raw_end, raw, {}) || !smoother.run(block, raw, {})) {
        state.SkipWithError("not smoothed");
        return;
      }
    }
    benchmark::DoNotOptimize(smoother.noise());
  }
  finish(state);
}

void gradient_and_scale(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compute_gradient_scale(image(), {}));
  finish(state);
}

void structure(benchmark::State& state) {
  const auto made = compute_gradient_scale(image(), {});
  for (auto _ : state) benchmark::DoNotOptimize(build_access(*made, {}));
  finish(state);
}

void sampling(benchmark::State& state) {
  const auto apr = convert(image(), {});
  for (auto _ : state) benchmark::DoNotOptimize(sample_particles(image(), *apr->access));
  finish(state);
}

void whole_conversion(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(convert(image(), {}));
  finish(state);
}

const auto as_usual = [](benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->MinTime(2.0)->MeasureProcessCPUTime()->UseRealTime();
};
BENCHMARK(smoothing)->Apply(as_usual);
BENCHMARK(gradient_and_scale)->Apply(as_usual);
BENCHMARK(structure)->Apply(as_usual);
BENCHMARK(sampling)->Apply(as_usual);
BENCHMARK(whole_conversion)->Name("conversion")->Apply(as_usual);

}  // namespace
}  // namespace aprscope::bench

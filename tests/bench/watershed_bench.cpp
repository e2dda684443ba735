// Watershed on pixels: of a tissue, step by step, and of a file for programs that compare.
//   bench_watershed [Google Benchmark switches]
//   bench_watershed FILE z x y MARKERS OUT: raw u16 pixels and u32 markers (0: none) in, raw u32
//   labels out, and the seconds that it took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "core/cells/basin_tree.hpp"
#include "core/cells/wall_merges.hpp"
#include "tests/support/tissue_phantom.hpp"

namespace aprscope {
namespace {

const Pixels<std::uint16_t>& tissue(std::int64_t side) {
  static Pixels<std::uint16_t> image;
  if (image.size.z != side) {
    test::TissuePhantom phantom;
    phantom.size = {side, side, side};
    phantom.cell = 7.0;
    image = std::get<Pixels<std::uint16_t>>(make_tissue(phantom).image.pixels);
  }
  return image;
}

void report(benchmark::State& state, std::int64_t pixels) {
  state.counters["Mvoxel/s"] = benchmark::Counter(
      1e-6 * static_cast<double>(pixels) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

void find_the_basins(benchmark::State& state) {
  const auto& image = tissue(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(find_basins(image, {}));
  report(state, image.size.count());
}
BENCHMARK(find_the_basins)->Arg(128)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();

void find_the_tree(benchmark::State& state) {
  const auto& image = tissue(state.range(0));
  const Basins basins = *find_basins(image, {});
  for (auto _ : state) benchmark::DoNotOptimize(basin_tree(image, basins, {}));
  report(state, image.size.count());
}
BENCHMARK(find_the_tree)->Arg(128)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();

// What a slider does.
void cut_and_look_up(benchmark::State& state) {
  const auto& image = tissue(state.range(0));
  const Basins basins = *find_basins(image, {});
  const BasinTree tree = *basin_tree(image, basins, {});
  std::vector<std::uint32_t> labels;
  for (auto _ : state) {
    benchmark::DoNotOptimize(look_up(basins.labels, cut_tree(tree, 30.0).region, labels));
  }
  report(state, image.size.count());
}
BENCHMARK(cut_and_look_up)->Arg(128)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();

template <class T>
bool read(const char* path, std::vector<T>& values) {
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return static_cast<bool>(file);
}

int flood_file(char** words) {
  Pixels<std::uint16_t> image(
      Size3{std::atoll(words[2]), std::atoll(words[3]), std::atoll(words[4])});
  std::vector<std::uint32_t> marked(image.values.size());
  if (!read(words[1], image.values) || !read(words[5], marked)) return 1;
  std::vector<FloodMarker> markers;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] != 0) markers.push_back({static_cast<std::int64_t>(i), marked[i]});
  }
  const BasinRule rule{Connectivity::faces, false, markers};
  const auto start = std::chrono::steady_clock::now();
  const auto basins = find_basins(image, rule);
  if (!basins) return 1;
  const auto tree = basin_tree(image, *basins, rule);
  if (!tree) return 1;
  std::vector<std::uint32_t> labels;
  if (!look_up(basins->labels, flood_from_markers(*tree).region, labels)) return 1;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.4f\n", took.count());
  std::ofstream out(words[6], std::ios::binary);
  out.write(reinterpret_cast<const char*>(labels.data()),
            static_cast<std::streamsize>(4 * labels.size()));
  return out ? 0 : 1;
}

}  // namespace
}  // namespace aprscope

int main(int count, char** words) {
  if (count == 7) return aprscope::flood_file(words);
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

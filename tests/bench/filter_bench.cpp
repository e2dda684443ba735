#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/filter/convolution.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/bench/bench_data.hpp"

// Filters on particles beside the same filters on the pixels of the same image, in one run: compare
// ratios, not milliseconds. Median and minimum of seven; the processor time is that of all threads.
namespace aprscope::bench {
namespace {

// Everything that both sides need, made once.
struct Setup {
  const BenchApr& data = bench_apr();
  std::vector<float> tree;
  Pixels<float> image;
  Pixels<float> image_out;
  std::vector<float> out;

  Setup()
      : tree(fill_tree(data.access(), data.values, Reduction::mean).value()),
        image(reconstruct(data.access(), data.values, ReconstructionMode::constant,
                          whole(data.access().size()))
                  .value()),
        image_out(image.size),
        out(data.values.size()) {}

  [[nodiscard]] FilterInput input() const { return {&data.access(), data.values, tree}; }
  [[nodiscard]] Region all() const { return whole(data.access().size()); }
};

Setup& setup() {
  static Setup instance;
  return instance;
}

Stencil odd_one(Size3 size) {
  Stencil s{size, std::vector<double>(static_cast<std::size_t>(size.count())), "dense"};
  const auto n = static_cast<double>(s.weights.size());
  for (std::size_t i = 0; i < s.weights.size(); ++i) {
    s.weights[i] = static_cast<double>(i + 1) / (n * (n + 1) / 2);
  }
  return s;
}

struct Case {
  std::string name;
  Stencil stencil;
};

std::vector<Case> cases() {
  return {{"3", odd_one({3, 3, 3})},
          {"5", odd_one({5, 5, 5})},
          {"7", odd_one({7, 7, 7})},
          {"13_separable", gaussian_stencil({2, 2, 2})},
          {"13_dense", odd_one({13, 13, 13})}};
}

// One plane of each axis, as a preview computes it; at 5/8, which is no seam of tiled data, where
// there is little to see.
Region plane(const Size3& n, Axis axis) {
  const Index3 m{n.z * 5 / 8, n.x * 5 / 8, n.y * 5 / 8};
  switch (axis) {
    case Axis::z:
      return {{m.z, 0, 0}, {m.z + 1, n.x, n.y}};
    case Axis::x:
      return {{0, m.x, 0}, {n.z, m.x + 1, n.y}};
    case Axis::y:
      break;
  }
  return {{0, 0, m.y}, {n.z, n.x, m.y + 1}};
}

void finish(benchmark::State& state, const Status& status) {
  if (!status.ok()) state.SkipWithError(status.error().message().c_str());
}

// The tree is filled anew each time where it is part of the job, as it is for a new field.
void on_particles(benchmark::State& state, const Stencil& stencil, const Region& region,
                  bool with_tree) {
  Setup& s = setup();
  const auto pyramid =
      StencilPyramid::create(stencil, StencilMode::same, false, s.data.access().level_max());
  for (auto _ : state) {
    if (with_tree)
      finish(state, fill_tree(s.data.access(), s.data.values, Reduction::mean, s.tree));
    finish(state, convolve(s.input(), *pyramid, Boundary::reflect, region, s.out));
  }
  state.counters["particles/s"] = benchmark::Counter(static_cast<double>(s.out.size()),
                                                     benchmark::Counter::kIsIterationInvariantRate);
}

void on_pixels(benchmark::State& state, const Stencil& stencil) {
  Setup& s = setup();
  for (auto _ : state) {
    finish(state, convolve_pixels(s.image, stencil, Boundary::reflect, s.all(), s.image_out));
  }
  state.counters["pixels/s"] = benchmark::Counter(static_cast<double>(s.image.values.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

void statistic(benchmark::State& state, LocalStatistic which, std::int64_t size) {
  Setup& s = setup();
  for (auto _ : state) {
    finish(state, local_statistic(s.input(), which, Size3{size, size, size}, Boundary::reflect,
                                  s.all(), s.out));
  }
}

template <class Work>
void add(const std::string& name, const Work& work) {
  benchmark::RegisterBenchmark(name.c_str(), work)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(7)
      ->ReportAggregatesOnly()
      ->ComputeStatistics(
          "min", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); })
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

const bool registered = [] {
  for (const Case& c : cases()) {
    add("convolve/particles/" + c.name,
        [c](benchmark::State& state) { on_particles(state, c.stencil, setup().all(), true); });
    add("convolve/pixels/" + c.name, [c](benchmark::State& state) { on_pixels(state, c.stencil); });
    if (c.name == "7") continue;
    for (const auto& [axis, name] :
         {std::pair{Axis::z, "z"}, std::pair{Axis::x, "x"}, std::pair{Axis::y, "y"}}) {
      add("preview/" + c.name + "/" + name, [c, a = axis](benchmark::State& state) {
        on_particles(state, c.stencil, plane(setup().data.access().size(), a), false);
      });
    }
  }
  for (const auto& [which, name] :
       {std::pair{LocalStatistic::median, "median"},
        std::pair{LocalStatistic::standard_deviation, "standard_deviation"},
        std::pair{LocalStatistic::max, "max"}}) {
    add(std::string("statistic/particles/") + name + "_3",
        [w = which](benchmark::State& state) { statistic(state, w, 3); });
  }
  return true;
}();

}  // namespace
}  // namespace aprscope::bench

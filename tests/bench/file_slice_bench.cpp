// Slices of a file that does not fit into memory, as the window asks for them: the part in sight,
// at the finest level. APRSCOPE_BENCH_FILE names an .apr with a tree; large_files.py makes them.
#include <cstdint>
#include <cstdlib>

#include <benchmark/benchmark.h>

#include "core/io/image_source.hpp"
#include "core/pipeline/file_slice.hpp"

namespace aprscope::bench {
namespace {

// Pixels of a slice that a view of a window of 1600 × 1000 shows.
constexpr std::int64_t kRows = 600;
constexpr std::int64_t kCols = 800;

// As many as that around the middle of a dimension.
void narrow(std::int64_t& begin, std::int64_t& end, std::int64_t count) {
  const std::int64_t n = end;
  begin = n > count ? (n - count) / 2 : 0;
  end = n > count ? begin + count : n;
}

void file_slice_bench(benchmark::State& state) {
  const char* const path = std::getenv("APRSCOPE_BENCH_FILE");
  if (path == nullptr) return state.SkipWithError("APRSCOPE_BENCH_FILE names no .apr");
  const auto info = inspect(path);
  if (!info) return state.SkipWithError(info.error().message().c_str());
  const auto axis = static_cast<Axis>(state.range(0));
  const int level = finest_level(info->size) - static_cast<int>(state.range(1));
  std::int64_t at = 0;
  for (auto _ : state) {
    Region box = whole(info->size);
    // Rows of slices perpendicular to x and y run along z.
    narrow(box.begin.z, box.end.z, kRows << state.range(1));
    narrow(box.begin.x, box.end.x, (axis == Axis::z ? kRows : kCols) << state.range(1));
    narrow(box.begin.y, box.end.y, kCols << state.range(1));
    // Another slice each time, as somebody who looks around asks for them.
    const Size3& n = info->size;
    const std::int64_t along = axis == Axis::z ? n.z : axis == Axis::x ? n.x : n.y;
    (axis == Axis::z ? box.begin.z : axis == Axis::x ? box.begin.x : box.begin.y) = at;
    (axis == Axis::z ? box.end.z : axis == Axis::x ? box.end.x : box.end.y) = at + 1;
    const auto slice = slice_of_file(*info, {}, level, axis, box);
    if (!slice || !*slice) return state.SkipWithError("there is no such slice");
    benchmark::DoNotOptimize(slice);
    at = (at + 337) % along;
  }
}
BENCHMARK(file_slice_bench)
    ->Name("slice_of_file(axis z 0 x 1 y 2, levels above the finest)")
    ->ArgsProduct({{0, 1, 2}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(12)
    ->UseRealTime();

}  // namespace
}  // namespace aprscope::bench

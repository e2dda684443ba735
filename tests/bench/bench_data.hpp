#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/apr/structure/apr.hpp"

namespace aprscope::bench {

/// An APR and its main field as f32.
struct BenchApr {
  Apr apr;
  std::vector<float> values;
  std::string name;
  [[nodiscard]] const AprAccess& access() const { return *apr.access; }
};

/// Benchmark file $APRSCOPE_BENCH_APR (default cr_20; a name in data/apr/benchmark or a path),
/// tiled to at least 512 pixels; without the data a random APR. Loaded once.
const BenchApr& bench_apr();

}  // namespace aprscope::bench

#include "tests/bench/bench_data.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <variant>

#include "core/apr/structure/tile.hpp"
#include "core/io/image_source.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::bench {
namespace {

Apr load_or_make(std::string& name) {
  const char* const wanted = std::getenv("APRSCOPE_BENCH_APR");
  name = wanted != nullptr ? wanted : "cr_20";
  std::filesystem::path path = name;
  if (!std::filesystem::exists(path)) {
    path = test::data_dir() / "apr" / "benchmark" / (name + ".apr");
  }
  if (auto data = load_file(path.string()); data.ok() && std::holds_alternative<Apr>(*data)) {
    return std::get<Apr>(std::move(*data));
  }
  std::fprintf(stderr, "%s cannot be read; a random APR stands in\n", path.c_str());
  name = "random";
  return test::random_apr({.size = {128, 128, 128}, .seed = 1, .split = 0.6, .balanced = true});
}

BenchApr make() {
  BenchApr out;
  out.apr = load_or_make(out.name);
  const Size3& size = out.apr.access->size();
  int times = 1;
  while (std::max({size.z, size.x, size.y}) * times < 512) times *= 2;
  if (times > 1) {
    auto tiled = tile(out.apr, times);
    if (tiled) {
      out.apr = std::move(*tiled);
    } else {
      std::fprintf(stderr, "not tiled: %s\n", tiled.error().message().c_str());
    }
  }
  if (const auto field = out.apr.main_field()) out.values = field->to_float();
  out.values.resize(out.apr.access->count());
  const Size3& n = out.apr.access->size();
  std::fprintf(stderr, "%s: %lld x %lld x %lld pixels, %.2f M particles, CR %.2f\n",
               out.name.c_str(), static_cast<long long>(n.z), static_cast<long long>(n.x),
               static_cast<long long>(n.y), 1e-6 * static_cast<double>(out.apr.access->count()),
               out.apr.access->computational_ratio());
  return out;
}

}  // namespace

const BenchApr& bench_apr() {
  static const BenchApr data = make();
  return data;
}

}  // namespace aprscope::bench

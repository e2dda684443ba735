#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/includes.hpp"
#include "tests/support/paths.hpp"

// Code that only tests and benchmarks include is none of the program's, and what a benchmark
// measures of it is not what users run. By whole headers: a function that nobody calls in a header
// that others need is not seen.
namespace aprscope {
namespace {

namespace fs = std::filesystem;

bool is_benchmark(const std::string& file) {
  static const std::regex pattern("^(gpu/bench/|app/cli/bench/)");
  return std::regex_search(file, pattern);
}

std::string without_ending(const std::string& file) {
  return fs::path(file).replace_extension().generic_string();
}

TEST(Architecture, TheProgramIncludesWhatBenchmarksAndTestsDo) {
  // What benchmarks make their images with; they measure nothing in these.
  const std::set<std::string> images{"core/apr/structure/tile.hpp", "core/image/scenes.hpp"};
  std::set<std::string> served;
  for (const test::Include& i : test::all_includes()) {
    if (is_benchmark(i.file) || without_ending(i.file) == without_ending(i.target)) continue;
    served.insert(i.target);
  }
  int headers = 0;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      const std::string file = fs::relative(entry.path(), test::source_dir()).generic_string();
      if ((ending != ".hpp" && ending != ".cuh") || is_benchmark(file)) continue;
      ++headers;
      EXPECT_NE(served.count(file), images.count(file))
          << file
          << (images.count(file) != 0 ? " is more than an image of benchmarks"
                                      : " is included by nothing that users run");
    }
  }
  EXPECT_GT(headers, 200);
}

}  // namespace
}  // namespace aprscope

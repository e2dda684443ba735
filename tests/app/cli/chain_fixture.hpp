#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {

/// A folder, and runs of the program in it.
class Chain : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  /// Runs with --json, which must succeed and print nothing else.
  nlohmann::json run(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const auto done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, 0) << arguments[0] << ": " << done.err;
    EXPECT_EQ(done.err, "");
    auto json = done.json();
    EXPECT_TRUE(json.is_object()) << done.out;
    return json;
  }

  void synthesize(const std::string& name) {
    run({"synth", "spheres", "-o", path(name), "--size", "32,48,40", "--seed", "3", "--noise", "0",
         "--no-shot-noise", "--voxel-size", "2,0.5,0.25"});
  }

  void expect_same_bytes(const std::string& a, const std::string& b) {
    EXPECT_TRUE(bytes_of(path(a)) == bytes_of(path(b))) << a << " and " << b << " differ";
  }

  TemporaryFolder folder_;
};

}  // namespace aprscope::test

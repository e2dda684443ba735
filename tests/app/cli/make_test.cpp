// Commands that are made from the schema of an operation which makes data.

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

class Make : public Chain {
 protected:
  void SetUp() override {
    run({"synth", "cells", "-o", path("a.tif"), "--size", "12,40,48", "--seed", "5"});
    run({"convert", path("a.tif"), "-o", path("a.apr")});
  }
  // Of the first table of statistics.
  double statistic(const std::string& file, const std::string& id) {
    const auto report = run({"statistics", file});
    for (const Json& column : report["measured"][0]["tables"][0]["columns"]) {
      if (column["id"] == id) return column["cells"][0].get<double>();
    }
    return -1.0;
  }
};

TEST_F(Make, AThresholdMakesAMask) {
  const auto done = run({"threshold", path("a.tif"), "-o", path("m.tif"), "--method", "otsu"});
  EXPECT_EQ(done["dtype"], "u8");
  // The number that the word stood for.
  const std::string said = done["operation"].get<std::string>();
  EXPECT_NE(said.find("value="), std::string::npos) << said;
  EXPECT_EQ(statistic(path("m.tif"), "minimum"), 0.0);
  EXPECT_EQ(statistic(path("m.tif"), "maximum"), 1.0);
  // The curve says how many voxels there are from the same threshold on.
  const auto at = said.substr(said.find("value=") + 6);
  const auto topology = run({"topology", path("a.tif")});
  const Json& columns = topology["measured"][0]["tables"][0]["columns"];
  double kept = 0.0;
  for (std::size_t row = 0; row < columns[0]["cells"].size(); ++row) {
    if (columns[0]["cells"][row].get<double>() >= std::stod(at)) {
      kept += columns[1]["cells"][row].get<double>();
    }
  }
  EXPECT_EQ(statistic(path("m.tif"), "sum"), kept);
}

TEST_F(Make, ParticlesStayParticles) {
  const auto done = run({"threshold", path("a.apr"), "-o", path("m.apr")});
  EXPECT_GT(done["particles"].get<int>(), 0);
  EXPECT_EQ(done["dtype"], "u8");
  run({"reconstruct", path("m.apr"), "-o", path("m.tif")});
  run({"reconstruct", path("a.apr"), "-o", path("r.tif")});
  run({"threshold", path("r.tif"), "-o", path("rm.tif")});
  EXPECT_EQ(statistic(path("m.tif"), "sum"), statistic(path("rm.tif"), "sum"));
}

TEST_F(Make, ARecipeKeepsTheWord) {
  run({"threshold", path("a.tif"), "-o", path("r.json"), "--method", "crossing"});
  const auto recipe = Json::parse(*read_text(path("r.json")));
  EXPECT_EQ(recipe["steps"][0]["operation"], "threshold");
  EXPECT_EQ(recipe["steps"][0]["parameters"]["method"], "crossing");
}

TEST_F(Make, WhatCannotBeSaysWhy) {
  const ProgramResult apr = run_cli({"threshold", path("a.tif"), "-o", path("m.apr")});
  EXPECT_EQ(apr.exit_code, 1);
  const ProgramResult wrong =
      run_cli({"threshold", path("a.tif"), "-o", path("m.tif"), "--method", "magic"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("otsu"), std::string::npos) << wrong.err;
  // What would be ignored is no use.
  const ProgramResult ignored =
      run_cli({"threshold", path("a.tif"), "-o", path("m.tif"), "--value", "300"});
  EXPECT_EQ(ignored.exit_code, 2);
  EXPECT_NE(ignored.err.find("--value"), std::string::npos) << ignored.err;
  const ProgramResult few = run_cli({"threshold", path("a.tif"), "-o", path("m.tif"), "--method",
                                     "crossing", "--crossing", "60000"});
  EXPECT_EQ(few.exit_code, 1);
  EXPECT_NE(few.err.find("Euler characteristic"), std::string::npos) << few.err;
}

}  // namespace
}  // namespace aprscope::test

// Tables of projections and maps on the command line.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

TEST(Projections, InfoTellsWhatATableHolds) {
  const TemporaryFolder folder;
  const std::string table = (folder / "set.star").string();
  ASSERT_TRUE(write_text_atomically(
                  table,
                  "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnVoltage\n"
                  "_rlnImagePixelSize\n_rlnImageSize\n1 a 300 1.5 64\n2 b 300 1.25 64\n"
                  "data_particles\nloop_\n_rlnImageName\n_rlnOpticsGroup\n_rlnRandomSubset\n"
                  "1@lost.mrcs 1 1\n2@lost.mrcs 2 2\n3@lost.mrcs 3 2\n")
                  .ok());
  const auto done = run_cli({"info", table, "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto report = nlohmann::json::parse(done.out);
  EXPECT_EQ(report["format"], "RELION 3.1 STAR");
  EXPECT_EQ(report["images"], 3);
  EXPECT_EQ(report["side"], 64);
  EXPECT_EQ(report["pixel_size"], 1.5);
  EXPECT_EQ(report["halves"]["2"], 2);
  ASSERT_EQ(report["optics_groups"].size(), 2U);
  EXPECT_EQ(report["optics_groups"][1]["pixel_size"], 1.25);
  EXPECT_TRUE(report["optics_groups"][0]["amplitude_contrast"].is_null());
  ASSERT_EQ(report["stack_problems"].size(), 1U);
  EXPECT_NE(report["stack_problems"][0].get<std::string>().find("lost.mrcs is not there"),
            std::string::npos);
  ASSERT_EQ(report["unusable_images"].size(), 1U);
  EXPECT_EQ(report["unusable_images"][0], "its optics group is not in data_optics (line 17)");
  EXPECT_FALSE(report["warnings"].empty());
  ASSERT_TRUE(write_text_atomically(table, "data_\nloop_\n_rlnMicrographName\na.mrc\n").ok());
  const auto refused = run_cli({"info", table});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("has no rows with a column rlnImageName"), std::string::npos);
}

// An image goes into any of the two by the name of the output and comes back the same.
TEST(Projections, ImagesAreWrittenAsMrcByTheirName) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "a.mrc", "a.map"}) {
    const auto made = run_cli({"synth", "noise", "--size", "5,6,7", "--voxel-size", "2,1,1", "-o",
                               (folder / name).string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  const auto info = run_cli({"info", (folder / "a.mrc").string(), "--json"});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  const auto report = nlohmann::json::parse(info.out);
  EXPECT_EQ(report["format"], "MRC");
  EXPECT_EQ(report["voxel_size"]["unit"], "Å");
  EXPECT_EQ(report["voxel_size"]["z"], 20000.0);
  EXPECT_EQ(report["size"]["y"], 7);
  const auto compared =
      run_cli({"compare", (folder / "a.tif").string(), (folder / "a.mrc").string(), "--json"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_TRUE(nlohmann::json::parse(compared.out)["identical"].get<bool>()) << compared.out;
  const auto refused = run_cli({"synth", "noise", "-o", (folder / "a.gif").string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find(".tif, .mrc, .map"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace aprscope::test

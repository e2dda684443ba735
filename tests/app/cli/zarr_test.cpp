// Folders of OME-Zarr as outputs and inputs of commands.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class ZarrCli : public ::testing::Test {
 protected:
  ZarrCli() { make_good_tiff(path("a.tif")); }
  std::string path(const std::string& name) { return (folder_ / name).string(); }
  void expect_fine(const std::vector<std::string>& command) {
    const auto done = run_cli(command);
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
  void expect_refused(const std::vector<std::string>& command, const std::string& words) {
    const auto done = run_cli(command);
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
  TemporaryFolder folder_;
};

TEST_F(ZarrCli, FiltersAndConversionsWriteIt) {
  expect_fine({"filter", path("a.tif"), "-o", path("b.ome.zarr"), "--stencil", "box"});
  expect_fine({"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "box"});
  const auto same = run_cli({"compare", path("b.ome.zarr"), path("b.tif"), "--json"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_NE(same.out.find("\"identical\": true"), std::string::npos) << same.out;
  expect_fine({"convert", path("a.tif"), "-o", path("c.zarr"), "--ome-zarr", "0.5"});
  EXPECT_TRUE(fs::exists(path("c.zarr") + "/zarr.json"));
  const auto told = run_cli({"info", path("c.zarr")});
  EXPECT_NE(told.out.find("OME-Zarr 0.5"), std::string::npos) << told.out;
  EXPECT_EQ(
      run_cli({"convert", path("a.tif"), "-o", path("c.zarr"), "--ome-zarr", "0.7"}).exit_code, 2);
}

TEST_F(ZarrCli, NoOutputReplacesWhatItIsMadeFrom) {
  expect_fine({"filter", path("a.tif"), "-o", path("b.zarr"), "--stencil", "box"});
  for (const auto& [input, within] : {std::pair{"b.zarr", "b.zarr/new.tif"},
                                      {"b.zarr/", "b.zarr/new.tif"},
                                      {"b.zarr:/0", "b.zarr/new.tif"},
                                      {"b.zarr/0", "b.zarr/0/new.tif"}}) {
    expect_refused({"filter", path(input), "-o", path("b.zarr"), "--stencil", "box"}, "--force");
    expect_refused({"filter", path(input), "-o", path(within), "--stencil", "box"}, "--force");
  }
  expect_fine({"filter", path("b.zarr"), "-o", path("b.zarr"), "--stencil", "box", "--force"});
  fs::create_directory(path("mine.zarr"));
  std::ofstream(path("mine.zarr/thesis.txt")) << "text";
  expect_refused({"filter", path("a.tif"), "-o", path("mine.zarr"), "--stencil", "box"},
                 "is no folder of OME-Zarr");
  expect_refused({"cells", path("a.tif"), "-o", path("l.zarr")},
                 "labels are not written as OME-Zarr");
}

}  // namespace
}  // namespace aprscope::test

// No output replaces what it is made from, unless that is asked for.
#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class Overwrite : public ::testing::Test {
 protected:
  Overwrite() {
    make_good_tiff(path("a.tif"));
    make_good_apr(path("a.apr"));
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }
  // Refused with a sentence that names file and way out, and the file is as it was.
  void expect_refused(const std::vector<std::string>& command, const std::string& name) {
    SCOPED_TRACE(command[0] + " " + name);
    const std::string before = bytes_of(path(name));
    const auto done = run_cli(command);
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(name), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("--force"), std::string::npos) << done.err;
    EXPECT_EQ(bytes_of(path(name)), before);
  }
  TemporaryFolder folder_;
};

TEST_F(Overwrite, EveryCommandRefusesItsInput) {
  ASSERT_TRUE(
      write_text_atomically(path("r.json"),
                            R"({"aprscope": 1, "input": "a.tif", "steps": [{"operation": "box"}]})")
          .ok());
  ASSERT_TRUE(write_text_atomically(path("w.json"), R"({"size": [1, 1, 1], "weights": [1]})").ok());
  fs::copy(path("a.tif"), path("b.png"));
  fs::copy(path("a.tif"), path("b.csv"));
  expect_refused({"filter", path("a.tif"), "-o", path("a.tif"), "--stencil", "box"}, "a.tif");
  expect_refused({"filter", path("a.apr"), "-o", path("a.apr"), "--stencil", "box"}, "a.apr");
  expect_refused(
      {"filter", path("a.tif"), "-o", path("w.json"), "--stencil", "file:" + path("w.json")},
      "w.json");
  expect_refused({"convert", path("a.apr"), "-o", path("a.apr")}, "a.apr");
  fs::copy(path("a.apr"), path("c.tif"));
  expect_refused({"reconstruct", path("c.tif"), "-o", path("c.tif")}, "c.tif");
  expect_refused({"psf", "file:" + path("a.tif") + ",center=off", "-o", path("a.tif")}, "a.tif");
  expect_refused({"psf", "gaussian:sigma=1", "--like", path("a.tif"), "-o", path("a.tif")},
                 "a.tif");
  expect_refused({"deconvolve", path("a.tif"), "-o", path("a.tif"), "--psf", "gaussian:sigma=1"},
                 "a.tif");
  expect_refused(
      {"deconvolve", path("a.apr"), "-o", path("a.tif"), "--psf", "file:" + path("a.tif")},
      "a.tif");
  expect_refused({"deconvolve", path("a.apr"), "-o", path("a.tif"), "--psf", "gaussian:sigma=1",
                  "--start", path("a.tif")},
                 "a.tif");
  expect_refused({"deconvolve", path("a.apr"), "-o", path("a.tif"), "--psf", "gaussian:sigma=1",
                  "--background", path("a.tif")},
                 "a.tif");
  expect_refused({"deconvolve", path("a.apr"), "-o", path("a.tif"), "--psf", "gaussian:sigma=1",
                  "--truth", path("a.tif")},
                 "a.tif");
  expect_refused({"render", path("b.png"), "-o", path("b.png"), "--view", "slice"}, "b.png");
  expect_refused({"compare", path("a.tif"), path("b.png"), "--figure", path("b.png")}, "b.png");
  expect_refused({"compare", path("b.csv"), path("a.tif"), "--csv", path("b.csv")}, "b.csv");
  expect_refused({"run", path("r.json"), "-o", path("r.json")}, "r.json");
  expect_refused({"run", path("r.json"), "-o", path("a.tif")}, "a.tif");
  expect_refused({"run", path("r.json"), path("a.tif"), "-o", path("a.tif")}, "a.tif");
  expect_refused({"run", path("r.json"), path("a.tif"), "-o", folder_.path().string() + "/new/",
                  "--csv", path("r.json")},
                 "r.json");
}

// Two pages in two files, each of which names both.
TEST_F(Overwrite, NoFileOfASetIsReplaced) {
  const auto write_page = [&](const std::string& name) {
    PageSpec spec;
    spec.cols = 5;
    spec.rows = 4;
    spec.bits = 8;
    spec.description =
        "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
        "<Image><Pixels DimensionOrder=\"XYZCT\" Type=\"uint8\" SizeX=\"5\" SizeY=\"4\" "
        "SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\">"
        "<TiffData FirstZ=\"0\" IFD=\"0\"><UUID FileName=\"one.ome.tif\"/></TiffData>"
        "<TiffData FirstZ=\"1\" IFD=\"0\"><UUID FileName=\"two.ome.tif\"/></TiffData>"
        "</Pixels></Image></OME>";
    TiffMaker(path(name), "w").add(spec, std::vector<std::uint8_t>(20, 7));
  };
  write_page("one.ome.tif");
  write_page("two.ome.tif");
  expect_refused({"filter", path("one.ome.tif"), "-o", path("two.ome.tif"), "--stencil", "box"},
                 "two.ome.tif");
  const auto beside =
      run_cli({"filter", path("one.ome.tif"), "-o", path("three.tif"), "--stencil", "box"});
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
  const auto again =
      run_cli({"filter", path("one.ome.tif"), "-o", path("three.tif"), "--stencil", "box"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(Overwrite, LinksAreTheFileThatTheyLeadTo) {
  fs::create_symlink("a.tif", path("link.tif"));
  fs::create_hard_link(path("a.tif"), path("hard.tif"));
  expect_refused({"filter", path("link.tif"), "-o", path("a.tif"), "--stencil", "box"}, "a.tif");
  expect_refused({"filter", path("a.tif"), "-o", path("link.tif"), "--stencil", "box"}, "link.tif");
  expect_refused({"filter", path("a.tif"), "-o", path("hard.tif"), "--stencil", "box"}, "hard.tif");
}

TEST_F(Overwrite, ADatasetIsInItsFile) {
  make_two_volumes(path("v.tif"));
  expect_refused({"filter", path("v.tif") + ":/a", "-o", path("v.tif"), "--stencil", "box"},
                 "v.tif");
}

TEST_F(Overwrite, ForceLetsIt) {
  const std::string before = bytes_of(path("a.tif"));
  const auto plain = run_cli({"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "box"});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const auto done =
      run_cli({"filter", path("a.tif"), "-o", path("a.tif"), "--stencil", "box", "--force"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(bytes_of(path("a.tif")), before);
  EXPECT_EQ(bytes_of(path("a.tif")), bytes_of(path("b.tif")));
}

TEST_F(Overwrite, OtherFilesAreReplacedAsEver) {
  ASSERT_TRUE(write_text_atomically(path("old.tif"), "old").ok());
  const auto done = run_cli({"filter", path("a.tif"), "-o", path("old.tif"), "--stencil", "box"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(bytes_of(path("old.tif")), "old");
}

TEST_F(Overwrite, ABatchKeepsItsInputsUnlessForced) {
  ASSERT_TRUE(
      write_text_atomically(path("r.json"), R"({"aprscope": 1, "steps": [{"operation": "box"}]})")
          .ok());
  const std::string before = bytes_of(path("a.tif"));
  const std::vector<std::string> command{"run", path("r.json"), path("a.tif"), "-o",
                                         folder_.path().string()};
  EXPECT_EQ(run_cli(command).exit_code, 1);
  EXPECT_EQ(bytes_of(path("a.tif")), before);
  auto forced = command;
  forced.emplace_back("--force");
  EXPECT_EQ(run_cli(forced).exit_code, 0);
  EXPECT_NE(bytes_of(path("a.tif")), before);
}

}  // namespace
}  // namespace aprscope::test

// What a terminal would obey never reaches it, wherever it comes from.
#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/printable.hpp"
#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

// ESC, CSI as one character, DEL, an override of the direction of writing.
const std::string kHostile =
    "a\x1b]0;owned\x07\xc2\x9b"
    "2J\x7f\u202e";

void expect_harmless(const std::string& text) {
  std::string lines;
  for (const char c : text) {
    if (c != '\n') lines += c;
  }
  EXPECT_EQ(printable(lines), lines);
}

class TerminalOutput : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(TerminalOutput, NamesOfFilesAreMadeVisible) {
  const std::string path = (folder_ / (kHostile + ".tif")).string();
  make_good_tiff(path);
  const auto told = run_cli({"info", path});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  expect_harmless(told.out);
  EXPECT_NE(told.out.find("a\\x1b]0;owned\\x07\\x9b2J\\x7f\\u202e.tif"), std::string::npos)
      << told.out;
  const auto json = run_cli({"info", path, "--json"});
  expect_harmless(json.out);
  // Escaped, not changed.
  EXPECT_EQ(json.json()["path"], path);
  const auto failed = run_cli({"info", path + "x"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_TRUE(failed.one_line_error());
  expect_harmless(failed.err);
}

TEST_F(TerminalOutput, NamesThatAreNotUtf8GiveValidJson) {
  const std::string path = (folder_ / "gr\xfc\xdf\x9b.tif").string();
  make_good_tiff(path);
  const auto told = run_cli({"info", path, "--json"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_FALSE(told.json().is_discarded());
  expect_harmless(told.out);
  expect_harmless(run_cli({"info", path}).out);
}

TEST_F(TerminalOutput, WrongUsageIsMadeVisible) {
  const auto failed = run_cli({"info", "a.tif", "--" + kHostile});
  EXPECT_EQ(failed.exit_code, 2);
  expect_harmless(failed.err);
}

TEST_F(TerminalOutput, TextsOfRecipesAreMadeVisible) {
  const std::string path = (folder_ / "r.json").string();
  ASSERT_TRUE(
      write_text_atomically(path, R"({"aprscope": 1, "steps": [{"operation": "\u001b[2J\u009b"}]})")
          .ok());
  const auto failed = run_cli({"run", path, "a.tif", "-o", (folder_ / "b.tif").string()});
  EXPECT_EQ(failed.exit_code, 1);
  expect_harmless(failed.err);
}

TEST_F(TerminalOutput, NamesOfDatasetsAreMadeVisible) {
  APRSCOPE_NEEDS_DATA();
  const auto path = data_dir() / "hostile" / "escape.h5";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"info", path.string()},
           {"info", path.string(), "--json"},
           {"convert", path.string(), "-o", (folder_ / "b.apr").string()}}) {
    const auto done = run_cli(command);
    expect_harmless(done.out);
    expect_harmless(done.err);
    EXPECT_FALSE(done.out.empty() && done.err.empty());
  }
}

}  // namespace
}  // namespace aprscope::test

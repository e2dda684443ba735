#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {

inline double correlation_of(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return 0.0;
  double sa = 0.0;
  double sb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
  }
  sa /= static_cast<double>(a.size());
  sb /= static_cast<double>(a.size());
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - sa) * (b[i] - sb);
    aa += (a[i] - sa) * (a[i] - sa);
    bb += (b[i] - sb) * (b[i] - sb);
  }
  return ab / std::sqrt(aa * bb);
}

/// Runs the program on a set of projections.
class BackprojectCommand : public Chain {
 protected:
  void make(const ProjectionSetFiles& settings = {.images = 200}) {
    truth_ = write_projection_set(folder_.path(), settings);
    ASSERT_FALSE(truth_.empty());
  }
  std::vector<float> pixels(const std::string& name) {
    const auto read = load_file(path(name));
    EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message());
    return read ? std::get<Volume>(*read).to_float().values : std::vector<float>{};
  }
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, 1) << done.out;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    for (const std::string& each : words) {
      EXPECT_NE(done.err.find(each), std::string::npos) << done.err;
    }
  }
  // Of all .csv files in the folder.
  std::string all_tables_written() {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() != ".csv") continue;
      const auto text = read_text(entry.path());
      EXPECT_TRUE(text.ok());
      if (text.ok()) all += *text;
    }
    return all;
  }
  // Replaces a word in the table, on its last line only.
  void change_last_line(const std::string& from, const std::string& to) {
    auto text = *read_text(path("molecule.star"));
    const auto at = text.rfind(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(path("molecule.star")) << text;
  }

  std::vector<float> truth_;
};

}  // namespace aprscope::test

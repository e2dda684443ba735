#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace aprscope::test {

/// The folder of real test data: $APRSCOPE_DATA_DIR, else shared/data beside the source tree. Empty
/// when there is none.
std::filesystem::path data_dir();

/// Root of the source tree.
std::filesystem::path source_dir();

/// A folder of its own that is removed at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace aprscope::test

/// Skips, visibly, where the real data is absent; where changes are accepted (CI is set) that is a
/// failure, or nobody would notice that these tests never run.
#define APRSCOPE_NEEDS_DATA()                                                              \
  if (aprscope::test::data_dir().empty()) {                                                \
    const char* const aprscope_why =                                                       \
        "no test data: set APRSCOPE_DATA_DIR or put it in ../shared/data";                 \
    if (std::getenv("CI") != nullptr) FAIL() << aprscope_why; /* NOLINT: nobody sets it */ \
    GTEST_SKIP() << aprscope_why;                                                          \
  }

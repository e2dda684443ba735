#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/core/io/imaris/imaris_maker.hpp"
#include "tests/core/io/imaris/imaris_values.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

// What the tests of Imaris files share.

namespace aprscope::test {

class ImarisFiles : public ::testing::Test {
 protected:
  static constexpr const char* kChannel0 = "DataSet/ResolutionLevel 0/TimePoint 0/Channel 0";

  static ImarisMaker two_by_three() {
    ImarisMaker maker;
    maker.channels = {0, 1};
    maker.times = {0, 1, 2};
    maker.levels.push_back({{5, 3, 4}, {8, 4, 8}});
    return maker;
  }

  static std::string error_of(const std::string& path, SourceSelection selection = {}) {
    const auto info = inspect(path);
    if (!info) return info.error().message();
    const auto data = load(*info, selection);
    EXPECT_FALSE(data.ok());
    const auto slices = open_slices(*info, selection);
    EXPECT_FALSE(slices.ok());
    return data ? "" : data.error().message();
  }

  void expect_error(const ImarisMaker& maker, const std::string& words,
                    SourceSelection selection = {}) {
    maker.write(path());
    const std::string message = error_of(path(), selection);
    EXPECT_NE(message.find(words), std::string::npos) << message;
    // Where it is, and what to do: one sentence each.
    EXPECT_NE(message.find(path()), std::string::npos) << message;
  }
  // Another text in place of the usual one.
  void expect_error(const std::string& group, const std::string& name, const std::string& text,
                    const std::string& words) {
    ImarisMaker maker;
    maker.texts[group][name] = text;
    expect_error(maker, words);
  }
  SourceInfo must_inspect(const std::string& dataset = "") {
    auto info = inspect(path() + dataset);
    EXPECT_TRUE(info.ok()) << (info ? "" : info.error().message());
    return info ? *info : SourceInfo{};
  }
  [[nodiscard]] std::string path() const { return (folder_ / "a.ims").string(); }
  TemporaryFolder folder_;
};

}  // namespace aprscope::test

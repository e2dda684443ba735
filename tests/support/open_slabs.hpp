#pragma once

#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "core/io/apr/apr_slabs.hpp"
#include "core/io/image_source.hpp"

namespace aprscope::test {

/// An .apr of this program, opened to be read in parts.
inline AprFileSlabs open_slabs(const std::filesystem::path& path) {
  const auto info = inspect(path.string());
  EXPECT_TRUE(info.ok());
  auto slabs = AprFileSlabs::open(*info, {});
  EXPECT_TRUE(slabs.ok() && *slabs);
  return std::move(**slabs);
}

}  // namespace aprscope::test

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"

namespace aprscope::test {

/// The pixel image of a file, with the test failing (and an empty volume) on an error.
inline Volume must_load(const std::string& path, SourceSelection selection = {}) {
  auto info = inspect(path);
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  if (!info) return {};
  auto data = load(*info, selection);
  EXPECT_TRUE(data.ok()) << (data.ok() ? "" : data.error().message());
  if (!data || !std::holds_alternative<Volume>(*data)) return {};
  return std::get<Volume>(std::move(*data));
}

/// Sum of the values, and of the values times (index modulo 1009), which sees a wrong order.
struct Sums {
  double plain = 0.0;
  double weighted = 0.0;
};
inline Sums sums(const Volume& volume) {
  return std::visit(
      [](const auto& pixels) {
        Sums s;
        for (std::size_t i = 0; i < pixels.values.size(); ++i) {
          const auto v = static_cast<double>(pixels.values[i]);
          s.plain += v;
          s.weighted += v * static_cast<double>(i % 1009);
        }
        return s;
      },
      volume.pixels);
}

}  // namespace aprscope::test

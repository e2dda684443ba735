#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"

namespace aprscope::test {

/// Fails unless the image, read slice by slice, is `volume`.
inline void expect_same_slices(const SourceInfo& info, SourceSelection selection,
                               const Volume& volume) {
  auto slices = open_slices(info, selection);
  ASSERT_TRUE(slices.ok()) << slices.error().message();
  ASSERT_EQ((*slices)->size(), volume.size());
  ASSERT_EQ(static_cast<std::size_t>((*slices)->kind()), volume.pixels.index());
  const Volume& header = (*slices)->header();
  EXPECT_EQ(header.voxel, volume.voxel);
  EXPECT_EQ(header.origin, volume.origin);
  EXPECT_EQ(header.name, volume.name);
  EXPECT_EQ(header.channel, volume.channel);
  EXPECT_EQ(header.channel_index, volume.channel_index);
  EXPECT_EQ(header.time, volume.time);
  std::visit(
      [&](const auto& pixels) {
        auto slice = pixels.values;
        const auto count = static_cast<std::size_t>(pixels.size.x * pixels.size.y);
        slice.resize(count);
        for (std::int64_t z = 0; z < pixels.size.z; ++z) {
          const Status read = (*slices)->read(z, slice.data(), {});
          ASSERT_TRUE(read.ok()) << read.error().message();
          const std::size_t bytes = count * sizeof(slice[0]);
          ASSERT_EQ(std::memcmp(slice.data(), pixels.values.data() + pixels.index(z, 0, 0), bytes),
                    0)
              << "slice " << z;
        }
      },
      volume.pixels);
}

/// The pixel image of a file, with the test failing (and an empty volume) on an error. It must be
/// the same when it is read slice by slice.
inline Volume must_load(const std::string& path, SourceSelection selection = {}) {
  auto info = inspect(path);
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  if (!info) return {};
  auto data = load(*info, selection);
  EXPECT_TRUE(data.ok()) << (data.ok() ? "" : data.error().message());
  if (!data || !std::holds_alternative<Volume>(*data)) return {};
  expect_same_slices(*info, selection, std::get<Volume>(*data));
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

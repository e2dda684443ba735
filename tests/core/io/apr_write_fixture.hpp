#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/apr/apr_file.hpp"
#include "tests/core/io/apr_maker.hpp"

// APRs with everything that a file can keep of them, and what came back.

namespace aprscope::test {

/// A field of `count` values over the whole range of their type.
template <class T>
std::shared_ptr<const Field> field_of(const std::string& name, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * 2654435761U);
  if constexpr (std::is_floating_point_v<T>) {
    for (auto& v : values) v = v / 7 - 1;
  }
  values.front() = std::numeric_limits<T>::lowest();
  values.back() = std::numeric_limits<T>::max();
  return std::make_shared<const Field>(Field{name, std::move(values)});
}

/// An APR with a field of each type, out of alphabetical order, and everything else set.
inline Apr rich_apr(const Size3& size = {13, 21, 18}, unsigned seed = 7) {
  Apr apr = make_apr(size, random_cells(size, seed));
  const std::size_t n = apr.access->count();
  apr.fields.push_back(field_of<std::uint8_t>("z u8", n));
  apr.fields.push_back(field_of<std::uint32_t>("u32", n));
  apr.fields.push_back(field_of<std::uint64_t>("u64", n));
  apr.fields.push_back(field_of<std::int8_t>("i8", n));
  apr.fields.push_back(field_of<std::int16_t>("i16", n));
  apr.fields.push_back(field_of<std::int32_t>("i32", n));
  apr.fields.push_back(field_of<std::int64_t>("i64", n));
  apr.fields.push_back(field_of<float>("f32", n));
  apr.fields.push_back(field_of<double>("a f64", n));
  const std::size_t cells = apr.access->tree().count();
  apr.tree_fields.push_back(field_of<float>("tree b", cells));
  apr.tree_fields.push_back(field_of<std::uint16_t>("tree a", cells));
  apr.voxel = {0.235, 0.15, 0.1499, "µm"};
  apr.parameters = {1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 0.05F, 1.1F, 1.2F, 1.3F, 6.5F, 7.5F};
  apr.name = "ovule, day 3";
  apr.channel = "membrane";
  apr.history = {"convert rel_error=0.05", "", "filter gaussian sigma=2 µm"};
  return apr;
}

inline void expect_same_fields(const std::vector<std::shared_ptr<const Field>>& a,
                               const std::vector<std::shared_ptr<const Field>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i]->name, b[i]->name);
    EXPECT_EQ(a[i]->values, b[i]->values) << a[i]->name;
  }
}

/// The same structure, fields, and everything beside them.
inline void expect_same(const Apr& a, const Apr& b) {
  ASSERT_NE(b.access, nullptr);
  EXPECT_TRUE(a.access->particles() == b.access->particles());
  EXPECT_TRUE(a.access->tree() == b.access->tree());
  expect_same_fields(a.fields, b.fields);
  expect_same_fields(a.tree_fields, b.tree_fields);
  EXPECT_EQ(a.voxel, b.voxel);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.channel, b.channel);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.history, b.history);
}

/// One channel and time point of a file; an empty APR when that fails, which fails the test.
inline Apr load(const std::filesystem::path& path, SourceSelection selection = {}) {
  auto info = inspect_apr(path);
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  if (!info.ok()) return {};
  auto apr = load_apr(*info, selection);
  EXPECT_TRUE(apr.ok()) << (apr.ok() ? "" : apr.error().message());
  return apr.ok() ? *apr : Apr{};
}

/// Names of all that lies in a folder.
inline std::set<std::string> files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace aprscope::test

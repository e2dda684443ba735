#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/image/random.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {

/// A cubic map from a file.
struct TestMap {
  std::int64_t side = 0;
  double voxel = 0.0;  // Å
  std::vector<float> values;
};

inline float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

/// A map of the folder `cryo`: little-endian MRC of mode 2 (f32) or 12 (f16) without extensions.
inline TestMap read_test_map(const std::string& name) {
  std::ifstream in(data_dir() / "cryo" / name, std::ios::binary);
  std::array<std::int32_t, 256> head{};
  in.read(reinterpret_cast<char*>(head.data()), 1024);
  TestMap map;
  map.side = head[0];
  map.voxel = static_cast<double>(std::bit_cast<float>(head[10])) / head[7];
  map.values.resize(static_cast<std::size_t>(map.side * map.side * map.side));
  if (head[3] == 2) {
    in.read(reinterpret_cast<char*>(map.values.data()),
            static_cast<std::streamsize>(4 * map.values.size()));
  } else {
    std::vector<std::uint16_t> halves(map.values.size());
    in.read(reinterpret_cast<char*>(halves.data()),
            static_cast<std::streamsize>(2 * halves.size()));
    for (std::size_t i = 0; i < halves.size(); ++i) map.values[i] = half_to_float(halves[i]);
  }
  EXPECT_TRUE(in.good()) << name;
  return map;
}

/// Column `column` of a table of the folder `cryo`, one value a shell.
inline std::vector<double> read_test_curve(const std::string& name, const std::string& column) {
  std::ifstream in(data_dir() / "cryo" / name);
  std::string line;
  std::vector<double> values;
  int wanted = -1;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream cells(line);
    std::string cell;
    for (int i = 0; std::getline(cells, cell, ','); ++i) {
      if (line[0] == 's') {
        if (cell == column) wanted = i;
      } else if (i == wanted) {
        values.push_back(std::stod(cell));
      }
    }
  }
  return values;
}

/// Noise of standard deviation 1.
inline std::vector<float> noise_map(std::int64_t side, std::uint64_t seed) {
  const CounterRandom random(seed, 0);
  std::vector<float> map(static_cast<std::size_t>(side * side * side));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<float>(random.normal(i));
  return map;
}

}  // namespace aprscope::test

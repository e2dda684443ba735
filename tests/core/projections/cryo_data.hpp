#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/projections/projections.hpp"
#include "tests/support/paths.hpp"

// The sets of shared/data/cryo, read with the few lines that these files need.
namespace aprscope::test {

/// Images in memory.
class MemoryImages final : public ProjectionImages {
 public:
  MemoryImages(std::int64_t side, std::vector<float> values)
      : side_(side), values_(std::move(values)) {}
  Status read(std::span<const Projection> rows, std::span<float> out, const JobContext&) override {
    const std::int64_t pixels = side_ * side_;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(values_.begin() + rows[i].image * pixels, pixels,
                  out.begin() + static_cast<std::ptrdiff_t>(i) * pixels);
    }
    return {};
  }

 private:
  std::int64_t side_;
  std::vector<float> values_;
};

inline float half_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                   : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

/// All values of a little-endian MRC file of mode 2 or 12.
inline std::vector<float> mrc_values(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::int32_t mode = 0;
  std::memcpy(&mode, bytes.data() + 12, 4);
  const std::size_t size = mode == 12 ? 2 : 4;
  std::vector<float> out((bytes.size() - 1024) / size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (mode == 12) {
      std::uint16_t value = 0;
      std::memcpy(&value, bytes.data() + 1024 + 2 * i, 2);
      out[i] = half_float(value);
    } else {
      std::memcpy(&out[i], bytes.data() + 1024 + 4 * i, 4);
    }
  }
  return out;
}

inline std::filesystem::path cryo_dir() { return data_dir() / "cryo"; }

/// A set of 64² images of 2.5 Å.
inline Projections cryo_set(const std::string& file) {
  constexpr double kPixel = 2.5;
  Projections set;
  ProjectionTable& table = set.table;
  table.path = cryo_dir() / file;
  table.format = "test";
  table.side = 64;
  table.pixel_size = kPixel;
  OpticsGroup optics;
  optics.voltage_kv = 300;
  optics.spherical_aberration_mm = 2.7;
  optics.amplitude_contrast = .1;
  optics.pixel_size = kPixel;
  table.optics.push_back(optics);

  std::vector<float> values;
  std::map<std::string, std::pair<std::uint32_t, std::int64_t>> stacks;  // number, first image
  std::ifstream in(table.path);
  std::vector<std::string> labels;
  std::string line;
  std::int64_t number = 0;
  while (std::getline(in, line)) {
    ++number;
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    if (word.empty() || word[0][0] == '#') continue;
    if (word[0].rfind("data_", 0) == 0) labels.clear();
    if (word[0][0] == '_') labels.push_back(word[0]);
    if (word[0][0] == '_' || word.size() != labels.size() || word[0] == "loop_") continue;
    Projection row;
    row.line = number;
    std::string image;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::string& label = labels[i];
      const auto value = [&] { return std::stod(word[i]); };
      if (label == "_rlnImageName" || label == "_image") image = word[i];
      if (label == "_rlnAngleRot" || label == "_angleRot") row.rot = value();
      if (label == "_rlnAngleTilt" || label == "_angleTilt") row.tilt = value();
      if (label == "_rlnAnglePsi" || label == "_anglePsi") row.psi = value();
      if (label == "_rlnOriginXAngst") row.shift_x = value() / kPixel;
      if (label == "_rlnOriginYAngst") row.shift_y = value() / kPixel;
      if (label == "_shiftX") row.shift_x = value();
      if (label == "_shiftY") row.shift_y = value();
      if (label == "_rlnRandomSubset") row.half = static_cast<int>(value());
      if (label == "_rlnDefocusU") row.defocus_u = value();
      if (label == "_rlnDefocusV") row.defocus_v = value();
      if (label == "_rlnDefocusAngle") row.defocus_angle = value();
      if (label == "_rlnPhaseShift") row.phase_shift = value();
    }
    if (image.empty()) continue;
    const auto at = image.find('@');
    const std::string stack = image.substr(at + 1);
    if (!stacks.contains(stack)) {
      const std::vector<float> more = mrc_values(cryo_dir() / stack);
      stacks[stack] = {static_cast<std::uint32_t>(stacks.size()),
                       static_cast<std::int64_t>(values.size()) / (64 * 64)};
      values.insert(values.end(), more.begin(), more.end());
      table.stacks.push_back(cryo_dir() / stack);
    }
    row.stack = stacks[stack].first;
    row.image = stacks[stack].second + std::stoll(image.substr(0, at)) - 1;
    table.rows.push_back(row);
  }
  set.images = std::make_shared<MemoryImages>(64, std::move(values));
  return set;
}

}  // namespace aprscope::test

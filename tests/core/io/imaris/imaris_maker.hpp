#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/core/io/hdf5_maker.hpp"

// Imaris files by plain HDF5 calls, as the public description of the format has them.

namespace aprscope::test {

/// How attributes are kept: an array of characters, as Imaris does; one text; one of its own
/// length.
enum class ImarisText { characters, text, variable };

struct ImarisMaker {
  struct Level {
    /// Pixels z, x, y, and those of the array with its padding.
    std::vector<hsize_t> size, stored;
  };
  std::vector<Level> levels{{{5, 6, 7}, {8, 8, 8}}};
  std::vector<int> times{0};
  std::vector<int> channels{0};
  hid_t type = H5T_STD_U16LE;
  /// What padding holds, which no image shows.
  static constexpr double kPadding = 60000;
  /// Changes how arrays are stored.
  std::function<void(hid_t)> stored = in_chunks;
  ImarisText kept = ImarisText::characters;
  /// Channels for which there is no group at a time point.
  std::vector<std::pair<int, int>> missing;
  /// Attributes by group ("DataSetInfo/Image", "" the root) and name, in place of the usual ones;
  /// "-" leaves one out.
  std::map<std::string, std::map<std::string, std::string>> texts;

  static void in_chunks(hid_t list) {
    const hsize_t chunk[] = {4, 4, 8};
    H5Pset_chunk(list, 3, chunk);
    H5Pset_deflate(list, 2);
  }

  /// Of pixel z, x, y.
  static double value(int level, int time, int channel, hsize_t z, hsize_t x, hsize_t y) {
    return 1000.0 * level + 10000.0 * time + 20000.0 * channel +
           static_cast<double>((z * 10 + x) * 9 + y);
  }

  /// `latest`: in the newest version of HDF5, which takes less room.
  void write(const std::filesystem::path& path, bool latest = false) const {
    const Hdf5Made file(path, latest);
    auto all = usual_texts();
    for (const auto& [group, attributes] : texts) {
      for (const auto& [name, text] : attributes) all[group][name] = text;
    }
    file.group("DataSet");
    file.group("DataSetInfo");
    for (const auto& [group, attributes] : all) {
      if (group.starts_with("DataSetInfo/")) file.group(group);
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const std::string at = "DataSet/ResolutionLevel " + std::to_string(level);
      file.group(at);
      for (const int time : times) {
        const std::string then = at + "/TimePoint " + std::to_string(time);
        file.group(then);
        for (const int channel : channels) {
          if (is_missing(time, channel)) continue;
          const std::string name = then + "/Channel " + std::to_string(channel);
          file.group(name);
          file.dataset(name + "/Data", type, levels[level].stored,
                       pixels(static_cast<int>(level), time, channel), stored);
          file.dataset(name + "/Histogram", H5T_STD_U64LE, {4}, std::vector<double>{1, 2, 3, 4});
        }
      }
    }
    for (const auto& [group, attributes] : all) {
      if (!group.empty() && H5Lexists(file.id(), group.c_str(), H5P_DEFAULT) <= 0) continue;
      for (const auto& [name, text] : attributes) {
        if (text != "-") write_text(file.id(), group.empty() ? "/" : group, name, text);
      }
    }
  }

 private:
  [[nodiscard]] bool is_missing(int time, int channel) const {
    return std::find(missing.begin(), missing.end(), std::pair{time, channel}) != missing.end();
  }

  [[nodiscard]] std::vector<double> pixels(int level, int time, int channel) const {
    const auto& [size, full] = levels[static_cast<std::size_t>(level)];
    std::vector<double> out;
    for (hsize_t z = 0; z < full[0]; ++z) {
      for (hsize_t x = 0; x < full[1]; ++x) {
        for (hsize_t y = 0; y < full[2]; ++y) {
          const bool inside = z < size[0] && x < size[1] && y < size[2];
          out.push_back(inside ? value(level, time, channel, z, x, y) : kPadding);
        }
      }
    }
    return out;
  }

  // Voxels of 2 × 0.5 × 0.25 µm; the image begins at z = 10, y = 20, x = 30 of the file.
  [[nodiscard]] std::map<std::string, std::map<std::string, std::string>> usual_texts() const {
    std::map<std::string, std::map<std::string, std::string>> out;
    out[""] = {{"ImarisDataSet", "ImarisDataSet"},
               {"ImarisVersion", "5.5.0"},
               {"DataSetDirectoryName", "DataSet"},
               {"DataSetInfoDirectoryName", "DataSetInfo"},
               {"ThumbnailDirectoryName", "Thumbnail"}};
    const std::vector<hsize_t>& size = levels.front().size;
    out["DataSetInfo/Image"] = {{"X", std::to_string(size[2])},
                                {"Y", std::to_string(size[1])},
                                {"Z", std::to_string(size[0])},
                                {"ExtMin0", "30"},
                                {"ExtMin1", "20"},
                                {"ExtMin2", "10"},
                                {"ExtMax0", number(30 + 0.25 * static_cast<double>(size[2]))},
                                {"ExtMax1", number(20 + 0.5 * static_cast<double>(size[1]))},
                                {"ExtMax2", number(10 + 2.0 * static_cast<double>(size[0]))},
                                {"Unit", "um"}};
    auto& time_info = out["DataSetInfo/TimeInfo"];
    time_info["DatasetTimePoints"] = std::to_string(times.size());
    time_info["FileTimePoints"] = std::to_string(times.size());
    for (const int time : times) {
      time_info["TimePoint" + std::to_string(time + 1)] = "2020-01-02 03:04:05.000";
    }
    const char* const colours[] = {"1.000 0.000 0.000", "0 0.5 1"};
    for (const int channel : channels) {
      out["DataSetInfo/Channel " + std::to_string(channel)] = {
          {"Name", "stain " + std::to_string(channel)},
          {"Color", colours[channel % 2]},
          {"ColorMode", "BaseColor"},
          {"ColorRange", std::to_string(channel) + " 300.5"}};
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      for (const int time : times) {
        for (const int channel : channels) {
          const std::vector<hsize_t>& sides = levels[level].size;
          out["DataSet/ResolutionLevel " + std::to_string(level) + "/TimePoint " +
              std::to_string(time) + "/Channel " + std::to_string(channel)] = {
              {"ImageSizeX", std::to_string(sides[2])},
              {"ImageSizeY", std::to_string(sides[1])},
              {"ImageSizeZ", std::to_string(sides[0])},
              {"HistogramMin", "0.000"},
              {"HistogramMax", "255.000"}};
        }
      }
    }
    return out;
  }

  static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
  }

  void write_text(hid_t file, const std::string& object, const std::string& name,
                  const std::string& text) const {
    const hid_t to = H5Oopen(file, object.c_str(), H5P_DEFAULT);
    ASSERT_GE(to, 0) << object;
    const hsize_t count = kept == ImarisText::characters ? std::max<hsize_t>(1, text.size()) : 1;
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t kind = H5Tcopy(H5T_C_S1);
    std::string bytes = text;
    if (kept == ImarisText::text) H5Tset_size(kind, text.size() + 1);
    if (kept == ImarisText::variable) H5Tset_size(kind, H5T_VARIABLE);
    if (bytes.empty()) bytes.push_back('\0');
    const char* const pointer = bytes.c_str();
    const hid_t made = H5Acreate2(to, name.c_str(), kind, space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(made, 0) << name;
    ASSERT_GE(H5Awrite(made, kind,
                       kept == ImarisText::variable ? static_cast<const void*>(&pointer)
                                                    : static_cast<const void*>(pointer)),
              0);
    H5Aclose(made);
    H5Tclose(kind);
    H5Sclose(space);
    H5Oclose(to);
  }
};

}  // namespace aprscope::test

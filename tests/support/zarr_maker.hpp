#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace aprscope::test {

using ZarrBytes = std::vector<std::uint8_t>;

inline void write_file(const std::filesystem::path& path, const ZarrBytes& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  write_file(path, ZarrBytes(text.begin(), text.end()));
}

inline void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& json) {
  write_file(path, json.dump());
}

/// Writes arrays of samples that a function of their index gives, as other programs do, chunk by
/// chunk and sample by sample. Sizes are in the order of dimensions that the format's text has.
template <class T>
struct ZarrArrayMaker {
  using Index = std::vector<std::int64_t>;
  std::filesystem::path folder;
  Index shape;
  Index chunk;
  std::function<T(const Index&)> value;
  /// What packs a chunk; nothing: raw.
  std::function<ZarrBytes(const ZarrBytes&)> pack = [](const ZarrBytes& b) { return b; };
  bool big_endian = false;
  /// The first dimension is the fastest one in the bytes of a chunk.
  bool fortran = false;
  T fill{};
  /// Chunks that are left out.
  std::function<bool(const Index&)> leave_out = [](const Index&) { return false; };

  /// Calls visit(index) for all indices below `sizes`, the last one fastest.
  static void each(const Index& sizes, const std::function<void(const Index&)>& visit) {
    Index at(sizes.size(), 0);
    while (true) {
      visit(at);
      std::size_t d = sizes.size();
      while (d-- > 0) {
        if (++at[d] < sizes[d]) break;
        at[d] = 0;
        if (d == 0) return;
      }
    }
  }

  [[nodiscard]] Index chunks() const {
    Index count;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      count.push_back((shape[d] + chunk[d] - 1) / chunk[d]);
    }
    return count;
  }

  /// The plain bytes of samples [begin, begin + sides); outside of the array they are the fill
  /// value.
  [[nodiscard]] ZarrBytes plain(const Index& begin, Index sides) const {
    ZarrBytes bytes;
    const bool turned = fortran;
    Index walk = sides;
    if (turned) walk = Index(sides.rbegin(), sides.rend());
    each(walk, [&](const Index& step) {
      Index index(step);
      if (turned) index = Index(step.rbegin(), step.rend());
      bool inside = true;
      for (std::size_t d = 0; d < index.size(); ++d) {
        index[d] += begin[d];
        inside = inside && index[d] < shape[d];
      }
      const T sample = inside ? value(index) : fill;
      std::array<std::uint8_t, sizeof(T)> raw{};
      std::memcpy(raw.data(), &sample, sizeof(T));
      if (big_endian) {
        bytes.insert(bytes.end(), raw.rbegin(), raw.rend());
      } else {
        bytes.insert(bytes.end(), raw.begin(), raw.end());
      }
    });
    return bytes;
  }

  /// Writes each chunk to the file that `name` gives.
  void write(const std::function<std::string(const Index&)>& name) const {
    each(chunks(), [&](const Index& place) {
      if (leave_out(place)) return;
      Index begin(place);
      for (std::size_t d = 0; d < begin.size(); ++d) begin[d] *= chunk[d];
      write_file(folder / name(place), pack(plain(begin, chunk)));
    });
  }

  static std::string joined(const Index& place, const std::string& separator) {
    std::string name;
    for (const std::int64_t number : place) {
      name += (name.empty() ? "" : separator) + std::to_string(number);
    }
    return name;
  }

  /// Zarr 2: `.zarray` and chunks; `more` is merged into the metadata.
  void write_2(const std::string& dtype, const nlohmann::ordered_json& compressor = nullptr,
               const std::string& separator = ".",
               const nlohmann::ordered_json& more = nlohmann::ordered_json::object()) const {
    nlohmann::ordered_json json{{"zarr_format", 2},
                                {"shape", shape},
                                {"chunks", chunk},
                                {"dtype", dtype},
                                {"compressor", compressor},
                                {"fill_value", fill},
                                {"order", fortran ? "F" : "C"},
                                {"filters", nullptr},
                                {"dimension_separator", separator}};
    json.update(more);
    write_json(folder / ".zarray", json);
    write([&](const Index& place) { return joined(place, separator); });
  }

  /// Zarr 3 without shards.
  void write_3(const std::string& data_type, const nlohmann::ordered_json& codecs,
               const nlohmann::ordered_json& more = nlohmann::ordered_json::object()) const {
    nlohmann::ordered_json json{
        {"zarr_format", 3},
        {"node_type", "array"},
        {"shape", shape},
        {"data_type", data_type},
        {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", chunk}}}}},
        {"chunk_key_encoding", {{"name", "default"}}},
        {"fill_value", fill},
        {"codecs", codecs}};
    json.update(more);
    write_json(folder / "zarr.json", json);
    write([&](const Index& place) { return "c/" + joined(place, "/"); });
  }
};

}  // namespace aprscope::test

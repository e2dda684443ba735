#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/zarr_maker.hpp"

// Small images in folders of Zarr, and what is expected of them.

namespace aprscope::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Index = std::vector<std::int64_t>;

// Different everywhere, and no symmetry of axes.
inline std::uint16_t sample(const Index& at) {
  std::int64_t value = 7;
  for (const std::int64_t i : at) value = value * 31 + i;
  return static_cast<std::uint16_t>(value % 65521);
}

inline Volume load_ok(const fs::path& path, SourceSelection selection = {}) {
  const auto info = inspect(path.string());
  EXPECT_TRUE(info.ok()) << info.error().message();
  if (!info) return {};
  EXPECT_EQ(info->format_id, "zarr");
  auto data = load(*info, selection);
  EXPECT_TRUE(data.ok()) << data.error().message();
  if (!data) return {};
  auto volume = std::get<Volume>(*std::move(data));
  EXPECT_EQ(volume.size(), info->size);
  expect_same_slices(*info, selection, volume);
  return volume;
}

inline std::string error_of(const fs::path& path) {
  const auto data = load_file(path.string());
  EXPECT_FALSE(data.ok());
  if (data.ok()) return "";
  EXPECT_FALSE(data.error().advice.empty());
  return data.error().message();
}

inline void expect_samples(
    const Volume& volume,
    const std::function<double(std::int64_t, std::int64_t, std::int64_t)>& wanted) {
  const Size3 size = volume.size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        ASSERT_EQ(volume.value({z, x, y}), static_cast<float>(wanted(z, x, y)))
            << z << " " << x << " " << y;
      }
    }
  }
}

inline ZarrArrayMaker<std::uint16_t> small(const fs::path& folder) {
  ZarrArrayMaker<std::uint16_t> made;
  made.folder = folder;
  made.shape = {5, 7, 11};
  made.chunk = {2, 3, 4};
  made.value = sample;
  return made;
}

inline double in_order(std::int64_t z, std::int64_t x, std::int64_t y) { return sample({z, x, y}); }

struct Packed {
  const char* name;
  ZarrBytes (*pack)(const ZarrBytes&);
};

// Metadata of OME-NGFF.
inline Json axis(const char* name, const char* type, const char* unit = nullptr) {
  Json json{{"name", name}, {"type", type}};
  if (unit != nullptr) json["unit"] = unit;
  return json;
}

inline Json transformed(const std::string& path, const Json& scale,
                        const Json& translation = nullptr) {
  Json list = Json::array({{{"type", "scale"}, {"scale", scale}}});
  if (!translation.is_null()) {
    list.push_back({{"type", "translation"}, {"translation", translation}});
  }
  return {{"path", path}, {"coordinateTransformations", list}};
}

inline fs::path make_movie(const fs::path& root, const std::string& version = "0.5") {
  for (const int level : {0, 1}) {
    const std::int64_t half = level + 1;
    ZarrArrayMaker<std::uint16_t> made{root / std::to_string(level),
                                       {3, 2, 4 / half, 8 / half, 6 / half},
                                       {1, 1, 2, 4, 3},
                                       sample};
    made.write_3("uint16",
                 Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}}));
  }
  const Json axes{axis("t", "time", "second"), axis("c", "channel"),
                  axis("z", "space", "nanometer"), axis("y", "space", "nanometer"),
                  axis("x", "space", "nanometer")};
  Json multiscale{{"datasets",
                   {transformed("0", {1, 1, 500, 200, 100}),
                    transformed("1", {1, 1, 1000, 400, 200}, {0, 0, 250, 100, 50})}}};
  if (version == "0.5") {
    multiscale["axes"] = axes;
  } else {
    multiscale["coordinateSystems"] = Json::array({{{"name", "physical"}, {"axes", axes}}});
  }
  write_json(root / "zarr.json",
             {{"zarr_format", 3},
              {"node_type", "group"},
              {"attributes",
               {{"ome", {{"version", version}, {"multiscales", Json::array({multiscale})}}}}}});
  return root;
}

}  // namespace aprscope::test

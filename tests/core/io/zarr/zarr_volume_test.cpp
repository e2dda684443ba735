// Images in folders of Zarr 2, Zarr 3 and N5: written here sample by sample, packed by the codecs'
// own libraries, read back to the bit.
#include "core/io/zarr/zarr_volume.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/core/io/zarr/zarr_packers.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

TEST(Zarr2, AllCodecsBothOrdersBothByteOrdersAndSeparators) {
  for (const Packed& codec : {Packed{"zlib", zlib}, Packed{"gzip", gzip}, Packed{"bz2", bzip2},
                              Packed{"zstd", zstd}, Packed{"lz4", lz4}, Packed{"blosc", blosc},
                              Packed{"", [](const ZarrBytes& b) { return b; }}}) {
    for (const bool fortran : {false, true}) {
      for (const bool big : {false, true}) {
        SCOPED_TRACE(testing::Message() << codec.name << " " << fortran << " " << big);
        const TemporaryFolder folder;
        auto made = small(folder / "a.zarr");
        made.pack = codec.pack;
        made.fortran = fortran;
        made.big_endian = big;
        const Json compressor = *codec.name == '\0' ? Json(nullptr) : Json{{"id", codec.name}};
        made.write_2(big ? ">u2" : "<u2", compressor, big ? "/" : ".");
        const Volume volume = load_ok(folder / "a.zarr");
        EXPECT_STREQ(volume.dtype(), "u16");
        EXPECT_EQ(volume.name, "a");
        expect_samples(volume, in_order);
      }
    }
  }
}

template <class T>
void expect_type(const std::string& dtype, const std::string& name, const char* stored,
                 const std::function<T(const Index&)>& value) {
  SCOPED_TRACE(dtype);
  const TemporaryFolder folder;
  ZarrArrayMaker<T> made{folder / "two", {3, 4, 5}, {2, 4, 3}, value};
  made.write_2(dtype);
  made.folder = folder / "three";
  made.write_3(name, Json::array({{{"name", "bytes"}}}));
  for (const char* which : {"two", "three"}) {
    const Volume volume = load_ok(folder / which);
    EXPECT_STREQ(volume.dtype(), stored);
    expect_samples(volume, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      return static_cast<double>(value({z, x, y}));
    });
  }
}

TEST(Zarr2, AllTypesOfNumbers) {
  const auto n = [](const Index& at) { return static_cast<std::int64_t>(sample(at)); };
  expect_type<std::uint8_t>("|u1", "uint8", "u8",
                            [&](const Index& at) { return static_cast<std::uint8_t>(n(at)); });
  expect_type<std::int8_t>("|i1", "int8", "f32",
                           [&](const Index& at) { return static_cast<std::int8_t>(n(at)); });
  expect_type<std::int16_t>("<i2", "int16", "f32",
                            [&](const Index& at) { return static_cast<std::int16_t>(n(at)); });
  expect_type<std::uint32_t>("<u4", "uint32", "f32", [&](const Index& at) {
    return static_cast<std::uint32_t>(n(at) * 65537);
  });
  expect_type<std::int32_t>("<i4", "int32", "f32", [&](const Index& at) {
    return static_cast<std::int32_t>(n(at) - 40000);
  });
  expect_type<std::int64_t>("<i8", "int64", "f32", [&](const Index& at) { return n(at) - 40000; });
  expect_type<std::uint64_t>("<u8", "uint64", "f32",
                             [&](const Index& at) { return static_cast<std::uint64_t>(n(at)); });
  expect_type<float>("<f4", "float32", "f32",
                     [&](const Index& at) { return static_cast<float>(n(at)) / 7.0F; });
  expect_type<double>("<f8", "float64", "f32",
                      [&](const Index& at) { return static_cast<double>(n(at)) / 7.0; });
}

TEST(Zarr2, ChunksThatAreNotThereAreTheFillValue) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.fill = 321;
  made.leave_out = [](const Index& place) { return place[0] == 1 || place[2] == 2; };
  made.write_2("<u2");
  expect_samples(load_ok(folder / "a"), [](std::int64_t z, std::int64_t x, std::int64_t y) {
    return z / 2 == 1 || y / 4 == 2 ? 321.0 : in_order(z, x, y);
  });
  ZarrArrayMaker<float> real{
      folder / "real", {2, 3, 4}, {1, 3, 4}, [](const Index&) { return 1.0F; }};
  real.leave_out = [](const Index& place) { return place[0] == 1; };
  real.write_2("<f4", nullptr, ".", {{"fill_value", "NaN"}});
  const Volume volume = load_ok(folder / "real");
  EXPECT_EQ(volume.value({0, 2, 3}), 1.0F);
  EXPECT_TRUE(std::isnan(volume.value({1, 0, 0})));
}

TEST(Zarr3, TransposedByteOrdersAndCodecsInARow) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.fortran = true;
  made.big_endian = true;
  made.pack = [](const ZarrBytes& plain) { return with_crc32c(zstd(plain)); };
  made.write_3("uint16",
               Json::array({{{"name", "transpose"}, {"configuration", {{"order", {2, 1, 0}}}}},
                            {{"name", "bytes"}, {"configuration", {{"endian", "big"}}}},
                            {{"name", "zstd"}, {"configuration", {{"level", 3}}}},
                            {{"name", "crc32c"}}}));
  const Volume volume = load_ok(folder / "a");
  EXPECT_EQ(inspect((folder / "a").string())->format, "Zarr 3");
  expect_samples(volume, in_order);
}

TEST(Zarr3, NamesOfChunksAsTheyAreAskedFor) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  const auto bytes = Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}});
  made.write_3("uint16", bytes,
               {{"chunk_key_encoding", {{"name", "v2"}, {"configuration", {{"separator", "."}}}}}});
  fs::remove_all(folder / "a" / "c");
  made.write([](const Index& place) { return ZarrArrayMaker<std::uint16_t>::joined(place, "."); });
  expect_samples(load_ok(folder / "a"), in_order);
  made.folder = folder / "b";
  made.write_3(
      "uint16", bytes,
      {{"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "."}}}}}});
  fs::remove_all(folder / "b" / "c");
  made.write(
      [](const Index& place) { return "c." + ZarrArrayMaker<std::uint16_t>::joined(place, "."); });
  expect_samples(load_ok(folder / "b"), in_order);
}

// Shards of 2 × 2 × 2 chunks. `damage` may change a shard before it is written.
void write_shards(
    const fs::path& folder, bool list_at_end, bool checksum,
    const std::function<void(ZarrBytes&)>& damage = [](ZarrBytes&) {}) {
  ZarrArrayMaker<std::uint16_t> made = small(folder);
  const Index shard{4, 6, 8};
  Json list_codecs = Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}});
  if (checksum) list_codecs.push_back({{"name", "crc32c"}});
  made.chunk = shard;
  made.leave_out = [](const Index&) { return true; };
  made.write_3(
      "uint16",
      Json::array({{{"name", "sharding_indexed"},
                    {"configuration",
                     {{"chunk_shape", {2, 3, 4}},
                      {"codecs",
                       Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}},
                                    {{"name", "zstd"}}})},
                      {"index_codecs", list_codecs},
                      {"index_location", list_at_end ? "end" : "start"}}}}}));
  const ZarrArrayMaker<std::uint16_t> inner = small(folder);
  const Index count{2, 2, 2};
  const std::size_t list_bytes = 8 * 16 + (checksum ? 4 : 0);
  made.each(made.chunks(), [&](const Index& place) {
    if (place == Index{1, 1, 1}) return;  // a shard that is not there
    ZarrBytes body;
    ZarrBytes list;
    const std::size_t begin = list_at_end ? 0 : list_bytes;
    made.each(count, [&](const Index& step) {
      Index from(3);
      bool inside = true;
      for (std::size_t d = 0; d < 3; ++d) {
        from[d] = place[d] * shard[d] + step[d] * inner.chunk[d];
        inside = inside && from[d] < inner.shape[d];
      }
      // Not there: outside of the image, and one inside.
      if (!inside || from == Index{0, 3, 4}) {
        add_little_endian(list, UINT64_MAX, 8);
        add_little_endian(list, UINT64_MAX, 8);
        return;
      }
      const ZarrBytes packed = zstd(inner.plain(from, inner.chunk));
      add_little_endian(list, begin + body.size(), 8);
      add_little_endian(list, packed.size(), 8);
      body.insert(body.end(), packed.begin(), packed.end());
    });
    if (checksum) list = with_crc32c(list);
    ZarrBytes file = list_at_end ? body : list;
    const ZarrBytes& rest = list_at_end ? list : body;
    file.insert(file.end(), rest.begin(), rest.end());
    damage(file);
    write_file(folder / ("c/" + made.joined(place, "/")), file);
  });
}

TEST(Zarr3, ShardsWithTheirListAtTheEndOrTheStart) {
  for (const bool at_end : {true, false}) {
    for (const bool checksum : {true, false}) {
      const TemporaryFolder folder;
      write_shards(folder / "a", at_end, checksum);
      expect_samples(load_ok(folder / "a"), [](std::int64_t z, std::int64_t x, std::int64_t y) {
        const bool no_shard = z >= 4 && x >= 6 && y >= 8;
        const bool no_chunk = z < 2 && x >= 3 && x < 6 && y >= 4 && y < 8;
        return no_shard || no_chunk ? 0.0 : in_order(z, x, y);
      });
    }
  }
}

TEST(Zarr3, DamagedShardsAreSentences) {
  const TemporaryFolder folder;
  write_shards(folder / "list", true, true, [](ZarrBytes& file) { file[file.size() - 30] ^= 1; });
  EXPECT_NE(error_of(folder / "list").find("is damaged"), std::string::npos);
  write_shards(folder / "offset", true, false, [](ZarrBytes& file) {
    for (std::size_t i = 0; i < 7; ++i) file[file.size() - 8 * 16 + i] = 0x7F;
  });
  EXPECT_NE(error_of(folder / "offset").find("is damaged"), std::string::npos);
  write_shards(folder / "short", true, true, [](ZarrBytes& file) { file.resize(100); });
  EXPECT_NE(error_of(folder / "short").find("is cut off"), std::string::npos);
  write_shards(folder / "body", true, true, [](ZarrBytes& file) {
    std::fill(file.begin(), file.begin() + 20, std::uint8_t{0xAA});
  });
  EXPECT_NE(error_of(folder / "body").find("is damaged"), std::string::npos);
}

// N5 counts the fastest dimension first, and its blocks at the end are smaller.
void write_n5(const fs::path& folder, const std::string& compression,
              const std::function<ZarrBytes(const ZarrBytes&)>& pack, int mode) {
  ZarrArrayMaker<std::uint16_t> made = small(folder);
  made.big_endian = true;
  write_json(folder / "attributes.json",
             {{"dimensions", {11, 7, 5}},
              {"blockSize", {4, 3, 2}},
              {"dataType", "uint16"},
              {"compression", {{"type", compression}}},
              {"pixelResolution", {{"dimensions", {0.2, 0.3, 1.5}}, {"unit", "um"}}}});
  made.each(made.chunks(), [&](const Index& place) {
    Index begin(3);
    Index sides(3);
    for (std::size_t d = 0; d < 3; ++d) {
      begin[d] = place[d] * made.chunk[d];
      sides[d] = std::min(made.chunk[d], made.shape[d] - begin[d]);
    }
    ZarrBytes file;
    const auto add = [&](std::uint64_t value, int bytes) {
      for (int i = bytes - 1; i >= 0; --i)
        file.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    add(static_cast<std::uint64_t>(mode), 2);
    add(3, 2);
    for (std::size_t d = 3; d-- > 0;) add(static_cast<std::uint64_t>(sides[d]), 4);
    if (mode == 1) add(static_cast<std::uint64_t>(sides[0] * sides[1] * sides[2]), 4);
    const ZarrBytes packed = pack(made.plain(begin, sides));
    file.insert(file.end(), packed.begin(), packed.end());
    write_file(folder / made.joined(Index(place.rbegin(), place.rend()), "/"), file);
  });
}

TEST(N5, BlocksOfAllCodecs) {
  for (const Packed& codec : {Packed{"gzip", gzip}, Packed{"bzip2", bzip2}, Packed{"lz4", lz4_java},
                              Packed{"blosc", blosc}, Packed{"zstd", zstd},
                              Packed{"raw", [](const ZarrBytes& b) { return b; }}}) {
    for (const int mode : {0, 1}) {
      SCOPED_TRACE(testing::Message() << codec.name << " " << mode);
      const TemporaryFolder folder;
      write_n5(folder / "a.n5", codec.name, codec.pack, mode);
      const Volume volume = load_ok(folder / "a.n5");
      EXPECT_EQ(inspect((folder / "a.n5").string())->format, "N5");
      expect_samples(volume, in_order);
      EXPECT_EQ(volume.voxel, (VoxelSize{1.5, 0.3, 0.2, "µm"}));
    }
  }
}

// n5-viewer states sizes once, in the folder of all levels.
TEST(N5, SizesMayBeThoseOfTheFolderAbove) {
  const TemporaryFolder folder;
  const fs::path set = folder / "set.n5";
  const auto raw = [](const ZarrBytes& b) { return b; };
  for (const char* level : {"s0", "s1"}) {
    write_n5(set / level, "raw", raw, 0);
    nlohmann::json array = nlohmann::json::parse(std::ifstream(set / level / "attributes.json"));
    array.erase("pixelResolution");
    write_json(set / level / "attributes.json", array);
  }
  const auto voxel_of = [&](const char* level) {
    const auto info = inspect(set.string() + ":/" + level);
    EXPECT_TRUE(info.ok()) << info.error().message();
    return info ? info->voxel : VoxelSize{};
  };
  EXPECT_EQ(voxel_of("s1"), VoxelSize{});
  nlohmann::json above{{"resolution", {200, 300, 1500}},
                       {"units", {"nm", "nm", "nm"}},
                       {"scales", {{1, 1, 1}, {4, 2, 1}}}};
  write_json(set / "attributes.json", above);
  EXPECT_EQ(voxel_of("s0"), (VoxelSize{1500, 300, 200, "nm"}));
  EXPECT_EQ(voxel_of("s1"), (VoxelSize{1500, 600, 800, "nm"}));
  // Factors of the array itself come first; scales that do not fit count for nothing.
  above["scales"] = {{1, 1, 1}, {2, 2}};
  write_json(set / "attributes.json", above);
  EXPECT_EQ(voxel_of("s1"), (VoxelSize{1500, 300, 200, "nm"}));
  nlohmann::json array = nlohmann::json::parse(std::ifstream(set / "s1" / "attributes.json"));
  array["downsamplingFactors"] = {2, 2, 2};
  write_json(set / "s1" / "attributes.json", array);
  EXPECT_EQ(voxel_of("s1"), (VoxelSize{3000, 600, 400, "nm"}));
}

}  // namespace
}  // namespace aprscope::test

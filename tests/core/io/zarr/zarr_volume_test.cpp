// Images in folders of Zarr 2, Zarr 3 and N5: written here sample by sample, packed by the codecs'
// own libraries, read back to the bit.
#include "core/io/zarr/zarr_volume.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <blosc.h>
#include <bzlib.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zlib.h>
#include <zstd.h>

#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Index = std::vector<std::int64_t>;

// ---- codecs, by their libraries

ZarrBytes with_zlib(const ZarrBytes& plain, int window) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  ZarrBytes packed(deflateBound(&stream, plain.size()) + 64);
  stream.next_in = const_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}
ZarrBytes zlib(const ZarrBytes& plain) { return with_zlib(plain, 15); }
ZarrBytes gzip(const ZarrBytes& plain) { return with_zlib(plain, 15 + 16); }

ZarrBytes bzip2(const ZarrBytes& plain) {
  ZarrBytes packed(plain.size() * 2 + 1000);
  auto size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(packed.data()), &size,
                           const_cast<char*>(reinterpret_cast<const char*>(plain.data())),
                           static_cast<unsigned>(plain.size()), 5, 0, 0);
  packed.resize(size);
  return packed;
}

ZarrBytes zstd(const ZarrBytes& plain) {
  ZarrBytes packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

void add_little_endian(ZarrBytes& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

ZarrBytes lz4_block(const ZarrBytes& plain) {
  ZarrBytes packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))));
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      reinterpret_cast<const char*>(plain.data()), reinterpret_cast<char*>(packed.data()),
      static_cast<int>(plain.size()), static_cast<int>(packed.size()))));
  return packed;
}

ZarrBytes lz4(const ZarrBytes& plain) {
  ZarrBytes bytes;
  add_little_endian(bytes, plain.size(), 4);
  const ZarrBytes block = lz4_block(plain);
  bytes.insert(bytes.end(), block.begin(), block.end());
  return bytes;
}

// As lz4-java writes them: the first half packed, the second as it is.
ZarrBytes lz4_java(const ZarrBytes& plain) {
  const std::string magic = "LZ4Block";
  ZarrBytes bytes;
  const auto add = [&](std::uint8_t token, const ZarrBytes& packed, std::size_t size) {
    bytes.insert(bytes.end(), magic.begin(), magic.end());
    bytes.push_back(token);
    add_little_endian(bytes, packed.size(), 4);
    add_little_endian(bytes, size, 4);
    add_little_endian(bytes, 0, 4);
    bytes.insert(bytes.end(), packed.begin(), packed.end());
  };
  const auto half = plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2);
  const ZarrBytes first(plain.begin(), half);
  const ZarrBytes second(half, plain.end());
  add(0x25, lz4_block(first), first.size());
  add(0x15, second, second.size());
  add(0x15, {}, 0);
  return bytes;
}

ZarrBytes blosc(const ZarrBytes& plain) {
  ZarrBytes packed(plain.size() + BLOSC_MAX_OVERHEAD);
  packed.resize(static_cast<std::size_t>(blosc_compress_ctx(
      5, BLOSC_SHUFFLE, 2, plain.size(), plain.data(), packed.data(), packed.size(), "lz4", 0, 1)));
  return packed;
}

// Bit by bit, by its polynomial (RFC 3720).
std::uint32_t naive_crc32c(const ZarrBytes& bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ (0x82F63B78U & (0U - (crc & 1U)));
  }
  return ~crc;
}
ZarrBytes with_crc32c(ZarrBytes bytes) {
  add_little_endian(bytes, naive_crc32c(bytes), 4);
  return bytes;
}

// ---- images

// Different everywhere, and no symmetry of axes.
std::uint16_t sample(const Index& at) {
  std::int64_t value = 7;
  for (const std::int64_t i : at) value = value * 31 + i;
  return static_cast<std::uint16_t>(value % 65521);
}

Volume load_ok(const fs::path& path, SourceSelection selection = {}) {
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

std::string error_of(const fs::path& path) {
  const auto data = load_file(path.string());
  EXPECT_FALSE(data.ok());
  if (data.ok()) return "";
  EXPECT_FALSE(data.error().advice.empty());
  return data.error().message();
}

void expect_samples(const Volume& volume,
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

ZarrArrayMaker<std::uint16_t> small(const fs::path& folder) {
  ZarrArrayMaker<std::uint16_t> made;
  made.folder = folder;
  made.shape = {5, 7, 11};
  made.chunk = {2, 3, 4};
  made.value = sample;
  return made;
}

double in_order(std::int64_t z, std::int64_t x, std::int64_t y) { return sample({z, x, y}); }

struct Packed {
  const char* name;
  ZarrBytes (*pack)(const ZarrBytes&);
};

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

// ---- OME-NGFF

Json axis(const char* name, const char* type, const char* unit = nullptr) {
  Json json{{"name", name}, {"type", type}};
  if (unit != nullptr) json["unit"] = unit;
  return json;
}

Json transformed(const std::string& path, const Json& scale, const Json& translation = nullptr) {
  Json list = Json::array({{{"type", "scale"}, {"scale", scale}}});
  if (!translation.is_null()) {
    list.push_back({{"type", "translation"}, {"translation", translation}});
  }
  return {{"path", path}, {"coordinateTransformations", list}};
}

TEST(OmeZarr, AxesAreFoundByNameInWhateverOrder) {
  const TemporaryFolder folder;
  const fs::path root = folder / "embryo.ome.zarr";
  // x before y before z, and the channel last.
  ZarrArrayMaker<std::uint16_t> made{root / "0", {6, 5, 4, 2}, {4, 2, 3, 1}, sample};
  made.write_2("<u2", nullptr, "/");
  write_json(root / ".zgroup", {{"zarr_format", 2}});
  write_json(root / ".zattrs",
             {{"multiscales",
               Json::array({{{"version", "0.4"},
                             {"axes",
                              {axis("x", "space", "micrometer"), axis("y", "space", "micrometer"),
                               axis("z", "space", "micrometer"), axis("c", "channel")}},
                             {"datasets",
                              Json::array({transformed("0", {0.1, 0.2, 0.5, 1}, {3, 4, 5, 0})})},
                             {"coordinateTransformations",
                              Json::array({{{"type", "scale"}, {"scale", {2, 2, 2, 1}}}})}}})},
              {"omero", {{"channels", Json::array({{{"label", "DAPI"}}, {{"label", "GFP"}}})}}}});
  const auto info = inspect(root.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format, "OME-Zarr 0.4");
  EXPECT_EQ(info->size, (Size3{4, 5, 6}));
  EXPECT_EQ(info->channels, (std::vector<std::string>{"DAPI", "GFP"}));
  EXPECT_EQ(info->voxel, (VoxelSize{1.0, 0.4, 0.2, "µm"}));
  const Volume volume = load_ok(root, {1, 0});
  EXPECT_EQ(volume.channel, "GFP");
  EXPECT_EQ(volume.name, "embryo");
  EXPECT_EQ(volume.origin, (std::array<double, 3>{10.0, 8.0, 6.0}));
  expect_samples(volume, [](std::int64_t z, std::int64_t x, std::int64_t y) {
    return sample({y, x, z, 1});
  });
}

// Five dimensions, Zarr 3, two levels.
fs::path make_movie(const fs::path& root, const std::string& version = "0.5") {
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

TEST(OmeZarr, TimesChannelsAndLevels) {
  for (const char* version : {"0.5", "0.6"}) {
    const TemporaryFolder folder;
    const fs::path root = make_movie(folder / "m.zarr", version);
    const auto info = inspect(root.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->format, std::string("OME-Zarr ") + version);
    EXPECT_EQ(info->times, 3);
    EXPECT_EQ(info->channels.size(), 2U);
    EXPECT_EQ(info->datasets, std::vector<std::string>{"/0"});
    EXPECT_EQ(info->dataset, "/0");
    EXPECT_EQ(info->voxel, (VoxelSize{500, 200, 100, "nm"}));
    expect_samples(load_ok(root, {1, 2}), [](std::int64_t z, std::int64_t x, std::int64_t y) {
      return sample({2, 1, z, x, y});
    });
    // A level by its name, as a folder of the path and behind a colon.
    const auto level = inspect(root.string() + ":/1");
    ASSERT_TRUE(level.ok()) << level.error().message();
    EXPECT_EQ(level->size, (Size3{2, 4, 3}));
    EXPECT_EQ(level->voxel, (VoxelSize{1000, 400, 200, "nm"}));
    const auto volume = load(*level);
    ASSERT_TRUE(volume.ok());
    EXPECT_EQ(std::get<Volume>(*volume).origin, (std::array<double, 3>{250, 100, 50}));
    EXPECT_FALSE(inspect(root.string() + ":/7").ok());
    // A part of it, its metadata, with a slash at the end: the same image.
    for (const std::string name : {"/", "/zarr.json", "/0", "/0/", "/0/zarr.json"}) {
      SCOPED_TRACE(name);
      const auto same = inspect(root.string() + name);
      ASSERT_TRUE(same.ok()) << same.error().message();
      EXPECT_EQ(same->path, root);
      EXPECT_EQ(same->dataset, "/0");
      EXPECT_EQ(same->voxel, info->voxel);
    }
    const auto half = inspect((root / "1").string());
    ASSERT_TRUE(half.ok());
    EXPECT_EQ(half->dataset, "/1");
    EXPECT_EQ(half->voxel, level->voxel);
    SourceSelection beyond{2, 0};
    EXPECT_NE(load(*info, beyond).error().message().find("has no channel 2"), std::string::npos);
  }
}

TEST(OmeZarr, SlicesOfTwoDimensionsAndPlatesOfWells) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made{folder / "p/A/1/0/0", {7, 9}, {4, 4}, sample};
  made.write_2("<u2");
  write_json(folder / "p/.zgroup", {{"zarr_format", 2}});
  write_json(folder / "p/.zattrs", {{"plate", {{"name", "p"}}}});
  write_json(folder / "p/A/1/0/.zgroup", {{"zarr_format", 2}});
  write_json(
      folder / "p/A/1/0/.zattrs",
      {{"multiscales", Json::array({{{"version", "0.4"},
                                     {"axes", {axis("y", "space"), axis("x", "space")}},
                                     {"datasets", Json::array({transformed("0", {1, 1})})}}})}});
  const auto info = inspect((folder / "p").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets, std::vector<std::string>{"/A/1/0/0"});
  EXPECT_EQ(info->size, (Size3{1, 7, 9}));
  expect_samples(load_ok(folder / "p"), [](std::int64_t, std::int64_t x, std::int64_t y) {
    return sample({x, y});
  });
}

// ---- what is not read

TEST(Zarr, WhatIsNotSupportedIsNamed) {
  const TemporaryFolder folder;
  const auto refused = [&](const Json& more, const std::string& word) {
    auto made = small(folder / "a");
    fs::remove_all(folder / "a");
    made.write_2("<u2", nullptr, ".", more);
    EXPECT_NE(error_of(folder / "a").find(word), std::string::npos)
        << error_of(folder / "a") << " for " << word;
  };
  refused({{"dtype", "<c8"}}, "\"<c8\"");
  refused({{"dtype", "|S7"}}, "\"|S7\"");
  refused({{"dtype", Json::array({Json::array({"r", "|u1"})})}}, "values of type");
  refused({{"compressor", {{"id", "zfpy"}}}}, "\"zfpy\"");
  refused({{"filters", Json::array({{{"id", "delta"}}})}}, "\"delta\"");
  refused({{"shape", {5, 7}}}, "shape and chunks");
  refused({{"chunks", {2, 3, 0}}}, "shape and chunks");
  refused({{"chunks", {1 << 20, 1 << 20, 4}}}, "1 GiB");
  refused({{"shape", {5, 7, 11}}, {"chunks", {500, 700, 1100}}}, "far larger");
  refused({{"shape", {1 << 30, 1 << 30, 1 << 30}}}, "");
  refused({{"shape", {1 << 20, 1 << 20, 100}}, {"chunks", {2, 3, 4}}}, "memory");
  refused({{"fill_value", "abc"}}, "fill value");

  auto made = small(folder / "three");
  const auto refused_3 = [&](const Json& codecs, const Json& more, const std::string& word) {
    fs::remove_all(folder / "three");
    made.write_3("uint16", codecs, more);
    EXPECT_NE(error_of(folder / "three").find(word), std::string::npos)
        << error_of(folder / "three") << " for " << word;
  };
  const Json bytes{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}};
  refused_3(Json::array({bytes, {{"name", "vlen"}}}), Json::object(), "\"vlen\"");
  refused_3(Json::array({{{"name", "zstd"}}, bytes}), Json::object(), "\"zstd\"");
  refused_3(Json::array(), Json::object(), "codecs");
  refused_3(Json::array({bytes}), {{"data_type", "complex64"}}, "complex64");
  refused_3(Json::array({bytes}), {{"chunk_grid", {{"name", "rectangular"}}}}, "rectangular");
  refused_3(
      Json::array({{{"name", "transpose"}, {"configuration", {{"order", {0, 0, 1}}}}}, bytes}),
      Json::object(), "transpose");
  const auto rotated = make_movie(folder / "r.zarr");
  std::string text;
  {
    std::ifstream in(rotated / "zarr.json");
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (auto at = text.find("\"type\":\"scale\""); at != std::string::npos;
       at = text.find("\"type\":\"scale\"")) {
    text.replace(at, 14, "\"type\":\"rotation\"");
  }
  write_file(rotated / "zarr.json", text);
  EXPECT_NE(error_of(rotated).find("\"rotation\""), std::string::npos) << error_of(rotated);
  // As the sentence says, its pixels open by name.
  const auto named = load_file(rotated.string() + ":/0");
  ASSERT_TRUE(named.ok()) << named.error().message();
  EXPECT_EQ(std::get<Volume>(*named).voxel.unit, "px");
}

TEST(OmeZarr, LengthsThatNobodyMeasuresVoxelsInBecomeMicrometres) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made{folder / "m/0", {4, 5}, {4, 5}, sample};
  made.write_2("<u2");
  write_json(folder / "m/.zgroup", {{"zarr_format", 2}});
  write_json(folder / "m/.zattrs",
             {{"multiscales",
               Json::array({{{"version", "0.4"},
                             {"axes", {axis("y", "space", "meter"), axis("x", "space", "meter")}},
                             {"datasets",
                              Json::array({transformed("0", {1e-6, 2e-6}, {3e-6, 4e-6})})}}})}});
  const Volume volume = load_ok(folder / "m");
  EXPECT_EQ(volume.voxel.unit, "µm");
  EXPECT_NEAR(volume.voxel.x, 1.0, 1e-12);
  EXPECT_NEAR(volume.voxel.y, 2.0, 1e-12);
  EXPECT_NEAR(volume.origin[1], 3.0, 1e-12);
  EXPECT_NEAR(volume.origin[2], 4.0, 1e-12);
}

TEST(Zarr, DamagedChunksAreSentencesThatNameTheirFile) {
  const TemporaryFolder folder;
  for (const Packed& codec : {Packed{"zlib", zlib}, Packed{"bz2", bzip2}, Packed{"zstd", zstd},
                              Packed{"lz4", lz4}, Packed{"blosc", blosc}}) {
    for (const int how : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << codec.name << " " << how);
      auto made = small(folder / "a");
      fs::remove_all(folder / "a");
      made.pack = [&](const ZarrBytes& plain) {
        // Too short, too long, cut off.
        ZarrBytes other = plain;
        if (how == 0) other.pop_back();
        if (how == 1) other.resize(other.size() + (std::size_t{1} << 21));
        ZarrBytes packed = codec.pack(other);
        if (how == 2) packed.resize(packed.size() / 2);
        return packed;
      };
      made.write_2("<u2", {{"id", codec.name}});
      const std::string error = error_of(folder / "a");
      EXPECT_NE(error.find("0.0.0"), std::string::npos) << error;
    }
  }
}

TEST(Zarr, NothingOutsideOfTheFolderIsRead) {
  const TemporaryFolder folder;
  auto made = small(folder / "outside");
  made.write_2("<u2");
  // By a path in the metadata.
  write_json(folder / "a.zarr/.zgroup", {{"zarr_format", 2}});
  for (const char* path : {"../outside", "/etc", "x/../../outside", "", "."}) {
    write_json(
        folder / "a.zarr/.zattrs",
        {{"multiscales",
          Json::array({{{"version", "0.4"},
                        {"axes", {axis("z", "space"), axis("y", "space"), axis("x", "space")}},
                        {"datasets", Json::array({{{"path", path}}})}}})}});
    EXPECT_NE(error_of(folder / "a.zarr").find("outside"), std::string::npos) << path;
  }
  // By links: of a folder, of a chunk.
  fs::remove(folder / "a.zarr/.zattrs");
  fs::create_directory_symlink(folder / "outside", folder / "a.zarr/link");
  EXPECT_NE(error_of(folder / "a.zarr").find("holds no image"), std::string::npos);
  EXPECT_FALSE(inspect((folder / "a.zarr").string() + ":/link").ok());
  auto inside = small(folder / "b");
  inside.write_2("<u2");
  fs::remove(folder / "b/0.0.0");
  fs::create_symlink(folder / "outside/0.0.0", folder / "b/0.0.0");
  EXPECT_NE(error_of(folder / "b").find("outside"), std::string::npos);
}

TEST(Zarr, WhatWasNotFetchedIsNotAFillValue) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  fs::remove(folder / "a/0.0.0");
  fs::create_symlink("../annex/0.0.0", folder / "a/0.0.0");
  EXPECT_NE(error_of(folder / "a").find("is a link to a file that is not there"),
            std::string::npos);
}

TEST(Zarr, APartOfAStoreThatIsNoLevelStandsForItself) {
  const TemporaryFolder folder;
  // A stray group above it is not the image's.
  write_json(folder / ".zgroup", {{"zarr_format", 2}});
  auto made = small(folder / "a");
  made.write_2("<u2");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->path, folder / "a");
  EXPECT_EQ(info->dataset, "");
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, MetadataOfPythonAndOfLongTexts) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  const std::string text(100000, 'x');
  write_file(folder / "a/.zattrs",
             "{\"nothing\": NaN, \"far\": [-Infinity, Infinity], \"NaN\": \"say \\\"NaN\\\"\", "
             "\"xml\": \"" +
                 text + "\"}");
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, NamedDimensionsThatAreNoneOfOursAreNotGuessed) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"y", "x", "wavelength"}}});
  EXPECT_NE(error_of(folder / "a").find("\"wavelength\""), std::string::npos);
  // Colours are channels.
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"y", "x", "rgb"}}});
  expect_samples(load_ok(folder / "a", {3, 0}), [](std::int64_t, std::int64_t x, std::int64_t y) {
    return sample({x, y, 3});
  });
  // Names that say nothing leave the order.
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"dim_0", "dim_1", "dim_2"}}});
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, NoMoreMemoryThanPixelsForManySmallChunks) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint8_t> made{
      folder / "a", {1, 600, 700}, {1, 1, 1}, [](const Index&) { return std::uint8_t{1}; }};
  made.leave_out = [](const Index& place) { return place[1] != 599 || place[2] != 699; };
  made.write_2("|u1");
  const Volume volume = load_ok(folder / "a");
  EXPECT_EQ(volume.value({0, 599, 699}), 1.0F);
  EXPECT_EQ(volume.value({0, 599, 698}), 0.0F);
}

TEST(Zarr, AnOutputInsideTheFolderIsTheInput) {
  const TemporaryFolder folder;
  auto made = small(folder / "a.zarr");
  made.write_2("<u2");
  const std::string input = (folder / "a.zarr").string();
  EXPECT_TRUE(is_same_file(folder / "a.zarr/.zattrs", input));
  EXPECT_TRUE(is_same_file(folder / "a.zarr/new/b.apr", input + ":/0"));
  EXPECT_TRUE(is_same_file(folder / "a.zarr", input));
  EXPECT_FALSE(is_same_file(folder / "a.zarr.apr", input));
  EXPECT_FALSE(is_same_file(folder / "b.apr", input));
}

TEST(Zarr, FoldersOfOtherThingsAndMetadataOfNothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "pictures/more");
  write_file(folder / "pictures/a.txt", std::string("text"));
  EXPECT_NE(error_of(folder / "pictures").find("holds no image"), std::string::npos);
  write_file(folder / "j/zarr.json", std::string("{"));
  EXPECT_NE(error_of(folder / "j").find("not valid JSON"), std::string::npos);
  write_file(folder / "k/.zarray", std::string(1000, '['));
  EXPECT_NE(error_of(folder / "k").find("nested deeper"), std::string::npos);
  ZarrArrayMaker<std::uint16_t> line{folder / "line", {9}, {4}, sample};
  line.write_2("<u2");
  EXPECT_NE(error_of(folder / "line").find("1 dimensions"), std::string::npos);
}

TEST(Zarr, ChangedMetadataIsNoticed) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  std::vector<std::uint16_t> slice(7 * 11);
  ASSERT_TRUE((*slices)->read(0, slice.data(), {}).ok());
  write_file(folder / "a/.zarray", std::string("{\"zarr_format\": 2}"));
  EXPECT_FALSE((*slices)->read(1, slice.data(), {}).ok());
}

TEST(Zarr, IntegersThatFloatsDoNotHoldAreVisitedAsTheyAre) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::int32_t> made{folder / "a", {2, 2, 3}, {1, 2, 2}, [](const Index& at) {
                                      return static_cast<std::int32_t>(16777217 + at[2]);
                                    }};
  made.write_2("<i4");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  int seen = 0;
  const Status read =
      read_zarr_exactly(*info, {},
                        [&](std::int64_t, std::span<const double> values) -> Status {
                          for (std::size_t i = 0; i < values.size(); ++i) {
                            EXPECT_EQ(values[i], 16777217.0 + static_cast<double>(i % 3));
                          }
                          ++seen;
                          return {};
                        },
                        {});
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(seen, 2);
}

// Arrays of zarr-python, tensorstore and others: read, or refused by the name of what they have.
TEST(Zarr, RealFoldersOfOtherWriters) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats";
  int read = 0;
  int refused = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name != ".zarray" && name != "zarr.json" && name != "attributes.json") continue;
    const fs::path folder = entry.path().parent_path();
    // Their chunks are links that did not survive being packed.
    if (folder.string().find("all_0.6") != std::string::npos) continue;
    SCOPED_TRACE(folder);
    const auto data = load_file(folder.string());
    if (data.ok()) {
      ++read;
      continue;
    }
    ++refused;
    const std::string& what = data.error().what;
    const bool named = what == "has 1 dimensions, not 2 to 5" ||
                       what.find("has values of type") != std::string::npos;
    EXPECT_TRUE(named) << data.error().message();
  }
  EXPECT_GT(read, 15);
  EXPECT_GT(refused, 5);
}

TEST(Zarr, RealArraysHaveTheValuesOfTheirWriter) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats" / "zarr" / "zarr_v2" / "from_zarr-python/data.zarr";
  for (const char* name :
       {"3d.contiguous.i2", "3d.chunked.i2", "3d.chunked.mixed.i2.C", "3d.chunked.mixed.i2.F"}) {
    SCOPED_TRACE(name);
    const Volume volume = load_ok(root / name);
    EXPECT_EQ(volume.size(), (Size3{3, 3, 3}));
    expect_samples(volume, [](std::int64_t z, std::int64_t x, std::int64_t y) {
      return static_cast<double>(9 * z + 3 * x + y);
    });
  }
}

// Drafts of OME-NGFF 0.6, with their chunk put where its link led.
TEST(OmeZarr, RealDraftsOfTheNextVersion) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats" / "zarr" / "ome_zarr" / "all_0.6";
  const TemporaryFolder folder;
  const auto hydrated = [&](const std::string& name) {
    fs::path copy = folder / fs::path(name).filename().string();
    fs::copy(root / name, copy, fs::copy_options::recursive);
    fs::permissions(copy / "array/c/0/0/0", fs::perms::owner_all);
    fs::permissions(copy / "array/c/0/0", fs::perms::owner_all);
    fs::remove(copy / "array/c/0/0/0");
    fs::copy_file(root / "base_array" / "0", copy / "array/c/0/0/0");
    return copy;
  };
  const Volume plain = load_ok(hydrated("basic/identity.zarr"));
  EXPECT_EQ(plain.size(), (Size3{27, 226, 186}));
  EXPECT_STREQ(plain.dtype(), "u8");
  EXPECT_EQ(plain.voxel.unit, "µm");
  for (const char* name :
       {"basic/scale.zarr", "basic/translation.zarr", "basic/sequenceScaleTranslation.zarr"}) {
    SCOPED_TRACE(name);
    const Volume moved = load_ok(hydrated(name));
    EXPECT_EQ(std::get<Pixels<std::uint8_t>>(moved.pixels).values,
              std::get<Pixels<std::uint8_t>>(plain.pixels).values);
    EXPECT_TRUE(moved.voxel != plain.voxel || moved.origin != plain.origin);
  }
  for (const char* name : {"simple/rotation.zarr", "simple/affine.zarr"}) {
    EXPECT_NE(error_of(hydrated(name)).find("coordinate transformation"), std::string::npos);
  }
}

}  // namespace
}  // namespace aprscope::test

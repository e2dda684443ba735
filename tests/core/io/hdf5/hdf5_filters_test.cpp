// Every filter of HDF5 chunks against the HDF5 library, which writes the files here and says what
// they hold; filters that it does not have are made with their own libraries or by hand.
#include "core/io/hdf5/hdf5_filters.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

const std::vector<hsize_t> kExtent = {9, 14, 23};
const std::vector<hsize_t> kChunk = {4, 5, 9};  // divides nothing evenly

struct Packing {
  const char* name;
  std::function<void(hid_t)> filters;
  bool reals = true;
};

std::vector<Packing> packings() {
  return {{"none", [](hid_t) {}},
          {"deflate", [](hid_t c) { H5Pset_deflate(c, 6); }},
          {"shuffle and deflate",
           [](hid_t c) {
             H5Pset_shuffle(c);
             H5Pset_deflate(c, 6);
           }},
          {"fletcher32", [](hid_t c) { H5Pset_fletcher32(c); }},
          {"all of them",
           [](hid_t c) {
             H5Pset_fletcher32(c);
             H5Pset_shuffle(c);
             H5Pset_deflate(c, 6);
             H5Pset_fletcher32(c);
           }},
          {"szip", [](hid_t c) { H5Pset_szip(c, H5_SZIP_NN_OPTION_MASK, 8); }},
          {"scale-offset", [](hid_t c) { H5Pset_scaleoffset(c, H5Z_SO_INT, 0); }, false},
          // As JHDF5 writes what Fiji exports.
          {"scale-offset and deflate",
           [](hid_t c) {
             H5Pset_scaleoffset(c, H5Z_SO_INT, 0);
             H5Pset_deflate(c, 6);
           },
           false},
          {"n-bit", [](hid_t c) { H5Pset_nbit(c); }}};
}

struct Type {
  const char* name;
  hid_t id;
  bool real;
};

std::vector<Type> types() {
  return {{"u8", H5T_STD_U8LE, false},   {"i8", H5T_STD_I8LE, false},
          {"u16", H5T_STD_U16LE, false}, {"u16 BE", H5T_STD_U16BE, false},
          {"i16", H5T_STD_I16LE, false}, {"i32 BE", H5T_STD_I32BE, false},
          {"u32", H5T_STD_U32LE, false}, {"i64", H5T_STD_I64LE, false},
          {"f32", H5T_IEEE_F32LE, true}, {"f32 BE", H5T_IEEE_F32BE, true},
          {"f64", H5T_IEEE_F64LE, true}};
}

std::vector<double> some_values(double from, double to) {
  std::vector<double> values(9 * 14 * 23);
  std::mt19937 random(17);
  for (double& v : values) v = std::floor(from + (to - from) * (random() % 1000) / 999.0);
  return values;
}

void expect_as_library_reads(const std::filesystem::path& path) {
  const std::vector<float> expected = values_by_library(path, "v");
  const Volume volume = must_load(path.string());
  ASSERT_EQ(volume.size(), (Size3{9, 14, 23}));
  std::size_t wrong = 0;
  std::visit(
      [&](const auto& pixels) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
          wrong += static_cast<float>(pixels.values[i]) != expected[i];
        }
      },
      volume.pixels);
  EXPECT_EQ(wrong, 0U);
}

TEST(Hdf5Filters, AreUndoneAsTheLibraryDoes) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  SanitizedShare share(3);
  for (const Packing& packing : packings()) {
    for (const Type& type : types()) {
      if (type.real && !packing.reals) continue;
      if (!share.takes()) continue;
      SCOPED_TRACE(std::string(packing.name) + ", " + type.name);
      const bool is_signed = type.real || type.name[0] == 'i';
      Hdf5Made(path).dataset("v", type.id, kExtent, some_values(is_signed ? -90 : 3, 120),
                             [&](hid_t c) {
                               H5Pset_chunk(c, 3, kChunk.data());
                               packing.filters(c);
                             });
      expect_as_library_reads(path);
    }
  }
}

TEST(Hdf5Filters, ScaleOffsetWithFillValuesAndDecimals) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  const auto chunked = [](hid_t c) { H5Pset_chunk(c, 3, kChunk.data()); };
  for (const double to : {3.0, 40.0, 65535.0}) {  // no bits, some, and all of them
    SCOPED_TRACE(to);
    Hdf5Made(path).dataset("v", H5T_STD_U16LE, kExtent, some_values(3, to), [&](hid_t c) {
      chunked(c);
      const std::uint16_t fill = 17;
      H5Pset_fill_value(c, H5T_NATIVE_UINT16, &fill);
      H5Pset_scaleoffset(c, H5Z_SO_INT, 0);
    });
    expect_as_library_reads(path);
  }
  for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
    for (const int decimals : {0, 2, 4}) {
      SCOPED_TRACE(decimals);
      auto values = some_values(-500, 700);
      for (double& v : values) v /= 7;
      Hdf5Made(path).dataset("v", type, kExtent, values, [&](hid_t c) {
        chunked(c);
        H5Pset_scaleoffset(c, H5Z_SO_FLOAT_DSCALE, decimals);
      });
      expect_as_library_reads(path);
    }
  }
}

// Cameras with 12 bits that say so.
TEST(Hdf5Filters, BitsThatCount) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  for (const hid_t base : {H5T_STD_U16LE, H5T_STD_I16LE, H5T_STD_I16BE, H5T_STD_U32BE}) {
    for (const bool packed : {false, true}) {
      const hid_t type = H5Tcopy(base);
      ASSERT_GE(H5Tset_precision(type, 12), 0);
      ASSERT_GE(H5Tset_offset(type, 3), 0);
      const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
      Hdf5Made(path).dataset("v", type, kExtent, some_values(is_signed ? -2000 : 0, 2000),
                             [&](hid_t c) {
                               H5Pset_chunk(c, 3, kChunk.data());
                               if (packed) H5Pset_nbit(c);
                             });
      H5Tclose(type);
      expect_as_library_reads(path);
    }
  }
}

TEST(Hdf5Filters, ChunksThatWereNeverWrittenHoldTheFillValue) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  {
    const Hdf5Made file(path);
    file.dataset("v", H5T_STD_U16BE, kExtent, std::vector<double>{}, [](hid_t c) {
      H5Pset_chunk(c, 3, kChunk.data());
      const std::uint16_t fill = 1234;
      H5Pset_fill_value(c, H5T_NATIVE_UINT16, &fill);
    });
    const hid_t set = H5Dopen2(file.id(), "v", H5P_DEFAULT);
    const hsize_t start[] = {5, 6, 7};
    const hsize_t count[] = {2, 3, 4};
    const hid_t space = H5Dget_space(set);
    const hid_t memory = H5Screate_simple(3, count, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    const std::vector<std::uint16_t> values(24, 9);
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, values.data()), 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
  }
  expect_as_library_reads(path);
}

// A file with one chunk of 60 × 10 bytes that holds `stored`, of a filter that the library lacks.
void write_foreign_chunk(const std::filesystem::path& path, unsigned filter,
                         const std::vector<std::uint8_t>& stored) {
  const Hdf5Made file(path);
  file.dataset("v", H5T_STD_U8LE, {60, 10}, std::vector<double>{}, [&](hid_t c) {
    const hsize_t chunk[] = {60, 10};
    H5Pset_chunk(c, 2, chunk);
    const unsigned values[] = {0, 0, 600};
    // Optional, so that the library creates the dataset without having the filter.
    ASSERT_GE(H5Pset_filter(c, static_cast<H5Z_filter_t>(filter), H5Z_FLAG_OPTIONAL, 3, values), 0);
  });
  const hid_t set = H5Dopen2(file.id(), "v", H5P_DEFAULT);
  const hsize_t at[] = {0, 0};
  ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, stored.size(), stored.data()), 0);
  H5Dclose(set);
}

std::vector<std::uint8_t> ramp() {
  std::vector<std::uint8_t> values(600);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i / 7);
  return values;
}

void expect_ramp(const std::filesystem::path& path) {
  const Volume volume = must_load(path.string());
  ASSERT_EQ(volume.size(), (Size3{1, 60, 10}));
  EXPECT_EQ(std::get<Pixels<std::uint8_t>>(volume.pixels).values, ramp());
}

TEST(Hdf5Filters, Lz4AndZstandard) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  const auto plain = ramp();
  for (const std::size_t block : {600U, 250U, 7U}) {  // 7 bytes do not shrink
    std::vector<std::uint8_t> stored = {0, 0, 0, 0, 0, 0, 600 >> 8U, 600 & 255U};
    const auto put = [&](std::size_t n) {
      for (unsigned shift : {24U, 16U, 8U, 0U}) stored.push_back(n >> shift & 255U);
    };
    put(block);
    for (std::size_t at = 0; at < plain.size(); at += block) {
      const std::size_t n = std::min(block, plain.size() - at);
      std::vector<char> packed(n);
      const auto* const from = reinterpret_cast<const char*>(plain.data() + at);
      const int bytes =
          LZ4_compress_default(from, packed.data(), static_cast<int>(n), static_cast<int>(n) - 1);
      put(bytes > 0 ? static_cast<std::size_t>(bytes) : n);
      stored.insert(stored.end(), bytes > 0 ? packed.data() : from,
                    bytes > 0 ? packed.data() + bytes : from + n);
    }
    write_foreign_chunk(path, kLz4, stored);
    expect_ramp(path);
  }
  std::vector<std::uint8_t> stored(ZSTD_compressBound(plain.size()));
  stored.resize(ZSTD_compress(stored.data(), stored.size(), plain.data(), plain.size(), 3));
  write_foreign_chunk(path, kZstd, stored);
  expect_ramp(path);
}

TEST(Hdf5Filters, Lzf) {
  // Literals, then repetitions that are short, overlap themselves and have a length byte.
  const std::vector<std::uint8_t> stored = {2, 'a', 'b', 'c', 2U << 5U, 2, 7U << 5U, 10, 0};
  std::vector<std::uint8_t> out;
  ASSERT_TRUE(undo_lzf(stored, 1000, out));
  EXPECT_EQ(std::string(out.begin(), out.end()), "abcabca" + std::string(19, 'a'));
  EXPECT_FALSE(undo_lzf(stored, out.size() - 1, out));  // more than there is room for
  for (std::size_t cut = 1; cut < stored.size(); ++cut) {
    // Between two instructions the stream may end: what is missing shows in the size.
    const bool between = cut == 4 || cut == 6;
    EXPECT_EQ(undo_lzf(std::span(stored).first(cut), 1000, out), between) << cut;
  }
  EXPECT_FALSE(undo_lzf(std::vector<std::uint8_t>{0, 'a', 1U << 5U, 1}, 1000, out));  // before it
  // A whole chunk in runs of literals.
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  std::vector<std::uint8_t> chunk;
  const auto plain = ramp();
  for (std::size_t at = 0; at < plain.size(); at += 30) {
    chunk.push_back(29);
    chunk.insert(chunk.end(), plain.begin() + static_cast<std::ptrdiff_t>(at),
                 plain.begin() + static_cast<std::ptrdiff_t>(at + 30));
  }
  write_foreign_chunk(path, kLzf, chunk);
  expect_ramp(path);
}

TEST(Hdf5Filters, UnknownOnesAreNamed) {
  TemporaryFolder folder;
  const auto path = folder / "v.h5";
  for (const auto& [id, name] : {std::pair{32008U, "bitshuffle"}, {31999U, "filter 31999"}}) {
    write_foreign_chunk(path, id, ramp());
    const auto info = inspect(path.string());
    ASSERT_FALSE(info.ok());
    EXPECT_NE(info.error().what.find(name), std::string::npos) << info.error().message();
    EXPECT_EQ(info.error().message().find("damaged"), std::string::npos);
  }
}

// Chunks that unpack to another size than a chunk has, by every filter and not only in the first
// chunk, are errors that say so; none of them gives pixels.
TEST(Hdf5Filters, ChunksOfAnotherSizeAreErrors) {
  TemporaryFolder folder;
  const auto path = folder / "short.h5";
  for (const Packing& packing : packings()) {
    if (std::string(packing.name) == "none") continue;  // their size is not in the file
    for (const hsize_t wrong : {1U, 2U, 3U}) {  // 3 × 5 × 9 values instead of 4 × 5 × 9, and so on
      SCOPED_TRACE(packing.name);
      const auto write = [&](const std::string& name, const std::vector<hsize_t>& chunk) {
        return [&, name, chunk](const Hdf5Made& file) {
          file.dataset(name, H5T_STD_U16LE, kExtent, some_values(3, 900), [&](hid_t c) {
            H5Pset_chunk(c, 3, chunk.data());
            packing.filters(c);
          });
        };
      };
      {
        const Hdf5Made file(path);
        write("v", kChunk)(file);
        auto less = kChunk;
        less[wrong - 1] -= wrong;
        write("donor", less)(file);
        // The last chunk of the donor replaces one of v.
        const hid_t donor = H5Dopen2(file.id(), "donor", H5P_DEFAULT);
        const hid_t set = H5Dopen2(file.id(), "v", H5P_DEFAULT);
        const hsize_t first[] = {0, 0, 0};
        const hsize_t second[] = {4, 5, 9};
        hsize_t bytes = 0;
        ASSERT_GE(H5Dget_chunk_storage_size(donor, first, &bytes), 0);
        std::vector<std::uint8_t> stored(bytes);
        std::uint32_t mask = 0;
        ASSERT_GE(H5Dread_chunk(donor, H5P_DEFAULT, first, &mask, stored.data()), 0);
        ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 0, second, bytes, stored.data()), 0);
        H5Dclose(donor);
        H5Dclose(set);
      }
      const auto data = load_file(path.string() + ":/v");
      ASSERT_FALSE(data.ok());
      EXPECT_NE(data.error().message().find("short.h5:/v"), std::string::npos);
      EXPECT_NE(data.error().what.find("cannot be unpacked"), std::string::npos)
          << data.error().message();
    }
  }
}

// Whatever the bytes are, a filter gives at most as many as it may.
TEST(Hdf5Filters, NoiseNeverGivesMoreThanThereIsRoomFor) {
  std::mt19937 random(5);
  std::vector<std::uint8_t> out(360);
  ChunkScratch scratch;
  int sound = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::uint8_t> stored(random() % 400);
    for (auto& byte : stored) byte = static_cast<std::uint8_t>(random());
    for (const std::uint32_t id :
         {kDeflate, kShuffle, kFletcher32, kSzip, kNbit, kScaleOffset, kLzf, kBlosc, kLz4, kZstd}) {
      Hdf5Filter filter{id, {}};
      for (std::size_t n = random() % 22; n > 0; --n) filter.values.push_back(random() % 40);
      const std::size_t begin = random() % 2 == 0 ? 0 : 120;
      const std::span<std::uint8_t> part(out.data(), out.size() - begin);
      sound += decode_chunk({filter}, 0, stored, out.size(), begin, part, scratch).empty();
    }
  }
  // Some noise is sound by chance (shuffled bytes always are), most is not.
  EXPECT_LT(sound, 400);
}

}  // namespace
}  // namespace aprscope::test

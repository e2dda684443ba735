// Files that are cut off, lie about themselves or are something else: one error each that names the
// file, nothing on stderr, no crash.
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

// load_file() with a check that nothing was printed.
Result<Data> quiet_load(const std::string& path) {
  testing::internal::CaptureStderr();
  auto data = load_file(path);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return data;
}

std::string error_of(const std::filesystem::path& path) {
  const auto data = quiet_load(path.string());
  EXPECT_FALSE(data.ok());
  if (data.ok()) return "";
  std::string message = data.error().message();
  EXPECT_NE(message.find(path.filename().string()), std::string::npos) << message;
  EXPECT_FALSE(data.error().what.empty());
  EXPECT_FALSE(data.error().advice.empty());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

void expect_error(const std::filesystem::path& path, const std::string& words) {
  const std::string message = error_of(path);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(BadFiles, NotAnImageAtAll) {
  TemporaryFolder folder;
  expect_error(folder / "missing.tif", "does not exist");
  expect_error(folder.path(), "is a folder");
  const auto empty = folder / "empty.tif";
  write_bytes(empty, "");
  expect_error(empty, "is empty");
  const auto text = folder / "text.tif";
  write_bytes(text, "This is no image, whatever its name says.");
  expect_error(text,
               "is not a TIFF, HDF5, APR, STAR, MRC, SPIDER, BigDataViewer, Imaris or "
               "tile list file");
  const auto one = folder / "one.apr";
  write_bytes(one, "I");
  expect_error(one,
               "is not a TIFF, HDF5, APR, STAR, MRC, SPIDER, BigDataViewer, Imaris or "
               "tile list file");
  const auto pipe = folder / "pipe.tif";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error(pipe, "is not a regular file");
}

// Drops root's right to read everything for a scope.
class OrdinaryUser {
 public:
  OrdinaryUser() : root_(::geteuid() == 0), ordinary_(!root_ || ::seteuid(65534) == 0) {}
  ~OrdinaryUser() {
    if (root_ && ordinary_ && ::seteuid(0) != 0) std::abort();
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
  [[nodiscard]] bool ordinary() const { return ordinary_; }

 private:
  bool root_;
  bool ordinary_;
};

TEST(BadFiles, NoPermission) {
  TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  const auto path = folder / "secret.tif";
  write_bytes(path, CraftedTiff{.payload = std::string(12, 'x')}.bytes());
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const OrdinaryUser user;
  if (!user.ordinary()) GTEST_SKIP() << "this user can read every file and cannot become another";
  expect_error(path, "Permission denied");
}

TEST(BadFiles, NoPages) {
  TemporaryFolder folder;
  const auto path = folder / "zero.tif";
  for (const char* order : {"II*", "MM"}) {
    std::string bytes = order;
    bytes += order[0] == 'I' ? std::string("\0\0\0\0\0", 5) : std::string("\0*\0\0\0\0", 6);
    write_bytes(path, bytes);
    error_of(path);
  }
  write_bytes(path, std::string("II*\0\x08\0\0\0\0\0\0\0\0\0", 14));  // a directory of no entries
  error_of(path);
}

TEST(BadFiles, SizesThatLie) {
  TemporaryFolder folder;
  const auto path = folder / "lie.tif";
  struct Lie {
    std::uint32_t cols;
    std::uint32_t rows;
    std::uint16_t bits;
    int compression;
    std::uint32_t strip_bytes;
  };
  for (const Lie& lie : {Lie{60000, 60000, 16, COMPRESSION_NONE, 12},
                         Lie{60000, 60000, 8, COMPRESSION_NONE, 3600000000U},
                         Lie{4294967295U, 4294967295U, 64, COMPRESSION_NONE, 4294967295U},
                         Lie{60000, 60000, 16, COMPRESSION_ADOBE_DEFLATE, 12},
                         Lie{60000, 60000, 16, COMPRESSION_LZW, 4294967295U},
                         Lie{60000, 60000, 16, COMPRESSION_PACKBITS, 12},
                         Lie{60000, 60000, 16, COMPRESSION_ZSTD, 12},
                         Lie{5, 3, 8, COMPRESSION_NONE, 15}, Lie{0, 3, 8, COMPRESSION_NONE, 12},
                         Lie{4, 0, 8, COMPRESSION_NONE, 12}, Lie{4, 3, 8, 12345, 12},
                         Lie{4, 3, 24, COMPRESSION_NONE, 36}, Lie{4, 3, 0, COMPRESSION_NONE, 12}}) {
    CraftedTiff crafted;
    crafted.cols = lie.cols;
    crafted.rows = lie.rows;
    crafted.bits = lie.bits;
    crafted.compression = static_cast<std::uint16_t>(lie.compression);
    crafted.strip_bytes = lie.strip_bytes;
    crafted.payload = std::string(12, 'x');
    write_bytes(path, crafted.bytes());
    SCOPED_TRACE(lie.compression);
    error_of(path);
  }
  CraftedTiff honest;
  honest.payload = std::string(12, 'x');
  write_bytes(path, honest.bytes());
  EXPECT_TRUE(load_file(path.string()).ok());
}

TEST(BadFiles, ImageJCountsThatLie) {
  TemporaryFolder folder;
  const auto path = folder / "count.tif";
  CraftedTiff crafted;
  crafted.payload = std::string(36, 'x');
  for (const char* images : {"4", "5000", "2147483647"}) {
    crafted.description = std::string("ImageJ=1.53t\nimages=") + images + "\n";
    write_bytes(path, crafted.bytes());
    expect_error(path, "holds only 3");
  }
}

TEST(BadFiles, ManyPagesThatShareTheirPixels) {
  TemporaryFolder folder;
  const auto path = folder / "shared.tif";
  PageSpec spec;
  spec.cols = 200;
  spec.rows = 200;
  spec.bits = 8;
  {
    TiffMaker maker(path, "w");
    for (int i = 0; i < 3; ++i) maker.add(spec, std::vector<std::uint8_t>(40000, 1));
  }
  // A chain that leads back to its start.
  std::string bytes = read_bytes(path);
  const auto u32 = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[at], 4);
    return value;
  };
  const std::uint32_t first = u32(4);
  std::uint16_t entries = 0;
  std::memcpy(&entries, &bytes[first], 2);
  const std::size_t second = u32(first + 2 + entries * std::size_t{12});
  std::memcpy(&entries, &bytes[second], 2);
  std::memcpy(&bytes[second + 2 + entries * std::size_t{12}], &first, 4);
  write_bytes(path, bytes);
  error_of(path);
}

// Cut at `cut`, a file gives an error or, where only unused bytes are gone, the same pixels.
void expect_safe_cuts(const std::filesystem::path& path, std::size_t step) {
  const std::string bytes = read_bytes(path);
  const Sums whole = sums(must_load(path.string()));
  std::size_t errors = 0;
  std::size_t cuts = 0;
  for (std::size_t cut = 0; cut < bytes.size(); cut += step, ++cuts) {
    write_bytes(path, bytes.substr(0, cut));
    const auto data = quiet_load(path.string());
    if (data.ok()) {
      const Sums part = sums(std::get<Volume>(*data));
      EXPECT_EQ(part.plain, whole.plain) << "cut at " << cut;
      EXPECT_EQ(part.weighted, whole.weighted) << "cut at " << cut;
    } else {
      ++errors;
      EXPECT_NE(data.error().message().find(path.filename().string()), std::string::npos)
          << data.error().message();
    }
  }
  EXPECT_GE(errors * 10, cuts * 9);
}

TEST(BadFiles, CutOffAnywhere) {
  TIFFSetWarningHandler(nullptr);
  TemporaryFolder folder;
  const auto path = folder / "cut.tif";
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                COMPRESSION_ZSTD, COMPRESSION_PACKBITS}) {
    for (const std::uint32_t tile : {0U, 16U}) {
      for (const char* mode : {"wl", "w8b"}) {
        PageSpec spec;
        spec.compression = compression;
        spec.tile_cols = spec.tile_rows = tile;
        std::vector<std::uint16_t> data(std::size_t{37} * 29);
        std::mt19937 random(7);
        for (auto& v : data) v = static_cast<std::uint16_t>(random() % 500);
        {
          TiffMaker maker(path, mode);
          for (int z = 0; z < 3; ++z) maker.add(spec, data);
        }
        SCOPED_TRACE(compression);
        expect_safe_cuts(path, 53);
      }
    }
  }
}

TEST(BadFiles, CutOffRealFiles) {
  APRSCOPE_NEEDS_DATA();
  TemporaryFolder folder;
  const auto path = folder / "cut.dat";
  for (const char* name : {"fluo/img3d.tif", "fluo/flybrain.tif", "fluo/sample_ovule.h5"}) {
    const std::string bytes = read_bytes(data_dir() / name);
    ASSERT_FALSE(bytes.empty());
    for (std::size_t part = 0; part < 20; ++part) {
      write_bytes(path, bytes.substr(0, bytes.size() * part / 20 + 3));
      SCOPED_TRACE(name);
      error_of(path);
    }
  }
}

TEST(BadFiles, RandomBytesNeverCrash) {
  TIFFSetWarningHandler(nullptr);
  TemporaryFolder folder;
  const auto path = folder / "random.bin";
  std::mt19937 random(2024);
  const auto noise = [&](std::size_t count) {
    std::string bytes(count, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
  };
  for (const std::string& head :
       {std::string("II*\0\x08\0\0\0", 8), std::string("MM\0*\0\0\0\x08", 8),
        std::string("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", 16), std::string("\x89HDF\r\n\x1a\n"),
        std::string()}) {
    for (int i = 0; i < 60; ++i) {
      write_bytes(path, head + noise(random() % 3000));
      error_of(path);
    }
  }
}

TEST(BadFiles, FlippedBytesNeverCrash) {
  TIFFSetWarningHandler(nullptr);
  TemporaryFolder folder;
  const auto path = folder / "flipped.tif";
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
    PageSpec spec;
    spec.compression = compression;
    spec.description = "ImageJ=1.53t\nimages=2\nslices=2\nunit=um\nspacing=2\n";
    {
      TiffMaker maker(path, "w");
      for (int z = 0; z < 2; ++z) maker.add(spec, std::vector<std::uint16_t>(37 * 29, 258));
    }
    const std::string bytes = read_bytes(path);
    std::mt19937 random(99);
    for (int i = 0; i < 400; ++i) {
      std::string damaged = bytes;
      for (int k = 0; k < 3; ++k) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      write_bytes(path, damaged);
      const auto data = quiet_load(path.string());
      if (!data.ok()) {
        EXPECT_NE(data.error().message().find("flipped.tif"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace aprscope::test

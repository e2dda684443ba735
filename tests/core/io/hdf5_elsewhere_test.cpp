// Values that an HDF5 file has in other files: read where these lie beside it and hold the values
// themselves, refused everywhere else.
#include <fstream>
#include <functional>

#include <unistd.h>

#include "core/io/hdf5/hdf5_array.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"

namespace aprscope::test {
namespace {

const std::vector<hsize_t> kExtent = {4, 6, 8};

std::vector<double> counting(std::size_t count, double from) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

std::string error_of(const std::filesystem::path& path) {
  const auto data = load_file(path.string());
  EXPECT_FALSE(data.ok());
  return data.ok() ? "" : data.error().message();
}

// A virtual dataset /v of kExtent whose first two slices are those of `dataset` in `file`, and
// whose every second column of the last slice is `columns` there (its slices 0, odd columns).
void write_virtual(const std::filesystem::path& path, const std::string& file,
                   const std::string& dataset) {
  Hdf5Made(path, true).dataset("v", H5T_STD_U16LE, kExtent, std::vector<double>{}, [&](hid_t c) {
    const std::uint16_t fill = 7;
    H5Pset_fill_value(c, H5T_NATIVE_UINT16, &fill);
    const hid_t here = H5Screate_simple(3, kExtent.data(), nullptr);
    const hsize_t source[] = {2, 6, 8};
    const hid_t there = H5Screate_simple(3, source, nullptr);
    const hsize_t zero[] = {0, 0, 0};
    H5Sselect_hyperslab(here, H5S_SELECT_SET, zero, nullptr, source, nullptr);
    ASSERT_GE(H5Pset_virtual(c, here, file.c_str(), dataset.c_str(), there), 0);
    const hsize_t start[] = {3, 0, 0};
    const hsize_t odd[] = {0, 0, 1};
    const hsize_t stride[] = {1, 1, 2};
    const hsize_t count[] = {1, 6, 4};
    H5Sselect_hyperslab(here, H5S_SELECT_SET, start, stride, count, nullptr);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, odd, stride, count, nullptr);
    ASSERT_GE(H5Pset_virtual(c, here, file.c_str(), dataset.c_str(), there), 0);
    H5Sclose(here);
    H5Sclose(there);
  });
}

void write_source(const std::filesystem::path& path) {
  Hdf5Made(path).dataset("raw", H5T_STD_U16BE, {2, 6, 8}, counting(96, 100), [](hid_t c) {
    const hsize_t chunk[] = {1, 4, 3};
    H5Pset_chunk(c, 3, chunk);
    H5Pset_deflate(c, 3);
  });
}

TEST(Hdf5Elsewhere, VirtualDatasetsOfFilesBeside) {
  TemporaryFolder folder;
  write_source(folder / "source.h5");
  for (const std::string& name :
       {std::string("source.h5"), std::string("./source.h5"), (folder / "source.h5").string()}) {
    write_virtual(folder / "virtual.h5", name, "raw");
    const Volume volume = must_load((folder / "virtual.h5").string());
    ASSERT_EQ(volume.size(), (Size3{4, 6, 8}));
    for (std::int64_t z = 0; z < 4; ++z) {
      for (std::int64_t x = 0; x < 6; ++x) {
        for (std::int64_t y = 0; y < 8; ++y) {
          const std::int64_t at = x * 8 + y;
          const auto expected = static_cast<float>(z < 2                  ? 100 + z * 48 + at
                                                   : z == 2 || y % 2 == 1 ? 7
                                                                          : 101 + at);
          ASSERT_EQ(volume.value({z, x, y}), expected) << z << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

TEST(Hdf5Elsewhere, VirtualDatasetsOfNothingOrOfThemselves) {
  TemporaryFolder folder;
  const auto path = folder / "virtual.h5";
  write_virtual(path, "absent.h5", "raw");
  EXPECT_NE(error_of(path).find("absent.h5"), std::string::npos);
  write_virtual(path, ".", "v");
  EXPECT_NE(error_of(path).find("does not hold them itself"), std::string::npos);
  write_virtual(path, "virtual.h5", "v");
  EXPECT_NE(error_of(path).find("does not hold them itself"), std::string::npos);
  // One that leads to another.
  write_source(folder / "source.h5");
  write_virtual(folder / "first.h5", "source.h5", "raw");
  write_virtual(path, "first.h5", "v");
  error_of(path);
  // Not beside it, or a link.
  std::filesystem::create_directory(folder / "below");
  write_source(folder / "below/source.h5");
  write_virtual(path, "below/source.h5", "raw");
  EXPECT_NE(error_of(path).find("not a file in the same folder"), std::string::npos);
  std::filesystem::create_symlink(folder / "below/source.h5", folder / "linked.h5");
  write_virtual(path, "linked.h5", "raw");
  EXPECT_NE(error_of(path).find("not a file in the same folder"), std::string::npos);
}

void write_external(const std::filesystem::path& path, const std::string& file, off_t offset) {
  Hdf5Made(path).dataset("v", H5T_STD_U8LE, kExtent, std::vector<double>{}, [&](hid_t c) {
    ASSERT_GE(H5Pset_external(c, file.c_str(), offset, 100), 0);
    ASSERT_GE(H5Pset_external(c, file.c_str(), offset + 100, 92), 0);
  });
}

TEST(Hdf5Elsewhere, ExternalStorage) {
  TemporaryFolder folder;
  const auto path = folder / "external.h5";
  std::string bytes(300, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
  write_bytes(folder / "raw.bin", bytes);
  write_external(path, "raw.bin", 40);
  const Volume volume = must_load(path.string());
  for (std::int64_t i = 0; i < 192; ++i) {
    ASSERT_EQ(volume.value({i / 48, i / 8 % 6, i % 8}), static_cast<float>((i + 40) % 256)) << i;
  }
  // Files of the system, or anything that is not beside it.
  write_external(path, "/etc/passwd", 0);
  EXPECT_NE(error_of(path).find("/etc/passwd"), std::string::npos);
  write_external(path, "../raw.bin", 0);
  error_of(path);
  std::filesystem::create_symlink("/etc/passwd", folder / "passwd");
  write_external(path, "passwd", 0);
  error_of(path);
  // Fewer bytes than are wanted.
  write_external(path, "raw.bin", 200);
  EXPECT_NE(error_of(path).find("shorter"), std::string::npos);
}

// Between one part and the next; the file that was opened stays as it is.
void expect_change_is_seen(const std::filesystem::path& path, const std::filesystem::path& other,
                           const std::function<void()>& change) {
  const auto reader = Hdf5Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  const auto array = Hdf5Array::open({*reader, "/v"});
  ASSERT_TRUE(array.ok()) << array.error().message();
  std::vector<float> slice(48);
  const auto read = [&](std::uint64_t z) {
    return array->read({{z, 0, 0}, {1, 6, 8}}, NumberType::f32, slice.data(), {});
  };
  ASSERT_TRUE(read(0).ok());
  ASSERT_TRUE(read(1).ok());
  change();
  const Status mixed = read(1);
  ASSERT_FALSE(mixed.ok());
  EXPECT_NE(mixed.error().message().find("while it was read"), std::string::npos)
      << mixed.error().message();
  EXPECT_NE(mixed.error().message().find(other.filename().string()), std::string::npos)
      << mixed.error().message();
}

TEST(Hdf5Elsewhere, OtherFilesThatChangeWhileTheyAreReadAreAnError) {
  TemporaryFolder folder;
  const auto raw = folder / "raw.bin";
  write_bytes(raw, std::string(300, 'a'));
  write_external(folder / "external.h5", "raw.bin", 40);
  expect_change_is_seen(folder / "external.h5", raw,
                        [&] { write_bytes(raw, std::string(301, 'b')); });
  const auto source = folder / "source.h5";
  write_source(source);
  write_source(folder / "later.h5");
  write_virtual(folder / "virtual.h5", "source.h5", "raw");
  expect_change_is_seen(folder / "virtual.h5", source,
                        [&] { std::filesystem::rename(folder / "later.h5", source); });
}

TEST(Hdf5Elsewhere, LinksIntoOtherFilesAreNamed) {
  TemporaryFolder folder;
  write_source(folder / "source.h5");
  const auto path = folder / "links.h5";
  {
    const Hdf5Made file(path);
    file.dataset("own", H5T_STD_U8LE, {2, 2, 2}, counting(8, 0));
    H5Lcreate_external("source.h5", "/raw", file.id(), "other", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/own", file.id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
    file.group("g");
    H5Lcreate_hard(file.id(), "/", file.id(), "g/circle", H5P_DEFAULT, H5P_DEFAULT);
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->datasets.size(), 1U);  // by whatever way it is found first
  EXPECT_EQ(must_load(path.string() + ":/soft").size(), (Size3{2, 2, 2}));
  const std::string message = error_of(path.string() + ":/other");
  EXPECT_NE(message.find("source.h5"), std::string::npos) << message;
}

TEST(Hdf5Elsewhere, GroupsThatAreNestedTooDeeply) {
  TemporaryFolder folder;
  const auto path = folder / "deep.h5";
  {
    const Hdf5Made file(path);
    std::string group;
    for (int i = 0; i < 300; ++i) {
      group += "/g";
      file.group(group);
    }
  }
  EXPECT_NE(error_of(path).find("64 deep"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test

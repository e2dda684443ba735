#include "tests/app/cli/bad_files.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/io/write.hpp"
#include "tests/app/cli/run_program.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void cut(const fs::path& path, double fraction) {
  const auto size = static_cast<double>(fs::file_size(path));
  fs::resize_file(path, static_cast<std::uintmax_t>(size * fraction));
}

std::string random_bytes(std::size_t count, std::string head) {
  std::mt19937 generator(7);
  while (head.size() < count) head.push_back(static_cast<char>(generator() & 0xFFU));
  return head;
}

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

// One 16-bit grey page whose header says 2^30 × 2^30 pixels while the file holds 16 bytes of them.
std::string lying_tiff() {
  std::string tiff = "II*";
  put(tiff, 0, 1);
  put(tiff, 8, 4);
  const std::uint32_t entries[][3] = {{256, 4, 1U << 30U}, {257, 4, 1U << 30U}, {258, 3, 16},
                                      {259, 3, 1},         {262, 3, 1},         {273, 4, 200},
                                      {277, 3, 1},         {278, 4, 1U << 30U}, {279, 4, 16}};
  put(tiff, 9, 2);
  for (const auto& [tag, type, value] : entries) {
    put(tiff, tag, 2);
    put(tiff, type, 2);
    put(tiff, 1, 4);
    put(tiff, value, 4);
  }
  put(tiff, 0, 4);
  return random_bytes(216, std::move(tiff));
}

// Changes an attribute of the APR group to a number that does not fit the datasets.
void lie_in_apr(const fs::path& path, const char* attribute, std::uint64_t value) {
  make_good_apr(path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t group = H5Gopen2(file, "/ParticleRepr/t", H5P_DEFAULT);
  ASSERT_GE(group, 0);
  ASSERT_GE(H5Adelete(group, attribute), 0);
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attr =
      H5Acreate2(group, attribute, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(attr, 0);
  EXPECT_GE(H5Awrite(attr, H5T_NATIVE_UINT64, &value), 0);
  H5Aclose(attr);
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(file);
}

void add_volume(hid_t file, const char* path, std::vector<hsize_t> shape, hid_t type) {
  std::size_t count = 1;
  for (const hsize_t n : shape) count *= n;
  const std::vector<std::uint16_t> values(count, 3);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t data = H5Dcreate(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(data, 0);
  if (count > 0) {
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  H5Dclose(data);
  H5Pclose(links);
  H5Sclose(space);
}

void zero_slices(const fs::path& path) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  add_volume(file, "/volume", {0, 16, 16}, H5T_NATIVE_UINT16);
  H5Fclose(file);
}

}  // namespace

void make_good_tiff(const fs::path& path) {
  Pixels<std::uint16_t> pixels({24, 32, 40});
  for (std::int64_t z = 0; z < 24; ++z) {
    for (std::int64_t x = 0; x < 32; ++x) {
      for (std::int64_t y = 0; y < 40; ++y) {
        const double r = std::hypot(z - 12.0, x - 15.0, y - 18.0);
        pixels.at(z, x, y) = static_cast<std::uint16_t>(100.0 + 5000.0 / (1.0 + std::exp(r - 7.0)));
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  const Status written = write_tiff(volume, path);
  ASSERT_TRUE(written.ok()) << written.error().message();
}

void make_good_apr(const fs::path& path) {
  const fs::path image = path.string() + ".source.tif";
  make_good_tiff(image);
  const auto done = run_cli({"convert", image.string(), "-o", path.string(), "--no-error-report"});
  fs::remove(image);
  ASSERT_EQ(done.exit_code, 0) << done.err;
}

void make_nan_tiff(const fs::path& path) {
  Volume volume;
  volume.pixels = Pixels<float>({3, 4, 5}, std::numeric_limits<float>::quiet_NaN());
  ASSERT_TRUE(write_tiff(volume, path).ok());
}

void make_two_volumes(const fs::path& path) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  add_volume(file, "/a", {2, 3, 4}, H5T_NATIVE_UINT8);
  add_volume(file, "/group/b", {5, 6, 7}, H5T_NATIVE_UINT16);
  H5Fclose(file);
}

std::vector<BadFile> bad_files() {
  const auto bytes = [](std::string text) {
    return [text = std::move(text)](const fs::path& path) { write_bytes(path, text); };
  };
  const std::string hdf5("\x89HDF\r\n\x1a\n", 8);
  std::string no_pages = "II*";
  put(no_pages, 0, 1);
  put(no_pages, 0, 4);
  return {
      {"missing.tif", [](const fs::path&) {}},
      {"folder.tif", [](const fs::path& path) { fs::create_directory(path); }},
      {"empty.tif", bytes("")},
      {"empty.apr", bytes("")},
      {"text.tif", bytes("This is no image, whatever its name says.\n")},
      {"picture.png", bytes(random_bytes(600, "\x89PNG\r\n\x1a\n"))},
      {"random.tif", bytes(random_bytes(5000, ""))},
      {"random_after_magic.tif", bytes(random_bytes(5000, std::string("II*\0\x08\0\0\0", 8)))},
      {"random.apr", bytes(random_bytes(5000, ""))},
      {"random_after_magic.apr", bytes(random_bytes(5000, hdf5))},
      {"cut.tif",
       [](const fs::path& path) {
         make_good_tiff(path);
         cut(path, 0.5);
       }},
      {"cut_header.tif",
       [](const fs::path& path) {
         make_good_tiff(path);
         fs::resize_file(path, 6);
       }},
      {"cut.apr",
       [](const fs::path& path) {
         make_good_apr(path);
         cut(path, 0.6);
       }},
      {"cut_header.apr",
       [](const fs::path& path) {
         make_good_apr(path);
         fs::resize_file(path, 40);
       }},
      {"lying_size.tif", bytes(lying_tiff())},
      {"lying_size.apr", [](const fs::path& path) { lie_in_apr(path, "y_num", 1U << 30U); }},
      {"lying_count.apr",
       [](const fs::path& path) {
         lie_in_apr(path, "total_number_particles", std::uint64_t{1} << 40U);
       }},
      {"zero_size.apr", [](const fs::path& path) { lie_in_apr(path, "z_num", 0); }},
      {"no_pages.tif", bytes(no_pages)},
      {"zero_slices.h5", zero_slices},
  };
}

}  // namespace aprscope::test

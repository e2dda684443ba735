// The reference library's own files: counts as in their headers, values and positions as in the
// per-pixel TIFFs that the reference library wrote beside them.
#include <gtest/gtest.h>
#include <tiffio.h>

#include "core/io/apr/apr_file.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/io/apr_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> real_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(data_dir() / "apr")) {
    if (entry.path().extension() == ".apr") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A 16-bit stack, page after page, with plain libtiff calls.
std::vector<std::uint16_t> read_stack(const fs::path& path) {
  std::vector<std::uint16_t> out;
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  EXPECT_NE(tiff, nullptr) << path;
  if (tiff == nullptr) return out;
  do {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint16_t bits = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    EXPECT_EQ(bits, 16);
    for (std::uint32_t row = 0; row < height; ++row) {
      const std::size_t at = out.size();
      out.resize(at + width);
      EXPECT_EQ(TIFFReadScanline(tiff, out.data() + at, row), 1);
    }
  } while (TIFFReadDirectory(tiff) == 1);
  TIFFClose(tiff);
  return out;
}

TEST(AprRealFiles, EveryFileOpensWithTheCountsOfItsHeader) {
  APRSCOPE_NEEDS_DATA();
  const auto files = real_files();
  ASSERT_GE(files.size(), 13U);
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.filename().string());
    auto info = inspect_apr(path);
    ASSERT_TRUE(info.ok()) << info.error().message();
    auto apr = load_apr(*info, {});
    ASSERT_TRUE(apr.ok()) << apr.error().message();

    const PlainHdf5 plain(path, PlainHdf5::Mode::read);
    const std::string group = "ParticleRepr/t";
    const auto low = [&](const char* name) {
      return static_cast<std::int64_t>(plain.number<std::uint64_t>(group, name) & 0xFFFFFFFFU);
    };
    const Size3 size{low("z_num"), low("x_num"), low("y_num")};
    EXPECT_EQ(info->size, size);
    EXPECT_EQ(apr->access->size(), size);
    EXPECT_EQ(apr->access->level_max(), low("level_max"));
    const auto particles = plain.number<std::uint64_t>(group, "total_number_particles");
    EXPECT_EQ(info->particles, particles);
    EXPECT_EQ(apr->access->count(), particles);
    EXPECT_EQ(info->dtype, "u16");
    EXPECT_EQ(info->channels, std::vector<std::string>{"t"});
    EXPECT_EQ(info->times, 1);
    EXPECT_EQ(info->format, "APR");
    EXPECT_TRUE(info->is_apr);
    EXPECT_EQ(info->file_bytes, fs::file_size(path));
    EXPECT_EQ(info->fields, std::vector<std::string>{"particle_intensities"});
    ASSERT_NE(apr->main_field(), nullptr);
    EXPECT_EQ(apr->main_field()->count(), particles);
    EXPECT_EQ(apr->parameters.rel_error, plain.number<float>(group, "rel_error"));
    EXPECT_EQ(apr->parameters.sigma_th, plain.number<float>(group, "sigma_th"));
    EXPECT_EQ(apr->voxel.x, plain.number<float>(group, "dx"));
    EXPECT_EQ(apr->voxel.unit, "px");
    EXPECT_EQ(apr->name, "");
  }
}

class AprWithTiffs : public testing::TestWithParam<const char*> {};

TEST_P(AprWithTiffs, EveryPixelHasTheParticleOfTheTiffs) {
  APRSCOPE_NEEDS_DATA();
  const fs::path path = data_dir() / "apr" / GetParam();
  auto data = load_file(path.string());
  ASSERT_TRUE(data.ok()) << data.error().message();
  const Apr& apr = std::get<Apr>(*data);
  const auto& values = std::get<std::vector<std::uint16_t>>(apr.main_field()->values);
  const auto beside = [&](const char* what) {
    return read_stack(path.parent_path() / (path.stem().string() + "_" + what + ".tif"));
  };
  const auto level = beside("level");
  const auto value = beside("pc");
  // The positions are those in the grid of the particle's level.
  const auto z = beside("z");
  const auto x = beside("x");
  const auto y = beside("y");
  const Size3 size = apr.access->size();
  ASSERT_EQ(level.size(), static_cast<std::size_t>(size.count()));
  std::size_t i = 0;
  for (std::int64_t pz = 0; pz < size.z; ++pz) {
    for (std::int64_t px = 0; px < size.x; ++px) {
      for (std::int64_t py = 0; py < size.y; ++py, ++i) {
        const ParticleAt particle = apr.access->find({pz, px, py});
        ASSERT_EQ(particle.level, level[i]) << "pixel " << pz << " " << px << " " << py;
        ASSERT_EQ(values[particle.index], value[i]) << "pixel " << pz << " " << px << " " << py;
        ASSERT_EQ(apr.access->particles().find(level[i], z[i], x[i], y[i]), particle.index);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spheres, AprWithTiffs,
                         testing::Values("sphere_1D/sphere_1D.apr", "sphere_2D/sphere_2D.apr",
                                         "sphere_diff_dims/sphere.apr"));

// Mean steps between finest particles that are neighbours along z and x, over those along y.
std::pair<double, double> relative_steps(const Apr& apr) {
  const auto& values = std::get<std::vector<std::uint16_t>>(apr.main_field()->values);
  const LinearAccess& cells = apr.access->particles();
  const int last = cells.level_max();
  double along_y = 0;
  double along_x = 0;
  double along_z = 0;
  for (std::int64_t z = 0; z + 1 < cells.grid(last).z; ++z) {
    for (std::int64_t x = 0; x + 1 < cells.grid(last).x; ++x) {
      const ParticleRange row = cells.row(last, z, x);
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const std::int64_t y = cells.y()[i];
        const auto ny = cells.find(last, z, x, y + 1);
        const auto nx = cells.find(last, z, x + 1, y);
        const auto nz = cells.find(last, z + 1, x, y);
        if (!ny || !nx || !nz) continue;
        along_y += std::abs(values[i] - values[*ny]);
        along_x += std::abs(values[i] - values[*nx]);
        along_z += std::abs(values[i] - values[*nz]);
      }
    }
  }
  return {along_z / along_y, along_x / along_y};
}

// No TIFFs lie beside the old files, but their images are isotropic: values in their places step
// alike in each dimension, values in the stored order do not.
TEST(AprRealFiles, OldFilesHaveTheirValuesInTheirPlaces) {
  APRSCOPE_NEEDS_DATA();
  const TemporaryFolder folder;
  for (const char* name : {"cr_5.apr", "cr_20.apr", "cr_54.apr"}) {
    SCOPED_TRACE(name);
    const fs::path path = data_dir() / "apr" / "benchmark" / name;
    auto apr = load_file(path.string());
    ASSERT_TRUE(apr.ok()) << apr.error().message();
    const auto [z, x] = relative_steps(std::get<Apr>(*apr));
    EXPECT_NEAR(z, 1.0, 0.1);
    EXPECT_NEAR(x, 1.0, 0.1);

    // The same values, declared to be in linear order.
    const fs::path copy = folder / name;
    fs::copy_file(path, copy);
    fs::permissions(copy, fs::perms::owner_all);
    PlainHdf5(copy, PlainHdf5::Mode::change).attribute("ParticleRepr/t", "lzxy_order", 1);
    auto wrong = load_file(copy.string());
    ASSERT_TRUE(wrong.ok()) << wrong.error().message();
    const auto [wrong_z, wrong_x] = relative_steps(std::get<Apr>(*wrong));
    EXPECT_GT(std::max(wrong_z, wrong_x), 1.2);
  }
}

}  // namespace
}  // namespace aprscope::test

// What is said of an APR without reading its particles.
#include "core/io/apr/apr_summary.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/apr/convert/report.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class AprSummaryTest : public testing::Test {
 protected:
  std::string write(const Apr& apr) {
    const fs::path path = folder_ / "a.apr";
    EXPECT_TRUE(write_apr(apr, path, {}).ok());
    return path.string();
  }
  TemporaryFolder folder_;
};

Result<std::optional<AprSummary>> summary_of(const std::string& path) {
  const auto info = inspect_apr(path);
  if (!info) return info.error();
  return summarize_apr(*info, {});
}

// Inverts all bytes that a dataset has in the file.
void spoil(const std::string& path, const std::string& dataset) {
  hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  hid_t data = H5Dopen2(file, ("/ParticleRepr/t/" + dataset).c_str(), H5P_DEFAULT);
  ASSERT_GE(data, 0);
  hid_t space = H5Dget_space(data);
  hsize_t chunks = 0;
  ASSERT_GE(H5Dget_num_chunks(data, space, &chunks), 0);
  ASSERT_GT(chunks, 0U);
  for (hsize_t c = 0; c < chunks; ++c) {
    hsize_t at = 0;
    unsigned filters = 0;
    haddr_t address = 0;
    hsize_t size = 0;
    ASSERT_GE(H5Dget_chunk_info(data, space, c, &at, &filters, &address, &size), 0);
    std::fstream bytes(path, std::ios::binary | std::ios::in | std::ios::out);
    std::string chunk(size, '\0');
    bytes.seekg(static_cast<std::streamoff>(address));
    bytes.read(chunk.data(), static_cast<std::streamsize>(size));
    for (char& b : chunk) b = static_cast<char>(~b);
    bytes.seekp(static_cast<std::streamoff>(address));
    bytes.write(chunk.data(), static_cast<std::streamsize>(size));
    ASSERT_TRUE(bytes.good());
  }
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

TEST_F(AprSummaryTest, SaysWhatTheWholeSays) {
  for (const Size3& size : {Size3{37, 50, 70}, Size3{1, 64, 33}, Size3{2, 2, 1}}) {
    const Apr apr = random_apr({.size = size, .seed = 3, .split = 0.7});
    const auto summary = summary_of(write(apr));
    ASSERT_TRUE(summary.ok()) << summary.error().message();
    ASSERT_TRUE(summary->has_value());
    const AprSummary& s = **summary;
    const AprReport whole = report(apr);
    EXPECT_EQ(s.size, size);
    EXPECT_EQ(s.voxel, apr.voxel);
    EXPECT_EQ(s.dtype, apr.main_field()->dtype());
    EXPECT_EQ(s.particles, whole.particles);
    EXPECT_EQ(s.particles_per_level, whole.particles_per_level);
    EXPECT_EQ(s.pixel_bytes, whole.bytes_pixels);
    EXPECT_EQ(s.bytes + apr.access->tree().bytes(), apr.bytes());
  }
}

TEST_F(AprSummaryTest, ReadsNoParticle) {
  const Apr apr = random_apr({.size = {40, 41, 42}, .seed = 4, .split = 0.8});
  const std::string path = write(apr);
  spoil(path, "y_vec");
  spoil(path, apr.main_field()->name);
  EXPECT_FALSE(load_apr(*inspect_apr(path), {}).ok());
  const auto summary = summary_of(path);
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  ASSERT_TRUE(summary->has_value());
  EXPECT_EQ((*summary)->particles_per_level, report(apr).particles_per_level);
}

TEST_F(AprSummaryTest, RefusesRowsThatCannotBeRead) {
  const std::string path = write(random_apr({.size = {40, 41, 42}, .seed = 4, .split = 0.8}));
  spoil(path, "xz_end_vec");
  const auto summary = summary_of(path);
  ASSERT_FALSE(summary.ok());
  EXPECT_NE(summary.error().message().find("a.apr"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test

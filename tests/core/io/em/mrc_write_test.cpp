// What is written is read back as it was, by the words of the format's description too.
#include "core/io/em/mrc_write.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "core/io/projections/projection_file.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/em_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::int32_t integer(const std::string& bytes, std::size_t word) {
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * (word - 1), 4);
  return value;
}
float real(const std::string& bytes, std::size_t word) {
  float value = 0;
  std::memcpy(&value, bytes.data() + 4 * (word - 1), 4);
  return value;
}

Volume ramp(VoxelSize voxel) {
  Volume volume;
  Pixels<float> pixels({2, 3, 4});
  for (std::size_t i = 0; i < 24; ++i) pixels.values[i] = static_cast<float>(i) - 3.5F;
  volume.pixels = std::move(pixels);
  volume.voxel = std::move(voxel);
  volume.origin = {3, 2, 1};
  return volume;
}

TEST(MrcWrite, AMapComesBackAsItWas) {
  const TemporaryFolder folder;
  const Volume volume = ramp({1.5, 2.5, 0.5, "Å"});
  ASSERT_TRUE(
      write_mrc(folder / "a.mrc", volume, {MrcSamples::f32, {"backproject set.star"}}).ok());
  const std::string bytes = bytes_of(folder / "a.mrc");
  ASSERT_EQ(bytes.size(), 1024U + 96U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(integer(bytes, 1 + i), 4 - static_cast<int>(i));
    EXPECT_EQ(integer(bytes, 8 + i), 4 - static_cast<int>(i));
    EXPECT_EQ(integer(bytes, 17 + i), static_cast<int>(i) + 1);
    EXPECT_EQ(real(bytes, 14 + i), 90.0F);
    EXPECT_EQ(real(bytes, 50 + i), static_cast<float>(i) + 1.0F);
  }
  EXPECT_EQ(integer(bytes, 4), 2);
  EXPECT_EQ(real(bytes, 11), 2.0F);
  EXPECT_EQ(real(bytes, 12), 7.5F);
  EXPECT_EQ(real(bytes, 13), 3.0F);
  EXPECT_EQ(real(bytes, 20), -3.5F);
  EXPECT_EQ(real(bytes, 21), 19.5F);
  EXPECT_EQ(real(bytes, 22), 8.0F);
  // 0 … 23 have the variance (24² − 1) / 12.
  EXPECT_NEAR(real(bytes, 55), std::sqrt(575.0 / 12.0), 1e-5);
  EXPECT_EQ(integer(bytes, 23), 1);
  EXPECT_EQ(integer(bytes, 28), 20141);
  EXPECT_EQ(bytes.substr(208, 8), std::string("MAP \x44\x44\0\0", 8));
  EXPECT_EQ(integer(bytes, 56), 2);
  EXPECT_EQ(bytes.substr(224, 80), "aprscope" + std::string(72, ' '));
  EXPECT_EQ(bytes.substr(304, 20), "backproject set.star");
  const Volume back = must_load((folder / "a.mrc").string());
  EXPECT_EQ(back.to_float().values, volume.to_float().values);
  EXPECT_EQ(back.voxel, volume.voxel);
  EXPECT_EQ(back.origin, volume.origin);
}

TEST(MrcWrite, UnitsBecomeAngstromAndPixelsNothing) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_image(ramp({0.3, 0.2, 0.1, "nm"}), folder / "a.map").ok());
  EXPECT_EQ(must_load((folder / "a.map").string()).voxel, (VoxelSize{3, 2, 1, "Å"}));
  ASSERT_TRUE(write_image(ramp({}), folder / "b.MRC").ok());
  EXPECT_EQ(must_load((folder / "b.MRC").string()).voxel, VoxelSize{});
  ASSERT_TRUE(write_image(ramp({}), folder / "c.tif").ok());
  EXPECT_EQ(inspect((folder / "c.tif").string())->format_id, "tiff");
}

TEST(MrcWrite, HalfPrecisionRoundsToTheNearest) {
  const TemporaryFolder folder;
  Volume volume = ramp({1, 1, 1, "Å"});
  auto& values = std::get<Pixels<float>>(volume.pixels).values;
  // 2048 + 1 lies between 2048 and 2050, 2051 between 2050 and 2052: ties go to the even one.
  values = {1.0F,    -2.5F, 2049.0F, 2051.0F, 65504.0F, 1.0F + 1.0F / 2048,
            6.0e-8F, 1e-9F, 0.1F,    0,       0,        0,
            0,       0,     0,       0,       -0.1F,    0,
            0,       0,     0,       0,       0,        0};
  ASSERT_TRUE(write_mrc(folder / "a.mrc", volume, {MrcSamples::f16, {}}).ok());
  EXPECT_EQ(integer(bytes_of(folder / "a.mrc"), 4), 12);
  const auto back = must_load((folder / "a.mrc").string()).to_float().values;
  EXPECT_EQ(back[1], -2.5F);
  EXPECT_EQ(back[2], 2048.0F);
  EXPECT_EQ(back[3], 2052.0F);
  EXPECT_EQ(back[4], 65504.0F);
  EXPECT_EQ(back[5], 1.0F);
  EXPECT_EQ(back[6], 5.9604644775390625e-8F);
  EXPECT_EQ(back[7], 0.0F);
  EXPECT_NEAR(back[8], 0.1F, 0.1 / 2048);
  values[0] = 1e6F;
  const Status refused = write_mrc(folder / "b.mrc", volume, {MrcSamples::f16, {}});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("do not fit into 16-bit floats"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "b.mrc"));
}

TEST(MrcWrite, LabelsKeepTheirNumbers) {
  const TemporaryFolder folder;
  Labels labels;
  labels.values = {0, 7, 65535, 1};
  const LabelImageFacts facts{{1, 2, 2}, {1, 1, 1, "Å"}};
  ASSERT_TRUE(write_labels(labels, facts, folder / "a.mrc").ok());
  const Volume back = must_load((folder / "a.mrc").string());
  EXPECT_EQ(back.pixels.index(), 1U);
  EXPECT_EQ(back.to_float().values, (std::vector<float>{0, 7, 65535, 1}));
  labels.values[1] = 70000;
  ASSERT_TRUE(write_labels(labels, facts, folder / "a.mrc").ok());
  EXPECT_EQ(must_load((folder / "a.mrc").string()).to_float().values[1], 70000.0F);
  labels.values[1] = 1U << 25U;
  EXPECT_FALSE(write_labels(labels, facts, folder / "a.mrc").ok());
}

TEST(MrcWrite, AStoppedOrFailedWriteLeavesWhatWasThere) {
  const TemporaryFolder folder;
  write_text_file(folder / "a.mrc", "before");
  std::stop_source stop;
  stop.request_stop();
  const Status stopped = write_mrc(folder / "a.mrc", ramp({}), {}, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
  EXPECT_EQ(bytes_of(folder / "a.mrc"), "before");
  const Status failed =
      write_mrc_stack(folder / "a.mrc", 4, 3, 1.0, [](std::int64_t, std::span<float>) -> Status {
        return Error{"is tired", "filler", ""};
      });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(bytes_of(folder / "a.mrc"), "before");
  EXPECT_FALSE(write_mrc_map(folder / "a.mrc", std::vector<float>(7), 2, 1.0).ok());
}

TEST(MrcWrite, AStackAndItsTableComeBackAsTheyWere) {
  const TemporaryFolder folder;
  const std::int64_t side = 5;
  const Status written = write_mrc_stack(
      folder / "sub dir/p.mrcs", side, 3, 1.25, [&](std::int64_t first, std::span<float> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
          out[i] = static_cast<float>(first * side * side) + static_cast<float>(i);
        }
        return Status{};
      });
  ASSERT_FALSE(written.ok());  // no such folder
  fs::create_directory(folder / "sub dir");
  ASSERT_TRUE(write_mrc_stack(folder / "sub dir/p.mrcs", side, 3, 1.25,
                              [&](std::int64_t first, std::span<float> out) {
                                for (std::size_t i = 0; i < out.size(); ++i) {
                                  out[i] = static_cast<float>(first * side * side) +
                                           static_cast<float>(i);
                                }
                                return Status{};
                              })
                  .ok());
  ProjectionTable table;
  table.side = side;
  table.stacks = {folder / "sub dir/p.mrcs"};
  OpticsGroup group;
  group.name = "a group";
  group.voltage_kv = 300;
  group.spherical_aberration_mm = 2.7;
  group.amplitude_contrast = 0.1;
  group.pixel_size = 1.25;
  group.premultiplied = true;
  table.optics = {group, group};
  table.optics[1].pixel_size = 2.0;
  table.optics[1].beam_tilt_x = -0.125;
  table.optics[1].odd_zernike = {0.5, -1e-3};
  table.optics[0].even_zernike = {1.0 / 3};
  table.optics[0].magnification = {1.01, 0.002, -0.003, 0.99};
  for (int i = 0; i < 3; ++i) {
    Projection row;
    row.image = 2 - i;
    row.rot = 10.1 * i;
    row.tilt = -33.3 / 7;
    row.psi = 1e-7;
    row.shift_x = 1.0 / 3;
    row.shift_y = -2;
    row.half = 1 + i % 2;
    row.mirrored = i == 0;
    row.optics = i == 2 ? 1 : 0;
    row.defocus_u = 15000.5;
    row.defocus_v = 14000;
    row.defocus_angle = 30;
    row.phase_shift = 90;
    row.ctf_scale = 0.9;
    row.ctf_b_factor = 20;
    row.enabled = i != 1;
    table.rows.push_back(row);
  }
  ASSERT_TRUE(write_star(folder / "p.star", table).ok());
  const auto read = open_projections((folder / "p.star").string());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->table.format, "RELION 3.1 STAR");
  EXPECT_TRUE(read->table.stack_problems.empty());
  EXPECT_EQ(read->table.side, side);
  ASSERT_EQ(read->table.optics.size(), 2U);
  EXPECT_EQ(read->table.optics[0].name, "a group");
  EXPECT_TRUE(read->table.optics[0].premultiplied);
  EXPECT_EQ(read->table.optics[1].pixel_size, 2.0);
  EXPECT_EQ(read->table.optics[0].beam_tilt_x, 0.0);
  EXPECT_EQ(read->table.optics[1].beam_tilt_x, -0.125);
  EXPECT_EQ(read->table.optics[1].odd_zernike, table.optics[1].odd_zernike);
  EXPECT_EQ(read->table.optics[0].odd_zernike, (std::vector{0.0, 0.0}));
  EXPECT_EQ(read->table.optics[0].even_zernike, table.optics[0].even_zernike);
  EXPECT_EQ(read->table.optics[0].magnification, table.optics[0].magnification);
  EXPECT_EQ(read->table.optics[1].magnification, table.optics[1].magnification);
  ASSERT_EQ(read->table.rows.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    const Projection& before = table.rows[2 * i];
    const Projection& after = read->table.rows[i];
    EXPECT_EQ(after.image, before.image);
    EXPECT_EQ(after.rot, before.rot);
    EXPECT_EQ(after.tilt, before.tilt);
    EXPECT_EQ(after.psi, before.psi);
    EXPECT_NEAR(after.shift_x, before.shift_x, 1e-15);
    EXPECT_EQ(after.shift_y, before.shift_y);
    EXPECT_EQ(after.half, before.half);
    EXPECT_EQ(after.mirrored, before.mirrored);
    EXPECT_EQ(after.optics, before.optics);
    EXPECT_EQ(after.defocus_u, before.defocus_u);
    EXPECT_EQ(after.phase_shift, before.phase_shift);
    EXPECT_EQ(after.ctf_scale, before.ctf_scale);
    EXPECT_EQ(after.ctf_b_factor, before.ctf_b_factor);
  }
  // Names that could be taken for several values, or for the end of one.
  for (const char* name : {"g\r2", "a\fb", "a\"b' c", "it's \" so", "5'", "[a] b", "#1", ""}) {
    ProjectionTable named = table;
    named.optics[0].name = name;
    ASSERT_TRUE(write_star(folder / "n.star", named).ok());
    const auto back = open_projections((folder / "n.star").string());
    ASSERT_TRUE(back.ok()) << name << ": " << back.error().message();
    EXPECT_EQ(back->table.optics[0].name, name);
  }
  // A group without a pixel size, be it of no image: origins stay in pixels.
  OpticsGroup unknown;
  table.optics.push_back(unknown);
  ASSERT_TRUE(write_star(folder / "q.star", table).ok());
  const auto other = open_projections((folder / "q.star").string());
  ASSERT_TRUE(other.ok()) << other.error().message();
  EXPECT_EQ(other->table.rows[0].shift_x, table.rows[0].shift_x);
  // RELION insists on optics even where no image has a CTF; where one has, none are made up.
  EXPECT_EQ(bytes_of(folder / "q.star").find("_rlnVoltage"), std::string::npos);
  for (Projection& row : table.rows) row.defocus_u = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(write_star(folder / "r.star", table).ok());
  for (const char* label : {"_rlnVoltage", "_rlnSphericalAberration", "_rlnAmplitudeContrast"}) {
    EXPECT_NE(bytes_of(folder / "r.star").find(label), std::string::npos) << label;
  }
  std::vector<float> pixels(static_cast<std::size_t>(2 * side * side));
  ASSERT_TRUE(read->images->read(read->table.rows, pixels, {}).ok());
  EXPECT_EQ(pixels[0], 50.0F);
  EXPECT_EQ(pixels[25], 0.0F);
}

}  // namespace
}  // namespace aprscope::test

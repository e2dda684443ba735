// Tables of cryoSPARC, beside tables of RELION that say the same.
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/projections/projection_file.hpp"
#include "tests/support/npy_maker.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

const std::string kFields =
    "[('uid', '<u8'), ('blob/path', '|S20'), ('blob/idx', '<u4'), ('blob/shape', '<u4', (2,)), "
    "('blob/psize_A', '<f4'), ('alignments3D/pose', '<f4', (3,)), "
    "('alignments3D/shift', '<f4', (2,)), ('alignments3D/psize_A', '<f4'), "
    "('alignments3D/split', '<u4'), ('ctf/accel_kv', '<f4'), ('ctf/cs_mm', '<f4'), "
    "('ctf/amp_contrast', '<f4'), ('ctf/df1_A', '<f4'), ('ctf/df2_A', '<f4'), "
    "('ctf/df_angle_rad', '<f4'), ('ctf/phase_shift_rad', '<f4'), ('ctf/tilt_A', '<f4', (2,))]";

struct Row {
  std::string stack = "molecule.mrcs";
  std::uint32_t image = 0;
  std::array<double, 3> pose{};
  std::array<double, 2> shift{};
  std::uint32_t split = 0;
  double aligned = 2.0;
  double tilt = 0.0;
};

void put(NpyMaker& out, const Row& row) {
  const auto real = [&](double value) { out.real(static_cast<float>(value)); };
  out.whole(row.image + 77, 8).text(row.stack, 20).whole(row.image).whole(32).whole(32);
  real(2.0);
  for (const double v : row.pose) real(v);
  for (const double v : row.shift) real(v);
  real(row.aligned);
  out.whole(row.split);
  for (const double v : {300.0, 2.7, 0.1, 12000.0, 11000.0}) real(v);
  real(std::numbers::pi / 6.0);
  real(std::numbers::pi / 3.0);
  real(row.tilt);
  real(0.0);
}

fs::path write_rows(const fs::path& folder, const std::vector<Row>& rows, int version = 1) {
  NpyMaker body;
  for (const Row& row : rows) put(body, row);
  const std::string shape = "(" + std::to_string(rows.size()) + ",)";
  NpyMaker::write(folder / "set.cs", NpyMaker::header(kFields, shape, version) + body.bytes());
  return folder / "set.cs";
}

// The rotation about a vector by its length, by the quaternion of half the angle.
Rotation about(const std::array<double, 3>& v) {
  const double angle = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double part = angle > 0.0 ? std::sin(angle / 2.0) / angle : 0.5;
  const double w = std::cos(angle / 2.0);
  const double x = v[0] * part;
  const double y = v[1] * part;
  const double z = v[2] * part;
  return {{{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}}};
}

// The other way round, of rotations by less than 180°.
std::array<double, 3> vector_of(const Rotation& r) {
  const auto& m = r.rows;
  const double angle = std::acos(std::clamp((m[0][0] + m[1][1] + m[2][2] - 1) / 2, -1.0, 1.0));
  const double part = angle > 1e-9 ? angle / (2 * std::sin(angle)) : 0.5;
  return {part * (m[2][1] - m[1][2]), part * (m[0][2] - m[2][0]), part * (m[1][0] - m[0][1])};
}

Projections must_open(const fs::path& path) {
  auto opened = open_projections(path.string());
  EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.error().message());
  return opened ? *std::move(opened) : Projections{};
}

TEST(CryosparcFile, PosesTurnTheMapAndNotTheImage) {
  const TemporaryFolder folder;
  write_projection_set(folder.path(), {.images = 12});
  constexpr double kPi = std::numbers::pi;
  std::vector<Row> rows;
  for (const std::array<double, 3>& pose : {std::array<double, 3>{0, 0, 0},
                                            {0, 0, 0.7},
                                            {0, 0, -2.5},
                                            {kPi, 0, 0},
                                            {0, kPi, 0},
                                            {1, 2, -0.5},
                                            {-0.3, 0.001, 2.9},
                                            {1e-7, 0, 0},
                                            {0.5, -1.2, 0},
                                            {2, 2, 2}}) {
    Row& row = rows.emplace_back();
    row.pose = pose;
  }
  const Projections all = must_open(write_rows(folder.path(), rows));
  ASSERT_EQ(all.table.rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Projection& row = all.table.rows[i];
    EXPECT_LT(from_euler(row.rot, row.tilt, row.psi).distance(about(rows[i].pose).transposed()),
              2e-6)
        << i;
  }
}

// The same set in both: orientations, shifts, halves, pixels.
TEST(CryosparcFile, SaysWhatTheTableOfRelionSays) {
  const TemporaryFolder folder;
  write_projection_set(folder.path());
  const Projections star = must_open(folder.path() / "molecule.star");
  std::vector<Row> rows;
  for (const Projection& of : star.table.rows) {
    Row& row = rows.emplace_back();
    row.image = static_cast<std::uint32_t>(of.image);
    row.pose = vector_of(orientation_of(of).transposed());
    // Of images that were binned by two where they were aligned.
    row.aligned = 4.0;
    row.shift = {of.shift_x / 2.0 + 0.5, of.shift_y / 2.0};
    row.split = rows.size() % 2 == 1 ? 0 : 1;
  }
  for (const int version : {1, 2}) {
    const fs::path path = write_rows(folder.path(), rows, version);
    EXPECT_TRUE(is_projection_table(path.string()));
    const Projections cs = must_open(path);
    const ProjectionTable& table = cs.table;
    EXPECT_EQ(table.format, "cryoSPARC CS");
    EXPECT_EQ(table.side, 32);
    EXPECT_EQ(table.pixel_size, 2.0);
    ASSERT_EQ(table.rows.size(), star.table.rows.size());
    ASSERT_EQ(table.optics.size(), 1U);
    EXPECT_EQ(table.optics[0].voltage_kv, 300.0);
    EXPECT_NEAR(table.optics[0].spherical_aberration_mm, 2.7, 1e-6);
    EXPECT_NEAR(table.optics[0].amplitude_contrast, 0.1, 1e-7);
    EXPECT_TRUE(table.has_ctf());
    EXPECT_TRUE(table.has_halves());
    EXPECT_TRUE(table.unusable.empty());
    EXPECT_TRUE(table.stack_problems.empty());
    EXPECT_TRUE(table.warnings.empty());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Projection& row = table.rows[i];
      const Projection& of = star.table.rows[i];
      EXPECT_LT(orientation_of(row).distance(orientation_of(of)), 1e-5) << i;
      EXPECT_NEAR(row.shift_x, of.shift_x + 1.0, 1e-5);
      EXPECT_NEAR(row.shift_y, of.shift_y, 1e-5);
      EXPECT_EQ(row.half, i % 2 == 0 ? 1 : 2);
      EXPECT_EQ(row.line, static_cast<std::int64_t>(i) + 1);
      EXPECT_NEAR(row.defocus_u, 12000.0, 1e-2);
      EXPECT_NEAR(row.defocus_v, 11000.0, 1e-2);
      EXPECT_NEAR(row.defocus_angle, 30.0, 1e-5);
      EXPECT_NEAR(row.phase_shift, 60.0, 1e-5);
    }
    std::vector<float> a(table.rows.size() * 32 * 32);
    std::vector<float> b(a.size());
    ASSERT_TRUE(cs.images->read(table.rows, a, {}).ok());
    ASSERT_TRUE(star.images->read(star.table.rows, b, {}).ok());
    EXPECT_EQ(a, b);
  }
}

TEST(CryosparcFile, OddRowsAndFieldsAreSaid) {
  const TemporaryFolder folder;
  write_projection_set(folder.path(), {.images = 5});
  std::vector<Row> rows(5);
  rows[1].pose = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  rows[2].image = 5;
  rows[3].stack = ">none.mrcs";
  rows[4].tilt = 0.3;
  const Projections all = must_open(write_rows(folder.path(), rows));
  ASSERT_EQ(all.table.unusable.size(), 2U);
  EXPECT_EQ(all.table.unusable[0].row, 1);
  EXPECT_NE(all.table.unusable[0].why.find("alignments3D/pose is not a finite number (row 2)"),
            std::string::npos);
  EXPECT_EQ(all.table.unusable[1].row, 2);
  ASSERT_EQ(all.table.stack_problems.size(), 1U);
  EXPECT_EQ(all.table.stacks[1].filename(), "none.mrcs");
  // All are of one set: that is no half.
  EXPECT_FALSE(all.table.has_halves());
  ASSERT_FALSE(all.table.warnings.empty());
  EXPECT_EQ(all.table.warnings[0], "the field ctf/tilt_A (beam tilt) is not used");
}

TEST(CryosparcFile, OtherTypesAndFewerFieldsAreRead) {
  const TemporaryFolder folder;
  write_projection_set(folder.path(), {.images = 3});
  NpyMaker body;
  for (const int image : {2, 0}) {
    for (const char c : std::string("molecule.mrcs")) body.whole(static_cast<unsigned char>(c));
    body.whole(0).whole(static_cast<std::uint64_t>(image), 2).real8(0.25).real8(-1.5);
  }
  NpyMaker::write(
      folder.path() / "set.cs",
      NpyMaker::header(
          "[(\"blob/path\",'<U14'),('blob/idx','<i2',),('alignments3D/shift','<f8',2)]", "(2,)") +
          body.bytes());
  const Projections all = must_open(folder.path() / "set.cs");
  ASSERT_EQ(all.table.rows.size(), 2U);
  EXPECT_EQ(all.table.rows[0].image, 2);
  EXPECT_EQ(all.table.rows[1].image, 0);
  EXPECT_EQ(all.table.rows[0].shift_x, 0.25);
  EXPECT_EQ(all.table.rows[0].shift_y, -1.5);
  EXPECT_EQ(all.table.rows[0].tilt, 0.0);
  EXPECT_EQ(all.table.side, 32);
  EXPECT_FALSE(all.table.has_ctf());
}

TEST(CryosparcFile, WhatIsNoTableGetsASentence) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "bad.cs";
  const std::string whole = NpyMaker::header("[('a', '<f4')]", "(1,)");
  const std::vector<std::pair<std::string, std::string>> all = {
      {whole + "1234", "has no fields blob/path and blob/idx"},
      {whole.substr(0, 9), "is no NumPy array"},
      {whole.substr(0, 60), "ends within its NumPy header"},
      {whole, "ends before its 1 rows do"},
      {std::string("\x93NUMPY\x09\0\x10\0\0\0", 12), "unknown version 9"},
      {std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12), "more than 1 MiB"},
      {NpyMaker::header("'<f4'", "(3,)"), "plain numbers"},
      {NpyMaker::header("[('a', '|O')]", "(3,)"), "Python objects"},
      {NpyMaker::header("[('a', '>f4')]", "(3,)"), "big-endian"},
      {NpyMaker::header("[('a', '<f3')]", "(3,)"), "unknown type"},
      {NpyMaker::header("[('a', '<c8')]", "(3,)"), "unknown type"},
      {NpyMaker::header("[('a', '<f4'), ('a', '<f4')]", "(3,)"), "twice"},
      {NpyMaker::header("[('a', '<f4')]", "(3, 4)"), "another shape"},
      {NpyMaker::header("[('a', '<f4', (1048576, 1048576, 1048576, 1048576))]", "(3,)"), "1 MiB"},
      {NpyMaker::header("[('a', '|S999999999')]", "(3,)"), "unknown type"},
      {NpyMaker::header("[('a', '<f4')]", "(99999999999999999999,)"), "describes no table"},
      {NpyMaker::header("[('a', '<f4')]", "(1099511627776,)"), "ends before"},
      {NpyMaker::header("[('a', '|S0')]", "(5,)"), "ends before"},
      {NpyMaker::header("[]", "(5,)"), "describes no table"},
      {NpyMaker::of_literal("{'descr': [('a', '<f4')], 'shape': (3,)}"), "describes no table"},
      {NpyMaker::of_literal("{'descr': [('a', '<f4'"), "describes no table"},
      {NpyMaker::of_literal("nothing"), "describes no table"},
      {NpyMaker::header("[('blob/path', '|S1'), ('blob/idx', '|u1')]", "(0,)"), "has no rows"}};
  for (const auto& [bytes, words] : all) {
    NpyMaker::write(path, bytes);
    const auto opened = open_projections(path.string());
    ASSERT_FALSE(opened.ok()) << words;
    EXPECT_NE(opened.error().message().find(words), std::string::npos)
        << words << ": " << opened.error().message();
    EXPECT_NE(opened.error().message().find("bad.cs"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace aprscope::test

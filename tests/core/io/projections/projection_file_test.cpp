// Tables of projections: what RELION and Xmipp write, and what is wrong with files.
#include "core/io/projections/projection_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/support/em_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

fs::path cryo(const std::string& name) { return data_dir() / "cryo" / name; }

#define APRSCOPE_NEEDS_CRYO()                                                 \
  if (data_dir().empty() || !fs::exists(data_dir() / "cryo")) {               \
    GTEST_SKIP() << "no projections: put cryo/ into the folder of test data"; \
  }

Projections must_open(const fs::path& path, const fs::path& root = {}) {
  auto opened = open_projections(path.string(), root.string());
  EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.error().message());
  return opened ? *std::move(opened) : Projections{};
}

bool warns(const ProjectionTable& table, const std::string& part) {
  return std::any_of(table.warnings.begin(), table.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

std::vector<float> images(const Projections& all, std::span<const Projection> rows) {
  std::vector<float> out(rows.size() * static_cast<std::size_t>(all.table.side * all.table.side));
  const Status read = all.images->read(rows, out, {});
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message());
  return out;
}

std::string read_error(const Projections& all, std::size_t row) {
  std::vector<float> out(static_cast<std::size_t>(all.table.side * all.table.side));
  const Status read = all.images->read(std::span(all.table.rows).subspan(row, 1), out, {});
  return read ? std::string() : read.error().message();
}

TEST(ProjectionFile, Relion31) {
  APRSCOPE_NEEDS_CRYO();
  EXPECT_TRUE(is_projection_table(cryo("clean.star").string()));
  EXPECT_FALSE(is_projection_table(cryo("clean_1.mrcs").string()));
  EXPECT_FALSE(is_projection_table(cryo("clean_fsc.csv").string()));
  EXPECT_FALSE(is_projection_table(cryo("none").string()));
  const Projections all = must_open(cryo("clean.star"));
  const ProjectionTable& table = all.table;
  EXPECT_EQ(table.format, "RELION 3.1 STAR");
  ASSERT_EQ(table.rows.size(), 1000U);
  EXPECT_EQ(table.side, 64);
  EXPECT_EQ(table.pixel_size, 2.5);
  ASSERT_EQ(table.stacks.size(), 2U);
  EXPECT_EQ(table.stacks[0], cryo("clean_1.mrcs"));
  ASSERT_EQ(table.optics.size(), 1U);
  EXPECT_EQ(table.optics[0].name, "opticsGroup1");
  EXPECT_EQ(table.optics[0].voltage_kv, 300.0);
  EXPECT_EQ(table.optics[0].spherical_aberration_mm, 2.7);
  EXPECT_EQ(table.optics[0].amplitude_contrast, 0.1);
  EXPECT_TRUE(table.has_halves());
  EXPECT_FALSE(table.has_ctf());
  EXPECT_TRUE(warns(table, "rlnDefocusU"));
  EXPECT_TRUE(table.unusable.empty());
  EXPECT_TRUE(table.stack_problems.empty());
  const Projection& second = table.rows[1];
  EXPECT_DOUBLE_EQ(second.rot, -63.551256);
  EXPECT_DOUBLE_EQ(second.tilt, 79.698252);
  EXPECT_DOUBLE_EQ(second.psi, -78.513917);
  EXPECT_DOUBLE_EQ(second.shift_x, -6.937486 / 2.5);
  EXPECT_DOUBLE_EQ(second.shift_y, 4.080772 / 2.5);
  EXPECT_EQ(second.half, 2);
  EXPECT_EQ(second.image, 1);
  EXPECT_EQ(second.line, 32);
  // The images were divided by their common standard deviation.
  const std::vector<float> pixels = images(all, table.rows);
  double square = 0.0;
  double sum = 0.0;
  for (const float value : pixels) {
    sum += value;
    square += static_cast<double>(value) * value;
  }
  const auto count = static_cast<double>(pixels.size());
  const double deviation = std::sqrt(square / count - sum / count * (sum / count));
  EXPECT_NEAR(deviation, 1.0, 1e-3);
}

TEST(ProjectionFile, CtfAndOtherSets) {
  APRSCOPE_NEEDS_CRYO();
  const Projections ctf = must_open(cryo("ctf.star"));
  EXPECT_EQ(ctf.table.rows.size(), 640U);
  EXPECT_TRUE(ctf.table.has_ctf());
  EXPECT_TRUE(ctf.table.has_halves());
  EXPECT_TRUE(ctf.table.warnings.empty());
  const Projections d7 = must_open(cryo("d7.star"));
  EXPECT_EQ(d7.table.rows.size(), 40U);
  EXPECT_EQ(d7.table.side, 64);
  const Projections ico = must_open(cryo("ico.xmd"));
  EXPECT_EQ(ico.table.format, "Xmipp XMD");
  ASSERT_EQ(ico.table.rows.size(), 30U);
  EXPECT_DOUBLE_EQ(ico.table.rows[0].tilt, 155.240763);
  EXPECT_TRUE(ico.table.stack_problems.empty());
  // .xmd has no pixel size, its stack has.
  EXPECT_EQ(ico.table.pixel_size, 2.5);
  EXPECT_TRUE(warns(ico.table, "the pixel size is that of the stacks"));
}

TEST(ProjectionFile, OlderAndNewerRelion) {
  APRSCOPE_NEEDS_CRYO();
  const Projections old = must_open(cryo("formats/relion30.star"));
  EXPECT_EQ(old.table.format, "RELION 3.0 STAR");
  ASSERT_FALSE(old.table.rows.empty());
  // 5 µm at 37369.207031 ×; rows of 300 and of 200 kV.
  EXPECT_NEAR(old.table.pixel_size, 1.338, 1e-6);
  ASSERT_EQ(old.table.optics.size(), 2U);
  EXPECT_EQ(old.table.optics[0].voltage_kv, 300.0);
  EXPECT_EQ(old.table.optics[1].voltage_kv, 200.0);
  EXPECT_TRUE(old.table.has_ctf());
  ASSERT_EQ(old.table.stack_problems.size(), 1U);
  EXPECT_EQ(old.table.stack_problems[0].why, "is not there");
  EXPECT_NE(read_error(old, 0).find("sample.mrcs: is not there (asked for by line 33"),
            std::string::npos)
      << read_error(old, 0);

  const Projections five = must_open(cryo("formats/relion5.star"));
  EXPECT_EQ(five.table.format, "RELION 5 STAR");
  EXPECT_EQ(five.table.side, 448);
  EXPECT_FALSE(warns(five.table, "rlnBeamTiltX"));
  EXPECT_EQ(five.table.optics[0].beam_tilt_x, 0.043489);
  EXPECT_EQ(five.table.optics[0].beam_tilt_y, 0.014097);
  EXPECT_FALSE(warns(five.table, "rlnOddZernike"));
  EXPECT_FALSE(warns(five.table, "rlnMagMat00"));
  EXPECT_EQ(
      five.table.optics[0].odd_zernike,
      (std::vector{0.0680480107376, 0.0982451014894, -1.79877045848, 0.0, 0.0, -1.36333410593}));
  ASSERT_EQ(five.table.optics[0].even_zernike.size(), 9U);
  EXPECT_EQ(five.table.optics[0].even_zernike[8], -5.07283733403);
  EXPECT_EQ(five.table.optics[0].magnification,
            (std::array{1.001833, -7.04404e-04, -8.23335e-04, 1.000381}));
  EXPECT_TRUE(warns(five.table, "repeat the image of another"));
  EXPECT_NEAR(five.table.rows[0].shift_x, -3.12578 / 0.89, 1e-9);

  const Projections six = must_open(cryo("formats/relion31_6optics.star"));
  ASSERT_EQ(six.table.optics.size(), 6U);
  EXPECT_EQ(six.table.optics[1].pixel_size, 1.24);
  EXPECT_EQ(six.table.optics[5].beam_tilt_y, 2.446621);
  EXPECT_EQ(six.table.rows[0].optics, 5U);
  EXPECT_EQ(six.table.rows[0].half, 2);
  EXPECT_TRUE(warns(six.table, "differ in pixel size, from 1.24 to 1.25 Å"));

  const Projections three = must_open(cryo("formats/relion31.star"));
  EXPECT_FALSE(three.table.rows.empty());
  EXPECT_EQ(three.table.pixel_size, 2.806);
  const Projections aspire = must_open(cryo("formats/aspire_65_shifted.star"));
  EXPECT_EQ(aspire.table.rows[1].shift_x, 10.0);
  EXPECT_EQ(aspire.table.rows[1].shift_y, -5.0);
  EXPECT_EQ(aspire.table.side, 65);
}

TEST(ProjectionFile, Xmipp) {
  APRSCOPE_NEEDS_CRYO();
  // A value too many in each row.
  const auto angles = open_projections(cryo("formats/angles.xmd").string());
  ASSERT_FALSE(angles.ok());
  EXPECT_NE(angles.error().what.find("10 values in a row of 9 columns (line 14)"),
            std::string::npos);
  const Projections blocks = must_open(cryo("formats/blocks.xmd"));
  EXPECT_EQ(blocks.table.rows.size(), 3U);
  EXPECT_EQ(blocks.table.rows[1].defocus_u, 200.0);
  EXPECT_TRUE(warns(blocks.table, "of 3 tables of images data_b1 is read"));
  EXPECT_TRUE(warns(blocks.table, "CTFModel"));

  const TemporaryFolder folder;
  EmMaker::mrc({4, 4, 3}, 2, 1.5F).append(std::vector<float>(48, 1)).write(folder / "s.mrcs");
  write_text_file(
      folder / "a.xmd",
      "# XMIPP_STAR_1 * \n# \ndata_noname\nloop_\n _image\n _flip\n _enabled\n"
      " _weight\n _subset\n _shiftX\n _samplingRate\n _ctfDefocusU\n _ctfVoltage\n"
      " 000003@s.mrcs 1 -1 0.5 2 3 2.5 9000 200\n 000001@s.mrcs 0 1 1 1 -3 2.5 nan 300\n");
  const Projections all = must_open(folder / "a.xmd");
  const Projection& row = all.table.rows[0];
  EXPECT_TRUE(row.mirrored);
  EXPECT_FALSE(row.enabled);
  EXPECT_EQ(row.weight, 0.5);
  EXPECT_EQ(row.half, 2);
  EXPECT_EQ(row.shift_x, 3.0);
  EXPECT_EQ(row.image, 2);
  EXPECT_EQ(all.table.pixel_size, 2.5);
  EXPECT_EQ(all.table.optics.size(), 2U);
  ASSERT_EQ(all.table.unusable.size(), 1U);
  EXPECT_EQ(all.table.unusable[0].row, 1);
  EXPECT_EQ(all.table.unusable[0].why, "its ctfDefocusU is not a finite number (nan) (line 15)");
}

// Their reasons would fill the memory: the first have theirs, all are named.
TEST(ProjectionFile, RowsWithoutEndAreNamedWithoutAReasonEach) {
  const TemporaryFolder folder;
  EmMaker::mrc({4, 4, 3}, 2, 1.5F).append(std::vector<float>(48, 1)).write(folder / "s.mrcs");
  std::string text = "# XMIPP_STAR_1 * \n# \ndata_noname\nloop_\n _image\n _angleRot\n";
  for (int i = 0; i < 6000; ++i) text += " 1@s.mrcs nan\n";
  write_text_file(folder / "a.xmd", text);
  const Projections all = must_open(folder / "a.xmd");
  ASSERT_EQ(all.table.unusable.size(), 6000U);
  EXPECT_EQ(all.table.unusable[0].why, "its angleRot is not a finite number (nan) (line 7)");
  EXPECT_EQ(all.table.unusable[5999].why, "cannot be used");
  EXPECT_EQ(all.table.unusable[5999].row, 5999);
}

// A project's folder with a job below it, one row a line of `rows`.
class Relion : public testing::Test {
 protected:
  static constexpr const char* kOptics =
      "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnImagePixelSize\n1 a 2\n2 b "
      "4\n\n";
  void write(const std::string& rows, const std::string& optics = kOptics) const {
    // Optics stand after the particles, columns in an unusual order.
    write_text_file(table_,
                    "data_particles\nloop_\n_rlnOpticsGroup #1\n_rlnImageName #2\n"
                    "_rlnAngleRot #3\n_rlnOriginXAngst #4\n_rlnRandomSubset #5\n" +
                        rows + "\n" + optics);
  }
  // `count` images whose pixels are image · 1000 + index.
  static void write_stack(const fs::path& path, int count, std::int32_t side = 4) {
    fs::create_directories(path.parent_path());
    std::vector<float> values(static_cast<std::size_t>(count * side * side));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto per_image = static_cast<std::size_t>(side * side);
      const std::size_t image = i / per_image;
      values[i] = static_cast<float>(image * 1000 + i % per_image);
    }
    EmMaker::mrc({side, side, count}, 2, 2.0F).integer(23, 0).append(values).write(path);
  }
  TemporaryFolder folder_;
  fs::path table_ = folder_ / "Refine3D/job01/run_data.star";
};

TEST_F(Relion, OpticsMayStandLastAndShiftsAreOfTheirGroup) {
  write("2 000002@Extract/a.mrcs 10 8 1\n1 000001@Extract/a.mrcs 20 8 2\n");
  write_stack(folder_ / "Extract/a.mrcs", 2);
  const Projections all = must_open(table_);
  EXPECT_EQ(all.table.stacks[0], folder_ / "Extract/a.mrcs");
  EXPECT_EQ(all.table.rows[0].shift_x, 2.0);
  EXPECT_EQ(all.table.rows[1].shift_x, 4.0);
  EXPECT_TRUE(warns(all.table, "rlnAngleTilt"));
  EXPECT_TRUE(warns(all.table, "differ in pixel size, from 2 to 4 Å"));
  const std::vector<float> pixels = images(all, all.table.rows);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(pixels[i], static_cast<float>(1000 + i));
    EXPECT_EQ(pixels[16 + i], static_cast<float>(i));
  }
}

TEST_F(Relion, ARootIsLookedInFirst) {
  write("1 1@s.mrcs 0 0 1\n");
  write_stack(folder_ / "Refine3D/job01/s.mrcs", 1);
  write_stack(folder_ / "elsewhere/s.mrcs", 2);
  EXPECT_EQ(must_open(table_).table.stacks[0], folder_ / "Refine3D/job01/s.mrcs");
  EXPECT_EQ(must_open(table_, folder_ / "elsewhere").table.stacks[0], folder_ / "elsewhere/s.mrcs");
}

TEST_F(Relion, TheWorkingDirectoryIsLookedInLast) {
  write("1 1@Extract/s.mrcs 0 0 1\n");
  write_stack(folder_ / "elsewhere/Extract/s.mrcs", 1);
  EXPECT_EQ(must_open(table_).table.stack_problems.size(), 1U);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "elsewhere");
  const Projections found = must_open(table_);
  std::filesystem::current_path(before);
  EXPECT_TRUE(found.table.stack_problems.empty());
  EXPECT_EQ(found.table.stacks[0], folder_ / "elsewhere/Extract/s.mrcs");
}

TEST_F(Relion, WhatCannotBeUsedIsListedAndLeftOutOnDemand) {
  write(
      "1 1@s.mrcs 0 0 1\n1 2@s.mrcs nan 0 1\n1 9@s.mrcs 0 0 1\n1 0@s.mrcs 0 0 1\n"
      "3 1@s.mrcs 0 0 1\n1 1@lost.mrcs 0 0 1\n1 1@big.mrcs 0 0 1\n1 1@map.mrc 0 0 1\n"
      "1 2@s.mrcs 0 inf 1\n1 2@s.mrcs 0 0 3\n1 3@cut.mrcs 0 0 1\n1 1@wide.mrcs 0 0 1\n");
  write_stack(folder_ / "s.mrcs", 2);
  write_stack(folder_ / "big.mrcs", 1, 8);
  EmMaker::mrc({4, 4, 4}, 2, 2).append(std::vector<float>(64)).write(folder_ / "map.mrc");
  EmMaker::mrc({4, 4, 4}, 2, 2)
      .integer(23, 0)
      .append(std::vector<float>(40))
      .write(folder_ / "cut.mrcs");
  EmMaker::mrc({8, 2, 1}, 2, 2).append(std::vector<float>(16)).write(folder_ / "wide.mrcs");
  Projections all = must_open(table_);
  ProjectionTable& table = all.table;
  EXPECT_EQ(table.side, 4);
  std::vector<std::int64_t> rows;
  for (const UnusableRow& bad : table.unusable) rows.push_back(bad.row);
  EXPECT_EQ(rows, (std::vector<std::int64_t>{1, 2, 3, 4, 8, 9, 10}));
  // Which of them lack a number, and which their image.
  std::vector<std::int64_t> without_image;
  for (const UnusableRow& bad : table.unusable) {
    if (bad.trouble == RowTrouble::image) without_image.push_back(bad.row);
  }
  EXPECT_EQ(without_image, (std::vector<std::int64_t>{2, 10}));
  EXPECT_EQ(table.unusable[1].why, "s.mrcs has 2 images and no image 9 (line 10)");
  EXPECT_EQ(table.unusable[6].why, "cut.mrcs is cut off after image 2 (line 18)");
  ASSERT_EQ(table.stack_problems.size(), 4U);
  EXPECT_EQ(table.stack_problems[0].why, "is not there");
  EXPECT_EQ(table.stack_problems[1].why, "holds images of 8 pixels, where others have 4");
  EXPECT_EQ(table.stack_problems[2].why, "is a map, not a stack of images");
  EXPECT_EQ(table.stack_problems[3].why, "holds images of 8 × 2 pixels, which are not square");
  EXPECT_TRUE(std::all_of(table.rows.begin(), table.rows.end(),
                          [](const Projection& row) { return row.enabled; }));
  EXPECT_EQ(leave_out_unusable(table), 11);
  EXPECT_TRUE(table.rows[0].enabled);
  EXPECT_EQ(leave_out_unusable(table), 0);
  EXPECT_EQ(read_error(all, 0), "");
  EXPECT_NE(read_error(all, 2).find("s.mrcs: has 2 images and no image 9 (asked for by line 10 of "
                                    "run_data.star); leave that image out."),
            std::string::npos)
      << read_error(all, 2);
  EXPECT_NE(read_error(all, 6).find("holds images of 8"), std::string::npos);
  EXPECT_NE(read_error(all, 10).find("is cut off after image 2"), std::string::npos);
}

TEST_F(Relion, TwinsOverBothHalvesAreWarnedOf) {
  write("1 1@s.mrcs 0 0 1\n1 2@s.mrcs 0 0 1\n1 1@s.mrcs 90 0 2\n1 2@s.mrcs 90 0 1\n");
  write_stack(folder_ / "s.mrcs", 2);
  const Projections all = must_open(table_);
  EXPECT_TRUE(warns(all.table, "2 rows repeat the image of another (lines 8 and 10"));
  EXPECT_TRUE(warns(all.table, "1 of them stand in both half sets"));
  // Each gets its pixels all the same.
  const std::vector<float> pixels = images(all, all.table.rows);
  EXPECT_TRUE(std::equal(pixels.begin(), pixels.begin() + 32, pixels.begin() + 32));
}

TEST_F(Relion, OriginsInAngstromNeedAPixelSize) {
  const std::string without = "data_optics\nloop_\n_rlnOpticsGroup\n_rlnVoltage\n1 300\n";
  write("1 1@s.mrcs 0 3 1\n", without);
  const auto opened = open_projections(table_.string());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message().find("origins in Å and no pixel size"), std::string::npos);
  write("1 1@s.mrcs 0 0 1\n", without);
  const Projections all = must_open(table_);
  EXPECT_TRUE(std::isnan(all.table.pixel_size));
  EXPECT_TRUE(warns(all.table, "there is no pixel size"));
  EXPECT_EQ(all.table.side, 0);
}

TEST_F(Relion, OtherTablesAreRefused) {
  const auto error = [&](const std::string& text) {
    write_text_file(table_, text);
    const auto opened = open_projections(table_.string());
    return opened ? std::string() : opened.error().message();
  };
  EXPECT_NE(error("data_micrographs\nloop_\n_rlnMicrographName\na.mrc\n")
                .find("has no rows with a column rlnImageName"),
            std::string::npos);
  EXPECT_NE(error("data_particles\nloop_\n_rlnImageName\n").find("has no rows"), std::string::npos);
  EXPECT_NE(
      error("data_optics\nloop_\n_rlnOpticsGroup\n1\n1\ndata_particles\nloop_\n_rlnImageName\na\n")
          .find("cannot be told from each other (line 5)"),
      std::string::npos);
  EXPECT_NE(error("data_optics\nloop_\n_rlnOpticsGroup\n_rlnImageDimensionality\n1 3\n"
                  "data_particles\nloop_\n_rlnImageName\na\n")
                .find("is a table of volumes"),
            std::string::npos);
  EXPECT_NE(error("").find("has no rows"), std::string::npos);
}

TEST_F(Relion, AStackThatChangesIsNoticed) {
  write("1 1@s.mrcs 0 0 1\n");
  write_stack(folder_ / "s.mrcs", 1);
  const Projections all = must_open(table_);
  EXPECT_EQ(read_error(all, 0), "");
  write_stack(folder_ / "s.mrcs", 3);
  EXPECT_NE(read_error(all, 0).find("is another file than when the table was opened"),
            std::string::npos);
}

// Every kind of stack gives the same pixels, many rows in any order.
TEST_F(Relion, StacksOfAllKindsGiveTheSamePixels) {
  const int count = 7;
  const int side = 5;
  std::vector<float> values(static_cast<std::size_t>(count * side * side));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 7) % 101);
  std::vector<std::string> names;
  for (const bool big : {false, true}) {
    const std::string suffix = big ? "_big" : "";
    const auto mrc = [&](std::int32_t mode) {
      names.push_back("m" + std::to_string(mode) + suffix + ".mrcs");
      return EmMaker::mrc({side, side, count}, mode, 1.0F, big).integer(23, 0);
    };
    const auto as = [&]<class T>(T) { return std::vector<T>(values.begin(), values.end()); };
    mrc(0).append(as(std::int8_t{})).write(folder_ / names.back());
    mrc(1).append(as(std::int16_t{})).write(folder_ / names.back());
    mrc(2).append(as(float{})).write(folder_ / names.back());
    mrc(6).append(as(std::uint16_t{})).write(folder_ / names.back());
    std::vector<std::uint16_t> halves;
    for (const float value : values) {
      // Whole numbers below 2048 are exact: exponent and the bits below the leading one.
      const int whole = static_cast<int>(value);
      const int top = whole == 0 ? 0 : static_cast<int>(std::log2(whole));
      halves.push_back(whole == 0 ? std::uint16_t{0}
                                  : static_cast<std::uint16_t>(((top + 15) << 10) |
                                                               ((whole << (10 - top)) & 0x3FF)));
    }
    mrc(12).append(halves).write(folder_ / names.back());
    names.push_back("s" + suffix + ".stk");
    EmMaker stack = EmMaker::spider({side, side, 1}, 1, count, big);
    for (int i = 0; i < count; ++i) {
      const auto first = values.begin() + i * side * side;
      stack.append(EmMaker::spider({side, side, 1}, 1, 0, big));
      stack.append(std::vector<float>(first, first + side * side));
    }
    stack.write(folder_ / names.back());
  }
  std::string rows;
  for (const std::string& name : names) {
    for (int i = 0; i < count; ++i) {
      rows += "1 " + std::to_string((i * 3) % count + 1) + "@" + name + " 0 0 1\n";
    }
  }
  write(rows);
  const Projections all = must_open(table_);
  EXPECT_TRUE(all.table.stack_problems.empty());
  std::vector<Projection> asked = all.table.rows;
  std::reverse(asked.begin(), asked.end());
  const std::vector<float> pixels = images(all, asked);
  const auto per_image = static_cast<std::size_t>(side * side);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const auto image = static_cast<std::size_t>(asked[k].image);
    EXPECT_TRUE(std::equal(pixels.begin() + static_cast<std::ptrdiff_t>(k * per_image),
                           pixels.begin() + static_cast<std::ptrdiff_t>((k + 1) * per_image),
                           values.begin() + static_cast<std::ptrdiff_t>(image * per_image)))
        << all.table.stacks[asked[k].stack] << " image " << image;
  }
}

TEST_F(Relion, BeamTiltsAreThoseOfTheOptics) {
  write_stack(folder_ / "Extract/a.mrcs", 2);
  write("1 1@Extract/a.mrcs 0 0 1\n2 2@Extract/a.mrcs 0 0 2\n",
        "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnBeamTiltX\n"
        "_rlnBeamTiltY\n1 a 0.25 -1.5\n2 b 0.5 crooked\n\n");
  const auto read = open_projections(table_.string());
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read->table.optics.size(), 2U);
  EXPECT_EQ(read->table.optics[0].beam_tilt_x, 0.25);
  EXPECT_EQ(read->table.optics[0].beam_tilt_y, -1.5);
  EXPECT_TRUE(std::isnan(read->table.optics[1].beam_tilt_y));
  EXPECT_TRUE(warns(read->table,
                    "of optics group b its rlnBeamTiltY is not a finite number (crooked) (line "));
  EXPECT_FALSE(warns(read->table, "is not used"));
}

TEST_F(Relion, TheTransferFunctionOfTheDetectorIsLeftToSharpening) {
  write_stack(folder_ / "Extract/a.mrcs", 1);
  write("1 1@Extract/a.mrcs 0 0 1\n",
        "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnMtfFileName\n"
        "1 a mtf_k2_300kV.star\n\n");
  const auto read = open_projections(table_.string());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(warns(read->table,
                    "the column rlnMtfFileName (the detector's transfer function) is not used: "
                    "sharpening a map divides by it where it is named there"));
}

TEST_F(Relion, WhatWasDoneToTheImagesIsOfTheOptics) {
  write_stack(folder_ / "Extract/a.mrcs", 2);
  write("1 1@Extract/a.mrcs 0 0 1\n2 2@Extract/a.mrcs 0 0 2\n",
        "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnCtfDataArePhaseFlipped\n"
        "_rlnCtfDataAreCtfPremultiplied\n1 a 1 0\n2 b 0 1\n\n");
  const auto read = open_projections(table_.string());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_TRUE(read->table.optics[0].phase_flipped);
  EXPECT_FALSE(read->table.optics[0].premultiplied);
  EXPECT_FALSE(read->table.optics[1].phase_flipped);
  EXPECT_TRUE(read->table.optics[1].premultiplied);
  EXPECT_FALSE(warns(read->table, "is not used"));
}

TEST_F(Relion, ListsOfAberrations) {
  write_stack(folder_ / "Extract/a.mrcs", 2);
  write("1 1@Extract/a.mrcs 0 0 1\n2 2@Extract/a.mrcs 0 0 2\n",
        "data_optics\nloop_\n_rlnOpticsGroup\n_rlnOpticsGroupName\n_rlnOddZernike\n"
        "_rlnEvenZernike\n_rlnMagMat01\n1 a [1,-2.5e-1] [3] 0.25\n2 b [1,x] 7 wide\n\n");
  const auto read = open_projections(table_.string());
  ASSERT_TRUE(read.ok()) << read.error().message();
  const OpticsGroup& good = read->table.optics[0];
  EXPECT_EQ(good.odd_zernike, (std::vector{1.0, -0.25}));
  EXPECT_EQ(good.even_zernike, std::vector{3.0});
  EXPECT_EQ(good.magnification, (std::array{1.0, 0.25, 0.0, 1.0}));
  const OpticsGroup& bad = read->table.optics[1];
  ASSERT_EQ(bad.odd_zernike.size(), 2U);
  EXPECT_TRUE(std::isnan(bad.odd_zernike[1]));
  EXPECT_TRUE(std::isnan(bad.even_zernike.back()));
  EXPECT_TRUE(std::isnan(bad.magnification[1]));
  EXPECT_TRUE(warns(read->table,
                    "of optics group b its rlnOddZernike is not a list of finite numbers ([1,x])"));
}

// Rows of different tilts are of different groups, as in RELION 3.0; beside optics groups, rows say
// nothing.
TEST_F(Relion, BeamTiltsOfRows) {
  write_stack(folder_ / "Extract/a.mrcs", 3);
  const std::string rows =
      "loop_\n_rlnImageName\n_rlnBeamTiltX\n_rlnBeamTiltY\n1@Extract/a.mrcs 0.5 0\n"
      "2@Extract/a.mrcs 0 0\n3@Extract/a.mrcs 0.5 0\n";
  write_text_file(table_, "data_\n" + rows);
  const auto old = open_projections(table_.string());
  ASSERT_TRUE(old.ok()) << old.error().message();
  ASSERT_EQ(old->table.optics.size(), 2U);
  EXPECT_EQ(old->table.optics[old->table.rows[0].optics].beam_tilt_x, 0.5);
  EXPECT_EQ(old->table.optics[old->table.rows[1].optics].beam_tilt_x, 0.0);
  EXPECT_EQ(old->table.rows[2].optics, old->table.rows[0].optics);
  EXPECT_FALSE(warns(old->table, "is not used"));
  write_text_file(table_, "data_optics\nloop_\n_rlnOpticsGroup\n1\n\ndata_particles\n" + rows);
  const auto now = open_projections(table_.string());
  ASSERT_TRUE(now.ok()) << now.error().message();
  EXPECT_EQ(now->table.optics[0].beam_tilt_x, 0.0);
  EXPECT_TRUE(warns(now->table, "the column rlnBeamTiltX (beam tilt) is not used"));
}

}  // namespace
}  // namespace aprscope::test

// The comparison with a reference against the definitions, in plain loops.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/io/write.hpp"
#include "core/operations/measure/comparison.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{7, 19, 23};

Volume volume_of(std::vector<float> values, const std::string& name, const Size3& size = kSize) {
  Volume volume;
  Pixels<float> pixels(size);
  pixels.values = std::move(values);
  volume.pixels = std::move(pixels);
  volume.name = name;
  return volume;
}

double cell(const Table& table, const std::string& id) {
  const Column* column = table.column(id);
  if (column == nullptr) return std::numeric_limits<double>::infinity();
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column->cells)) {
    return static_cast<double>(whole->front());
  }
  return std::get<std::vector<double>>(column->cells).front();
}

class Compare : public testing::Test {
 protected:
  static Result<Measurement> measured(const std::shared_ptr<const Dataset>& input,
                                      const std::string& reference,
                                      const std::string& mode = "constant") {
    return cpu_backend()->measure({"compare", {{"reference", reference}, {"mode", mode}}}, *input,
                                  {});
  }
  static std::string message(const std::shared_ptr<const Dataset>& input,
                             const std::string& reference) {
    const auto done = measured(input, reference);
    return done ? "" : done.error().message();
  }
  std::string write(const Volume& volume, const std::string& name) const {
    const auto path = folder_ / name;
    EXPECT_TRUE(write_tiff(volume, path));
    return path.string();
  }

  test::TemporaryFolder folder_;
  std::vector<float> truth_ =
      test::random_values(static_cast<std::uint64_t>(kSize.count()), 3, 10.0F, 200.0F);
  std::vector<float> other_ = [this] {
    auto values = truth_;
    const auto noise = test::random_values(values.size(), 4, -5.0F, 6.0F);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += noise[i];
    values[static_cast<std::size_t>((3 * kSize.x + 11) * kSize.y + 6)] -= 90.0F;
    return values;
  }();
};

TEST_F(Compare, FiguresAreThoseOfTheirDefinitions) {
  const auto found = measured(Dataset::create(volume_of(other_, "other")),
                              write(volume_of(truth_, "truth"), "truth.tif"));
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->name, "other");
  ASSERT_EQ(found->history.size(), 1U);
  EXPECT_NE(found->history.front().find("compare"), std::string::npos);
  EXPECT_TRUE(found->notes.empty());
  ASSERT_EQ(found->tables.size(), 1U);
  const Table& table = found->tables.front();
  ASSERT_EQ(table.rows(), 1U);
  double sum = 0.0;
  double squares = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < truth_.size(); ++i) {
    const double d = static_cast<double>(other_[i]) - truth_[i];
    sum += d;
    squares += d * d;
    largest = std::max(largest, std::abs(d));
  }
  const auto n = static_cast<double>(truth_.size());
  const auto [low, high] = std::minmax_element(truth_.begin(), truth_.end());
  const double range = static_cast<double>(*high) - *low;
  const double rms = std::sqrt(squares / n);
  EXPECT_NEAR(cell(table, "psnr"), 20.0 * std::log10(range / rms), 1e-9);
  EXPECT_NEAR(cell(table, "nrmse"), rms / range, 1e-12);
  EXPECT_NEAR(cell(table, "rms_diff"), rms, 1e-10);
  EXPECT_NEAR(cell(table, "mean_diff"), sum / n, 1e-10);
  EXPECT_GT(cell(table, "mean_diff"), 0.2);  // of b − a, not of a − b
  EXPECT_EQ(cell(table, "max_abs_diff"), largest);
  EXPECT_EQ(cell(table, "max_abs_diff_at_z"), 3.0);
  EXPECT_EQ(cell(table, "max_abs_diff_at_x"), 11.0);
  EXPECT_EQ(cell(table, "max_abs_diff_at_y"), 6.0);
  EXPECT_EQ(cell(table, "identical"), 0.0);
  EXPECT_GT(cell(table, "ssim"), 0.5);
  EXPECT_LT(cell(table, "ssim"), 1.0);
}

TEST_F(Compare, EqualImagesHaveNoPsnr) {
  const auto found = measured(Dataset::create(volume_of(truth_, "truth")),
                              write(volume_of(truth_, "truth"), "truth.tif"));
  ASSERT_TRUE(found.ok()) << found.error().message();
  const Table& table = found->tables.front();
  EXPECT_TRUE(std::isnan(cell(table, "psnr")));
  EXPECT_EQ(cell(table, "ssim"), 1.0);
  EXPECT_EQ(cell(table, "nrmse"), 0.0);
  EXPECT_EQ(cell(table, "max_abs_diff"), 0.0);
  EXPECT_EQ(cell(table, "identical"), 1.0);
}

TEST_F(Compare, AnyNumberOfThreadsFindsTheSame) {
  const std::string file = write(volume_of(truth_, "truth"), "truth.tif");
  const auto data = Dataset::create(volume_of(other_, "other"));
  std::vector<Measurement> found;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    auto one = measured(data, file);
    ASSERT_TRUE(one.ok());
    found.push_back(*std::move(one));
  }
  set_thread_count(0);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST_F(Compare, ParticlesAreComparedAsThePixelsThatTheyStandFor) {
  Apr apr = test::random_apr({kSize, 9, 0.5, true});
  apr.name = "particles";
  const auto data = Dataset::create(Data(apr));
  const Pixels<float> painted = test::naive_reconstruct(*apr.access, data->values().particles());
  const std::string same = write(volume_of(painted.values, "painted"), "painted.tif");
  const auto constant = measured(data, same);
  ASSERT_TRUE(constant.ok()) << constant.error().message();
  EXPECT_EQ(cell(constant->tables.front(), "identical"), 1.0);
  ASSERT_EQ(constant->notes.size(), 1U);
  EXPECT_NE(constant->notes.front().find("constant"), std::string::npos);
  const auto smooth = measured(data, same, "smooth");
  ASSERT_TRUE(smooth.ok()) << smooth.error().message();
  EXPECT_EQ(cell(smooth->tables.front(), "identical"), 0.0);
  EXPECT_NE(smooth->notes.front().find("smooth"), std::string::npos);
}

TEST_F(Compare, IsAStepThatLeavesTheDataAsItIs) {
  const auto data = Dataset::create(volume_of(other_, "other"));
  const std::string file = write(volume_of(truth_, "truth"), "truth.tif");
  const Operation compare{"compare", {{"reference", file}}};
  const auto done = execute({compare, {"box", {}}, compare}, data, *cpu_backend());
  ASSERT_TRUE(done.ok()) << done.error().message();
  const auto measured = found_in(*done);
  ASSERT_EQ(measured.size(), 2U);
  // Smoothing what is not smooth takes it farther from the truth.
  EXPECT_GT(cell(measured[1]->tables.front(), "rms_diff"),
            cell(measured[0]->tables.front(), "rms_diff"));
  const auto only = execute({{"box", {}}}, data, *cpu_backend());
  ASSERT_TRUE(only.ok());
  EXPECT_EQ(done->data->values().pixels().values, only->data->values().pixels().values);
}

TEST_F(Compare, WhatCannotBeIsSaidInOneSentence) {
  const auto data = Dataset::create(volume_of(other_, "other"));
  EXPECT_NE(message(data, "").find("none is named"), std::string::npos);
  EXPECT_NE(message(data, (folder_ / "missing.tif").string()).find("missing.tif"),
            std::string::npos);
  const std::string small =
      write(volume_of(std::vector<float>(60, 1.0F), "small", {3, 4, 5}), "small.tif");
  const std::string sizes = message(data, small);
  EXPECT_NE(sizes.find("small.tif"), std::string::npos) << sizes;
  EXPECT_NE(sizes.find("3 × 4 × 5"), std::string::npos) << sizes;
  EXPECT_NE(sizes.find("7 × 19 × 23"), std::string::npos) << sizes;
  auto holes = truth_;
  holes[17] = std::numeric_limits<float>::quiet_NaN();
  const std::string bad = message(data, write(volume_of(holes, "holes"), "holes.tif"));
  EXPECT_NE(bad.find("not finite"), std::string::npos) << bad;
  EXPECT_NE(bad.find("holes.tif"), std::string::npos) << bad;
}

// What the command and the window measure is the same function.
TEST_F(Compare, DataIsComparedAsItsPixelsAre) {
  const auto a = Dataset::create(volume_of(truth_, "truth"));
  const auto b = Dataset::create(volume_of(other_, "other"));
  const auto found = compare_data(*a, ReconstructionMode::constant, *b, ReconstructionMode::smooth);
  const auto wanted = compare_images(a->values().pixels(), b->values().pixels());
  ASSERT_TRUE(found.ok() && wanted.ok());
  EXPECT_EQ(found->psnr, wanted->psnr);
  EXPECT_EQ(found->ssim, wanted->ssim);
  const auto small = Dataset::create(volume_of({1.0F, 2.0F}, "small", {1, 1, 2}));
  const auto differ =
      compare_data(*a, ReconstructionMode::constant, *small, ReconstructionMode::constant);
  ASSERT_FALSE(differ.ok());
  EXPECT_NE(differ.error().message().find("truth and small"), std::string::npos);
}

}  // namespace
}  // namespace aprscope

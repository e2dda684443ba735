#include "core/operations/particles/file_forecast.hpp"

#include <filesystem>
#include <iterator>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/file_conversion.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;

// The forecast beside the file that is written then.
template <class T>
void expect_near(const Size3& size, double low, double high) {
  SCOPED_TRACE(testing::Message() << size.z << " × " << size.x << " × " << size.y);
  const test::TemporaryFolder folder;
  const Volume volume = test::blobs<T>(size, low, high);
  const auto whole = complete({"convert", {}});
  ASSERT_TRUE(whole);
  const auto path = folder / "out.apr";
  VolumeSlices parts(volume);
  const auto bytes =
      forecast_bytes(parts, conversion_parameters(*whole, {}), {.with_tree = true}, path);
  ASSERT_TRUE(bytes) << bytes.error().message();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 0);
  VolumeSlices slices(volume);
  ASSERT_TRUE(convert_to_file({{"convert", {}}, {}, {.with_tree = true}}, slices, path));
  const auto real = static_cast<double>(std::filesystem::file_size(path));
  const auto forecast = static_cast<double>(*bytes);
  EXPECT_GT(forecast, real / 1.5);
  EXPECT_LT(forecast, real * 1.5);
}

TEST(FileForecast, IsNearTheFileThatIsWritten) {
  expect_near<std::uint16_t>({70, 300, 530}, 0.0, 60000.0);
  expect_near<float>({40, 280, 90}, -10.0, 10.0);
  expect_near<std::uint8_t>({5, 530, 530}, 0.0, 255.0);
}

TEST(FileForecast, TellsWhatWentWrong) {
  const test::TemporaryFolder folder;
  const Volume volume = test::blobs<std::uint16_t>({40, 41, 42}, 0.0, 1000.0);
  VolumeSlices slices(volume);
  slices.fail_after(3);
  const auto failed = forecast_bytes(slices, {}, {.with_tree = true}, folder / "out.apr");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().where, "stack.tif");
  VolumeSlices others(volume);
  EXPECT_FALSE(forecast_bytes(others, {}, {.with_tree = true}, folder / "none" / "out.apr"));
  test::Progress progress(0);
  VolumeSlices stopped(volume);
  const auto cancelled =
      forecast_bytes(stopped, {}, {.with_tree = true}, folder / "out.apr", progress.context());
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().cancelled());
}

TEST(CheckDisk, RefusesOnlyWhatClearlyDoesNotFit) {
  const test::TemporaryFolder folder;
  const auto path = folder / "out.apr";
  const auto free = std::filesystem::space(folder.path()).available;
  EXPECT_TRUE(check_disk(path, 0));
  EXPECT_TRUE(check_disk(path, free / 2));
  const Status full = check_disk(path, 2 * free);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().where, path.string());
  EXPECT_NE(full.error().what.find("are free"), std::string::npos) << full.error().message();
  EXPECT_FALSE(check_disk(folder / "none" / "out.apr", 0));
}

}  // namespace
}  // namespace aprscope

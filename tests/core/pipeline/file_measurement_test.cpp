// Measurements of particles in a file, read in parts: those of all of them in memory.
#include "core/pipeline/file_measurement.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

// Cells to the last bit; what is no number is alike.
std::string printed(const Column& column) { return testing::PrintToString(column.cells); }

TEST(FileMeasurement, IsThatOfAllParticlesInMemory) {
  const TemporaryFolder folder;
  const auto path = folder / "a.apr";
  Apr apr = random_apr({{60, 50, 40}, 3, 0.8, true});
  ASSERT_TRUE(write_apr(apr, path).ok());
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  const VoxelSize voxel{3.0, 2.0, 1.0, "µm"};
  apr.voxel = voxel;
  const auto all = Dataset::create(Data(std::move(apr)));
  for (const char* id : {"statistics", "topology"}) {
    SCOPED_TRACE(id);
    const auto operation = complete({id, {}});
    ASSERT_TRUE(operation.ok());
    EXPECT_TRUE(can_be_in_parts(*operation));
    const auto expected = cpu_backend()->measure(*operation, *all, {});
    ASSERT_TRUE(expected.ok()) << expected.error().message();
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{30'000'000}}) {
      const auto found = measure_in_parts(*operation, *info, {}, memory, voxel);
      ASSERT_TRUE(found.ok()) << found.error().message();
      ASSERT_TRUE(found->has_value());
      ASSERT_EQ((*found)->tables.size(), expected->tables.size());
      for (std::size_t c = 0; c < expected->tables.front().columns.size(); ++c) {
        EXPECT_EQ((*found)->tables.front().columns[c].id, expected->tables.front().columns[c].id);
        EXPECT_EQ(printed((*found)->tables.front().columns[c]),
                  printed(expected->tables.front().columns[c]));
      }
    }
  }
  EXPECT_FALSE(can_be_in_parts({"line_profile", {}}));
}

TEST(FileMeasurement, FileThatIsNotThere) {
  const TemporaryFolder folder;
  const auto path = folder / "a.apr";
  ASSERT_TRUE(write_apr(random_apr({{20, 20, 20}, 3, 0.8, true}), path).ok());
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  std::filesystem::remove(path);
  const auto found = measure_in_parts({"statistics", {}}, *info, {}, 0, {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("a.apr"), std::string::npos);
}

TEST(FileMeasurement, ABoxOfALevelIsOneOfTheFile) {
  const auto region = [](const Operation& of) {
    return std::get<std::string>(of.parameters.at("region"));
  };
  const Size3 size{100, 200, 300};
  const Operation box{"statistics", {{"region", std::string("1:13,0:25,2:38")}}};
  // Level 6 of 9: cells of 8 pixels, the last of which reach out of the image.
  EXPECT_EQ(region(in_pixels_of_file(box, 6, size)), "8:100,0:200,16:300");
  EXPECT_EQ(region(in_pixels_of_file(box, 9, size)), "1:13,0:25,2:38");
  const Operation all{"statistics", {{"region", std::string()}}};
  EXPECT_EQ(region(in_pixels_of_file(all, 6, size)), "");
  const Operation wrong{"statistics", {{"region", std::string("1:x")}}};
  EXPECT_EQ(region(in_pixels_of_file(wrong, 6, size)), "1:x");
}

}  // namespace
}  // namespace aprscope::test

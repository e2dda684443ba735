#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/apr/convert/slice_conversion.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

// What happens to a file between one slice and the next.

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

constexpr Size3 kSize{6, 40, 50};

// Slices of one value each, so that old and new data differ everywhere.
void make_stack(const fs::path& path, std::uint16_t first) {
  TiffMaker maker(path, "w");
  PageSpec spec;
  spec.rows = static_cast<std::uint32_t>(kSize.x);
  spec.cols = static_cast<std::uint32_t>(kSize.y);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    maker.add(spec, std::vector<std::uint16_t>(static_cast<std::size_t>(kSize.x * kSize.y),
                                               static_cast<std::uint16_t>(first + z)));
  }
}

// ImageJ's one directory with all planes behind it.
void make_run(const fs::path& path) {
  {
    TiffMaker maker(path, "w");
    PageSpec spec;
    spec.rows = static_cast<std::uint32_t>(kSize.x);
    spec.cols = static_cast<std::uint32_t>(kSize.y);
    spec.rows_per_strip = spec.rows;
    spec.description = "ImageJ=1.53t\nimages=6\nslices=6\n";
    maker.add(spec, std::vector<std::uint16_t>(static_cast<std::size_t>(kSize.x * kSize.y), 1));
  }
  fs::resize_file(path, fs::file_size(path) + 6 * 40 * 50 * 2);
}

// So that the time of modification has moved on, whatever the step of the system's clock.
void wait_a_tick() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

struct Change {
  const char* name;
  void (*make)(const fs::path& path);
  const char* says;
};

class FileWatchTest : public ::testing::TestWithParam<Change> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(FileWatchTest, SlicesOfAFileThatChangesAreRefused) {
  for (const bool run : {false, true}) {
    const fs::path path = folder_ / (run ? "run.tif" : "stack.tif");
    run ? make_run(path) : make_stack(path, 100);
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    auto slices = open_slices(*info);
    ASSERT_TRUE(slices.ok()) << slices.error().message();
    std::vector<std::uint16_t> slice(static_cast<std::size_t>(kSize.x * kSize.y));
    ASSERT_TRUE((*slices)->read(0, slice.data(), {}).ok());
    wait_a_tick();
    GetParam().make(path);
    const Status changed = (*slices)->read(1, slice.data(), {});
    ASSERT_FALSE(changed.ok()) << (run ? "run" : "stack");
    EXPECT_NE(changed.error().message().find(GetParam().says), std::string::npos)
        << changed.error().message();
    EXPECT_NE(changed.error().message().find(path.string()), std::string::npos);
    // And so is every further one.
    EXPECT_FALSE((*slices)->read(2, slice.data(), {}).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FileWatchTest,
    ::testing::Values(
        Change{"cut", [](const fs::path& p) { fs::resize_file(p, fs::file_size(p) / 2); },
               "was cut off"},
        Change{"emptied", [](const fs::path& p) { fs::resize_file(p, 0); }, "was cut off"},
        Change{"overwritten",
               [](const fs::path& p) {
                 std::fstream file(p, std::ios::binary | std::ios::in | std::ios::out);
                 file.seekp(3000);
                 file << "other bytes";
               },
               "was written to"},
        Change{"grown",
               [](const fs::path& p) { std::ofstream(p, std::ios::binary | std::ios::app) << "x"; },
               "was written to"},
        Change{"replaced",
               [](const fs::path& p) {
                 make_stack(p.parent_path() / "new.tif", 500);
                 fs::rename(p.parent_path() / "new.tif", p);
               },
               "replaced"},
        Change{"removed", [](const fs::path& p) { fs::remove(p); }, "was removed"},
        Change{"fifo",
               [](const fs::path& p) {
                 fs::remove(p);
                 ASSERT_EQ(::mkfifo(p.c_str(), 0600), 0);
               },
               "was removed"}),
    [](const auto& change) { return std::string(change.param.name); });

TEST(FileWatchLoad, AFileThatChangesWhileItIsLoadedIsAnError) {
  const TemporaryFolder folder;
  const fs::path path = folder / "stack.tif";
  make_stack(path, 100);
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  EXPECT_TRUE(load(*info).ok());
  wait_a_tick();
  // Progress is reported after each slice: the file is written to in the middle.
  bool written = false;
  const JobContext context({}, [&](double fraction, std::string_view) {
    if (fraction < 0.5 || written) return;
    written = true;
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(3000);
    file << "other bytes";
  });
  const auto mixed = load(*info, {}, context);
  ASSERT_TRUE(written);
  ASSERT_FALSE(mixed.ok());
  EXPECT_NE(mixed.error().message().find("was written to while it was read"), std::string::npos)
      << mixed.error().message();
}

// A conversion reads the image several times; whenever it is overwritten or cut off, there is no
// APR.
TEST(FileWatchStream, AConversionOfAFileThatChangesGivesNoApr) {
  const TemporaryFolder folder;
  for (const bool cut : {false, true}) {
    // Later than that the last slice may have been read, and all is of one file.
    for (const double when : {0.0, 0.3, 0.6}) {
      const fs::path path = folder / "stack.tif";
      make_stack(path, 100);
      const auto info = inspect(path.string());
      ASSERT_TRUE(info.ok());
      auto slices = open_slices(*info);
      ASSERT_TRUE(slices.ok());
      wait_a_tick();
      std::mutex mutex;
      bool changed = false;
      const JobContext context({}, [&](double fraction, std::string_view) {
        const std::lock_guard lock(mutex);
        if (fraction < when || changed) return;
        changed = true;
        if (cut) {
          fs::resize_file(path, 5000);
        } else {
          std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
          file.seekp(3000);
          file << "other bytes";
        }
      });
      // With automatic thresholds, which are a pass of their own.
      ConversionParameters parameters;
      parameters.auto_thresholds = true;
      const auto apr = convert_slices(**slices, parameters, context);
      ASSERT_TRUE(changed) << when;
      ASSERT_FALSE(apr.ok()) << when;
      EXPECT_NE(apr.error().message().find("while it was read"), std::string::npos)
          << apr.error().message();
    }
  }
}

TEST(FileWatchLoad, ReadingAloneChangesNothing) {
  const TemporaryFolder folder;
  const fs::path path = folder / "stack.tif";
  make_stack(path, 100);
  for (int i = 0; i < 3; ++i) {
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok());
    EXPECT_TRUE(load(*info).ok());
    auto slices = open_slices(*info);
    ASSERT_TRUE(slices.ok());
    std::vector<std::uint16_t> slice(static_cast<std::size_t>(kSize.x * kSize.y));
    for (std::int64_t z = 0; z < kSize.z; ++z) {
      EXPECT_TRUE((*slices)->read(z, slice.data(), {}).ok());
    }
  }
}

}  // namespace
}  // namespace aprscope::test

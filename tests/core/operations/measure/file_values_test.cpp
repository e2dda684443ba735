// Statistics of particles in a file, read some planes at a time: those of the particles in memory.
#include "core/operations/measure/file_values.hpp"

#include <cstring>
#include <filesystem>
#include <limits>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/operations/measure/slice_values.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/open_slabs.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

Apr random_particles(const Size3& size, bool whole_numbers) {
  Apr apr;
  apr.access = test::random_access({size, 17, 0.85, true});
  EXPECT_GT(apr.access->count(), 100U);
  apr.voxel = {2.0, 0.5, 0.25, "µm"};
  apr.history = {"made for this test"};
  auto values = test::random_values(apr.access->count(), 5, 0.0F, 900.0F);
  if (whole_numbers) {
    apr.fields.push_back(std::make_shared<Field>(
        Field{"particles", std::vector<std::uint16_t>(values.begin(), values.end())}));
  } else {
    values.back() = std::numeric_limits<float>::quiet_NaN();
    apr.fields.push_back(std::make_shared<Field>(Field{"particles", std::move(values)}));
  }
  return apr;
}

Operation statistics(const std::string& region) {
  return {"statistics", {{"region", region}, {"bins", std::int64_t{50}}}};
}

// The cells of two tables, none of which may differ in a bit; what is no number is alike.
void expect_same(const Measurement& a, const Measurement& b) {
  ASSERT_EQ(a.tables.size(), b.tables.size());
  EXPECT_EQ(a.history, b.history);
  const Table& one = a.tables.front();
  const Table& other = b.tables.front();
  ASSERT_EQ(one.columns.size(), other.columns.size());
  for (std::size_t c = 0; c < one.columns.size(); ++c) {
    EXPECT_EQ(one.columns[c].id, other.columns[c].id);
    const auto* const numbers = std::get_if<std::vector<double>>(&one.columns[c].cells);
    if (numbers == nullptr) {
      EXPECT_EQ(one.columns[c].cells, other.columns[c].cells) << one.columns[c].id;
      continue;
    }
    const auto& others = std::get<std::vector<double>>(other.columns[c].cells);
    ASSERT_EQ(numbers->size(), others.size());
    for (std::size_t i = 0; i < others.size(); ++i) {
      const bool neither = std::isnan((*numbers)[i]) && std::isnan(others[i]);
      EXPECT_TRUE(neither || (*numbers)[i] == others[i]) << one.columns[c].id << ' ' << i;
    }
  }
  ASSERT_EQ(a.curves.size(), b.curves.size());
  EXPECT_EQ(a.curves.front().x.values, b.curves.front().x.values);
  EXPECT_EQ(a.curves.front().ys.front().values, b.curves.front().ys.front().values);
}

class FileValuesTest : public testing::Test {
 protected:
  // What is found in memory, and a file of the same particles.
  Measurement written(Apr apr, const std::string& region) {
    EXPECT_TRUE(write_apr(apr, path_).ok());
    auto found =
        cpu_backend()->measure(statistics(region), *Dataset::create(Data(std::move(apr))), {});
    EXPECT_TRUE(found.ok()) << found.error().message();
    return found ? *std::move(found) : Measurement();
  }
  AprFileSlabs opened() { return test::open_slabs(path_); }
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.apr";
};

TEST_F(FileValuesTest, SayWhatTheParticlesInMemorySay) {
  test::SanitizedShare share(2);
  for (const Size3& size : {Size3{40, 50, 70}, Size3{33, 17, 49}, Size3{1, 61, 90}}) {
    for (const bool whole_numbers : {false, true}) {
      for (const std::string region : {"", "0:1,5:17,3:40", "5:31,3:16,4:45"}) {
        if (size.z == 1 && region[0] == '5') continue;
        if (!share.takes()) continue;
        const Measurement wanted = written(random_particles(size, whole_numbers), region);
        AprFileSlabs file = opened();
        // Plane by plane, some planes, all at once.
        for (const std::uint64_t memory : {1U, 20'000U, 100'000'000U}) {
          set_thread_count(memory == 1 ? 1 : 5);
          const auto found = measure_file(statistics(region), file, memory);
          set_thread_count(0);
          ASSERT_TRUE(found.ok()) << found.error().message();
          expect_same(*found, wanted);
        }
      }
    }
  }
}

TEST_F(FileValuesTest, AreOfTheVoxelSizeThatIsGiven) {
  Apr apr = random_particles({20, 20, 20}, true);
  ASSERT_TRUE(write_apr(apr, path_).ok());
  AprFileSlabs file = opened();
  file.set_voxel({1.0, 2.0, 3.0, "µm"});
  const auto found = measure_file(statistics(""), file, 1'000'000);
  ASSERT_TRUE(found.ok());
  const Column* const volume = found->tables.front().column("volume");
  ASSERT_NE(volume, nullptr);
  EXPECT_EQ(std::get<std::vector<double>>(volume->cells).front(), 8000.0 * 6.0);
}

TEST_F(FileValuesTest, ErrorsAreThoseOfReading) {
  written(random_particles({40, 50, 70}, true), "");
  AprFileSlabs file = opened();
  const auto outside = measure_file(statistics("0:99,0:1,0:1"), file, 1000);
  ASSERT_FALSE(outside.ok());
  EXPECT_NE(outside.error().message().find("reaches out of the image"), std::string::npos);
  // Other operations need all particles.
  EXPECT_FALSE(measures_files({"cells", {}}));
  EXPECT_FALSE(measure_file({"cells", {}}, file, 1000).ok());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = measure_file(statistics(""), file, 1000, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
  // Another file in its place.
  written(random_particles({40, 50, 70}, false), "");
  const auto changed = measure_file(statistics(""), file, 1000);
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().message().find("while it was read"), std::string::npos)
      << changed.error().message();
}

// Images that are read slice by slice.
class Slices final : public SliceSource {
 public:
  explicit Slices(const Volume& volume) : volume_(volume) {
    header_.name = "slices";
    header_.voxel = volume.voxel;
  }
  [[nodiscard]] Size3 size() const override { return volume_.size(); }
  [[nodiscard]] SampleKind kind() const override {
    return static_cast<SampleKind>(volume_.pixels.index());
  }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    if (context.stop_requested()) return cancelled_error();
    // Ascending, and each pass from its first one on.
    EXPECT_TRUE(z > last_ || z <= first_);
    if (last_ < 0) first_ = z;
    last_ = z;
    if (z == broken) return Error{"cannot be read", "slices", "look at it"};
    if (z == stopping) stop.request_stop();
    std::visit(
        [&](const auto& pixels) {
          const Size3 n = pixels.size;
          std::memcpy(out, &pixels.at(z, 0, 0),
                      static_cast<std::size_t>(n.x * n.y) * sizeof(pixels.values[0]));
        },
        volume_.pixels);
    return {};
  }
  std::int64_t broken = -1;
  /// Asks to stop when this slice has been read.
  std::int64_t stopping = -1;
  std::stop_source stop;

 private:
  const Volume& volume_;
  Volume header_;
  std::int64_t first_ = 0;
  std::int64_t last_ = -1;
};

TEST(SliceValues, SayWhatTheImageInMemorySays) {
  const Size3 size{23, 17, 29};
  const auto check = [&]<class T>(T) {
    Volume volume;
    Pixels<T> pixels(size);
    for (std::size_t i = 0; i < pixels.values.size(); ++i) {
      pixels.values[i] = static_cast<T>((i * 7919) % 251);
    }
    volume.pixels = std::move(pixels);
    volume.voxel = {2.0, 1.0, 0.5, "µm"};
    for (const std::string region : {"", "4:20,3:9,5:6"}) {
      const auto wanted =
          cpu_backend()->measure(statistics(region), *Dataset::create(Data(volume)), {});
      ASSERT_TRUE(wanted.ok());
      // One slice at a time, some, all.
      for (const std::uint64_t memory : {1U, 9'000U, 10'000'000U}) {
        Slices slices(volume);
        set_thread_count(memory == 1 ? 1 : 5);
        const auto found = measure_source(statistics(region), slices, volume.voxel, memory);
        set_thread_count(0);
        ASSERT_TRUE(found.ok()) << found.error().message();
        expect_same(*found, *wanted);
      }
    }
    // An error in the middle, and a stop, end all threads.
    set_thread_count(5);
    Slices broken(volume);
    broken.broken = 7;
    const auto failed = measure_source(statistics(""), broken, volume.voxel, 1000);
    ASSERT_FALSE(failed.ok());
    EXPECT_NE(failed.error().message().find("cannot be read"), std::string::npos);
    Slices stopped(volume);
    stopped.stopping = 7;
    const auto none = measure_source(statistics(""), stopped, volume.voxel, 1000,
                                     JobContext(stopped.stop.get_token()));
    ASSERT_FALSE(none.ok());
    EXPECT_TRUE(none.error().cancelled());
    set_thread_count(0);
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(float{});
}

}  // namespace
}  // namespace aprscope

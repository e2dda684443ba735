// Runs of values of a dataset, whose chunks are looked up and unpacked together.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/io/hdf5/hdf5_array.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {
namespace {

constexpr std::uint64_t kValues = 5000;

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> out(kValues);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int32_t>(7 * i + 3);
  return out;
}

class Hdf5ArrayRuns : public testing::Test {
 protected:
  Hdf5ArrayRuns() {
    const Hdf5Made file(path_);
    const auto chunked = [](hsize_t length, bool packed) {
      return [=](hid_t creation) {
        H5Pset_chunk(creation, 1, &length);
        if (packed) H5Pset_deflate(creation, 1);
      };
    };
    file.dataset("packed", H5T_STD_I32LE, {kValues}, numbers(), chunked(64, true));
    file.dataset("turned", H5T_STD_I32BE, {kValues}, numbers(), chunked(100, false));
    file.dataset("one", H5T_STD_I32LE, {kValues}, numbers(), chunked(kValues, true));
    file.dataset("plain", H5T_STD_I32LE, {kValues}, numbers());
    file.dataset<std::int32_t>("absent", H5T_STD_I32LE, {kValues}, {}, [](hid_t creation) {
      const hsize_t length = 64;
      const std::int32_t fill = 42;
      H5Pset_chunk(creation, 1, &length);
      H5Pset_fill_value(creation, H5T_NATIVE_INT32, &fill);
    });
  }

  [[nodiscard]] Hdf5Array open(const std::string& name) const {
    auto reader = Hdf5Reader::open(path_);
    EXPECT_TRUE(reader.ok());
    auto array = Hdf5Array::open({*reader, "/" + name});
    EXPECT_TRUE(array.ok());
    return *std::move(array);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "runs.h5";
};

std::vector<std::int32_t> wanted(const std::vector<Hdf5Run>& runs) {
  std::vector<std::int32_t> out;
  for (const Hdf5Run& run : runs) {
    for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) {
      out.push_back(static_cast<std::int32_t>(7 * i + 3));
    }
  }
  return out;
}

// Neighbours in one chunk, whole chunks, ends of the dataset, nothing, and long ways between.
const std::vector<std::vector<Hdf5Run>> kRuns{
    {},
    {{17, 0}},
    {{0, kValues}},
    {{0, 1}, {kValues - 1, 1}},
    {{3, 5}, {8, 2}, {20, 30}, {60, 10}, {128, 64}, {193, 0}, {200, 1000}, {3000, 700}},
    {{64, 64}, {192, 128}, {1000, 1}, {1001, 1}, {4990, 10}},
};

TEST_F(Hdf5ArrayRuns, AreTheValuesOneBehindTheOther) {
  for (const char* name : {"packed", "turned", "one", "plain"}) {
    const Hdf5Array array = open(name);
    for (const int threads : {1, 3}) {
      const Threads team(threads);
      for (const auto& runs : kRuns) {
        const auto expected = wanted(runs);
        // Nothing is written beyond.
        std::vector<std::int32_t> got(expected.size() + 1, -1);
        const Status read = array.read_runs(runs, NumberType::i32, got.data(), {});
        ASSERT_TRUE(read) << read.error().message();
        EXPECT_EQ(got.back(), -1);
        got.pop_back();
        EXPECT_EQ(got, expected) << name << ", " << runs.size() << " runs";
      }
    }
  }
}

TEST_F(Hdf5ArrayRuns, OfWhatWasNeverWrittenAreItsFillOrAnError) {
  Hdf5Array array = open("absent");
  const std::vector<Hdf5Run> runs{{10, 3}, {70, 2}};
  std::vector<std::int32_t> got(5, -1);
  ASSERT_TRUE(array.read_runs(runs, NumberType::i32, got.data(), {}));
  EXPECT_EQ(got, std::vector<std::int32_t>(5, 42));
  array.demand_all_values();
  EXPECT_FALSE(array.read_runs(runs, NumberType::i32, got.data(), {}));
}

TEST_F(Hdf5ArrayRuns, DamageAndStopsAreErrors) {
  std::stop_source stopped;
  stopped.request_stop();
  const std::vector<Hdf5Run> runs{{0, 64}, {640, 64}, {2000, 64}};
  std::vector<std::int32_t> got(192);
  const Status cancelled =
      open("packed").read_runs(runs, NumberType::i32, got.data(), JobContext(stopped.get_token()));
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().cancelled());
  const auto places = open("packed").object().reader->places("/packed", {10}, {10});
  ASSERT_TRUE(places.ok());
  std::string bytes = read_bytes(path_);
  for (std::size_t i = 2; i < 20; ++i) bytes[places->front().address + i] = '\x55';
  write_bytes(path_, bytes);
  const Status damaged = open("packed").read_runs(runs, NumberType::i32, got.data(), {});
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message().find("runs.h5:/packed"), std::string::npos)
      << damaged.error().message();
  // Of the others nothing is damaged.
  EXPECT_TRUE(open("packed").read_runs(std::vector<Hdf5Run>{{0, 64}, {2000, 64}}, NumberType::i32,
                                       got.data(), {}));
}

}  // namespace
}  // namespace aprscope::test

#include <cstdlib>

#include <gtest/gtest.h>

#include "gpu/engines/devices.hpp"
#include "tests/core/cells/naive_components.hpp"
#include "tests/support/random_apr.hpp"

// One body for every back end: labels of masks.
namespace aprscope {
namespace {

class BackendLabels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }

  // 0 where the drawn value is below `least`.
  static Volume mask(const Size3& size, float least, int seed) {
    Volume volume;
    volume.name = "mask";
    Pixels<std::uint16_t> pixels(size);
    const auto drawn = test::random_values(static_cast<std::uint64_t>(size.count()),
                                           static_cast<std::uint64_t>(seed), 0.0F, 1000.0F, true);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      pixels.values[i] = static_cast<std::uint16_t>(drawn[i] < least ? 0.0F : drawn[i]);
    }
    volume.pixels = std::move(pixels);
    return volume;
  }
  static Volume as_bytes(const Volume& volume) {
    Pixels<std::uint8_t> bytes(volume.size());
    const auto& values = std::get<Pixels<std::uint16_t>>(volume.pixels).values;
    for (std::size_t i = 0; i < values.size(); ++i) bytes.values[i] = values[i] != 0 ? 255 : 0;
    Volume out;
    out.name = volume.name;
    out.pixels = std::move(bytes);
    return out;
  }

  std::shared_ptr<const Backend> backend_;
};

TEST_P(BackendLabels, AreThoseOfAFlood) {
  const std::pair<const char*, Connectivity> connectivities[] = {
      {"6", Connectivity::faces}, {"18", Connectivity::edges}, {"26", Connectivity::corners}};
  for (const Size3 size : {Size3{1, 37, 70}, Size3{19, 21, 64}, Size3{10, 33, 45}}) {
    for (const float least : {300.0F, 700.0F, 950.0F}) {
      const Volume wide = mask(size, least, static_cast<int>(size.y));
      const Volume bytes = as_bytes(wide);
      const auto& values = std::get<Pixels<std::uint8_t>>(bytes.pixels);
      for (const auto& [word, connectivity] : connectivities) {
        SCOPED_TRACE(std::string(word) + ", " + std::to_string(size.y) + ", " +
                     std::to_string(least));
        const auto wanted = test::naive_components(values, connectivity);
        for (const Volume& volume : {bytes, wide}) {
          std::vector<DeviceMove> moves;
          const auto found = backend_->run(
              {"label", {{"connectivity", std::string(word)}}}, *Dataset::create(volume),
              JobContext().listening([&](const DeviceMove& move) { moves.push_back(move); }));
          ASSERT_TRUE(found.ok()) << found.error().message();
          EXPECT_TRUE(moves.empty());
          const auto labels = std::get<Volume>(*found).labels;
          ASSERT_NE(labels, nullptr);
          EXPECT_EQ(labels->values, wanted.values);
          EXPECT_EQ(labels->largest, wanted.largest);
        }
      }
    }
  }
}

TEST_P(BackendLabels, OfSmallObjectsAreLeftOut) {
  // Single pixels, and one bar of 40.
  Volume volume;
  volume.name = "bar";
  Pixels<std::uint8_t> pixels({9, 20, 50});
  pixels.at(0, 0, 3) = 1;
  for (std::int64_t y = 5; y < 45; ++y) pixels.at(4, 10, y) = 9;
  pixels.at(8, 19, 49) = 1;
  volume.pixels = pixels;
  const auto data = Dataset::create(volume);
  const auto found = backend_->run({"label", {{"min_volume", 40.0}}}, *data, {});
  ASSERT_TRUE(found.ok()) << found.error().message();
  const auto labels = std::get<Volume>(*found).labels;
  EXPECT_EQ(labels->largest, 1U);
  EXPECT_EQ(std::count(labels->values.begin(), labels->values.end(), 1U), 40);
  EXPECT_EQ(labels->values[pixels.index(4, 10, 5)], 1U);
  EXPECT_FALSE(backend_->run({"label", {{"min_volume", 41.0}}}, *data, {}).ok());
}

TEST_P(BackendLabels, OfNothingAreRefused) {
  Volume volume;
  volume.name = "empty";
  volume.pixels = Pixels<std::uint8_t>({3, 5, 7});
  const auto found = backend_->run({"label", {}}, *Dataset::create(volume), {});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().where, "empty");
  EXPECT_NE(found.error().what.find("zero everywhere"), std::string::npos)
      << found.error().message();
}

TEST_P(BackendLabels, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto found = backend_->run({"label", {}}, *Dataset::create(mask({5, 6, 7}, 500.0F, 1)),
                                   JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled()) << found.error().message();
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendLabels, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope

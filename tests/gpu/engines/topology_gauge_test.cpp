#include <bit>
#include <map>

#include <gtest/gtest.h>

#include "gpu/engines/devices.hpp"
#include "tests/core/topology/brute_force.hpp"
#include "tests/support/random_apr.hpp"

// One body for every back end: topology of pixels and of particles.
namespace aprscope {
namespace {

class BackendTopology : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }

  // The Euler characteristic at each level that occurs, levels rising, and its number of voxels.
  using Levels = std::map<double, std::pair<std::int64_t, std::int64_t>>;
  [[nodiscard]] Levels measured(const std::shared_ptr<const Dataset>& data, const char* sets,
                                const char* construction) const {
    std::vector<DeviceMove> moves;
    const auto found = backend_->measure(
        {"topology", {{"sets", std::string(sets)}, {"construction", std::string(construction)}}},
        *data, JobContext().listening([&](const DeviceMove& move) { moves.push_back(move); }));
    EXPECT_TRUE(found.ok()) << found.error().message();
    EXPECT_TRUE(moves.empty());
    Levels out;
    if (!found) return out;
    EXPECT_EQ(found->name, data->name());
    EXPECT_TRUE(found->history.back().ends_with("[" + backend_->id() + "]"))
        << found->history.back();
    const Table& table = found->tables.front();
    const auto& at = std::get<std::vector<double>>(table.column("threshold")->cells);
    const auto& euler = std::get<std::vector<std::int64_t>>(table.column("ecc")->cells);
    const auto& voxels = std::get<std::vector<std::int64_t>>(table.column("voxels")->cells);
    for (std::size_t i = 0; i < at.size(); ++i) out[at[i]] = {euler[i], voxels[i]};
    return out;
  }
  void expect_those_of_the_definition(const std::shared_ptr<const Dataset>& data,
                                      const Pixels<float>& painted, int levels) const {
    for (const char* sets : {"superlevel", "sublevel"}) {
      const bool falling = sets == std::string("superlevel");
      Pixels<std::uint16_t> places(painted.size);
      for (std::size_t i = 0; i < painted.values.size(); ++i) {
        const int v = static_cast<int>(painted.values[i]);
        places.values[i] = static_cast<std::uint16_t>(falling ? levels - 1 - v : v);
      }
      for (const char* construction : {"t", "v"}) {
        SCOPED_TRACE(std::string(sets) + " " + construction);
        const bool closed = construction == std::string("t");
        const StrataCounts counts = test::brute_force_strata(
            places, levels, closed ? Construction::closed_voxels : Construction::vertices);
        Levels wanted;
        std::int64_t euler = 0;
        for (int i = 0; i < levels; ++i) {
          const auto& level = counts.levels[static_cast<std::size_t>(i)];
          for (unsigned s = 0; s < 8; ++s) {
            const int k = std::popcount(s);
            euler += ((closed ? k : 3 - k) % 2 == 0 ? 1 : -1) * level[s];
          }
          if (level[7] != 0) wanted[falling ? levels - 1 - i : i] = {euler, level[7]};
        }
        EXPECT_EQ(measured(data, sets, construction), wanted);
      }
    }
  }

  std::shared_ptr<const Backend> backend_;
};

TEST_P(BackendTopology, OfPixelsIsThatOfTheDefinition) {
  const Size3 size{7, 12, 21};
  const auto values =
      test::random_values(static_cast<std::uint64_t>(size.count()), 5, 0.0F, 9.0F, true);
  Pixels<float> painted(size);
  painted.values = values;
  const auto data_of = [&]<class T>(T) {
    Pixels<T> pixels(size);
    pixels.values.assign(values.begin(), values.end());
    Volume volume;
    volume.pixels = std::move(pixels);
    volume.name = "image";
    return Dataset::create(std::move(volume));
  };
  expect_those_of_the_definition(data_of(std::uint8_t{}), painted, 9);
  expect_those_of_the_definition(data_of(std::uint16_t{}), painted, 9);
  expect_those_of_the_definition(data_of(float{}), painted, 9);
}

TEST_P(BackendTopology, OfParticlesIsThatOfTheirPixels) {
  for (const bool balanced : {true, false}) {
    Apr apr;
    apr.access = test::random_access({{18, 23, 30}, 4, 0.7, balanced});
    apr.name = "particles";
    const auto values = test::random_values(apr.access->count(), 6, 0.0F, 5.0F, true);
    const auto painted = test::naive_reconstruct(*apr.access, values);
    apr.fields = {std::make_shared<const Field>(Field{"particles", values})};
    expect_those_of_the_definition(Dataset::create(std::move(apr)), painted, 5);
  }
}

TEST_P(BackendTopology, IsTheSameAfterAFilterLeftItsDataThere) {
  Apr apr;
  apr.access = test::random_access({{18, 23, 30}, 4, 0.7, true});
  const auto values = test::random_values(apr.access->count(), 6, 0.0F, 5.0F, true);
  apr.fields = {std::make_shared<const Field>(Field{"particles", values})};
  const auto data = Dataset::create(std::move(apr));
  const auto before = measured(data, "superlevel", "t");
  const auto filtered = backend_->run({"gaussian", {}}, *data, {});
  ASSERT_TRUE(filtered.ok()) << filtered.error().message();
  EXPECT_EQ(measured(data, "superlevel", "t"), before);
  const auto again = backend_->run({"gaussian", {}}, *data, {});
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(std::get<Apr>(*again).main_field()->values,
            std::get<Apr>(*filtered).main_field()->values);
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendTopology, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "gpu/engines/devices.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/sanitized.hpp"

// One body for every back end: a conversion is that of core/apr, which has tests of its own, byte
// for byte.
namespace aprscope {
namespace {

class BackendConversion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }

  void expect_same(const Volume& volume, const Operation& operation) const {
    const auto complete_operation = complete(operation);
    ASSERT_TRUE(complete_operation.ok());
    const auto expected = convert(volume, conversion_parameters(*complete_operation, volume.voxel));
    ASSERT_TRUE(expected.ok()) << expected.error().message();
    const auto result = backend_->run(operation, *Dataset::create(Volume(volume)), {});
    ASSERT_TRUE(result.ok()) << result.error().message();
    const auto& got = std::get<Apr>(*result);
    EXPECT_EQ(got.parameters, expected->parameters)
        << got.parameters.sigma_th << " " << expected->parameters.sigma_th << ", "
        << got.parameters.grad_th << " " << expected->parameters.grad_th;
    ASSERT_TRUE(got.access->particles() == expected->access->particles())
        << got.access->count() << " particles instead of " << expected->access->count();
    EXPECT_TRUE(got.access->tree() == expected->access->tree());
    EXPECT_EQ(got.access->level_min_used(), expected->access->level_min_used());
    EXPECT_EQ(got.main_field()->name, expected->main_field()->name);
    EXPECT_TRUE(got.main_field()->values == expected->main_field()->values);
    ASSERT_EQ(got.history.size(), 1U);
    EXPECT_NE(got.history.back().find("[" + std::string(GetParam()) + "]"), std::string::npos);
  }

  std::shared_ptr<const Backend> backend_;
};

Operation with(std::map<std::string, ParameterValue> parameters) {
  return {"convert", std::move(parameters)};
}

TEST_P(BackendConversion, StructureAndValuesAreThoseOfTheCpu) {
  test::SanitizedShare share(3);
  for (const Size3& size :
       {Size3{1, 1, 1}, Size3{2, 2, 2}, Size3{1, 1, 77}, Size3{1, 40, 35}, Size3{2, 18, 33},
        Size3{16, 20, 24}, Size3{17, 19, 21}, Size3{31, 33, 40}, Size3{70, 33, 45},
        Size3{133, 21, 18}, Size3{24, 70, 130}, Size3{3, 3, 3}, Size3{64, 64, 64}}) {
    for (const double lambda : {0.0, 0.2, 3.0, 60.0}) {
      if (!share.takes()) continue;
      SCOPED_TRACE(testing::Message()
                   << size.z << " x " << size.x << " x " << size.y << " λ " << lambda);
      const Volume u16 = test::blobs<std::uint16_t>(size, 100.0, 5000.0);
      expect_same(u16, with({{"lambda", lambda}, {"intensity_th", 150.0}}));
      expect_same(test::blobs<std::uint8_t>(size, 3.0, 250.0), with({{"lambda", lambda}}));
      const Volume f32 = test::blobs<float>(size, -1.0, 10.0);
      expect_same(f32, with({{"lambda", lambda}}));
      const std::map<std::string, ParameterValue> by_hand{
          {"lambda", lambda},     {"auto_thresholds", false},
          {"sigma_th", 20.0},     {"grad_th", 2.0},
          {"sigma_th_max", 30.0}, {"psf", std::array<double, 3>{5.0, 2.0, 3.0}}};
      expect_same(u16, with(by_hand));
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

TEST_P(BackendConversion, EveryParameterCounts) {
  const Volume image = test::blobs<std::uint16_t>({45, 50, 67}, 100.0, 5000.0, 3);
  for (const auto& parameters : std::vector<std::map<std::string, ParameterValue>>{
           {{"rel_error", 0.01}},
           {{"rel_error", 1.0}},
           {{"neighbourhood_optimisation", false}},
           {{"constant_scale", true}},
           {{"constant_scale", true}, {"lambda", 0.0}},
           {{"psf", std::array<double, 3>{6.0, 6.0, 6.0}}},
           {{"psf", std::array<double, 3>{3.0, 1.0, 4.0}}, {"intensity_th", 1000.0}},
           {{"intensity_th", 60000.0}}}) {
    expect_same(image, with(parameters));
  }
  Volume stretched = image;
  stretched.voxel = {3.0, 1.0, 0.5, "µm"};
  expect_same(stretched, with({{"use_voxel_size", true}}));
  expect_same(test::constant_volume<std::uint16_t>({20, 30, 40}, 77), with({}));
  expect_same(test::constant_volume<float>({9, 30, 40}, 0.0F), with({}));
}

// Large enough that thresholds look at every second voxel only.
TEST_P(BackendConversion, ALargeNoisyImage) {
  SyntheticOptions options;
  options.size = test::kSanitized ? Size3{70, 256, 257} : Size3{260, 512, 513};
  const auto image = make_synthetic("cells", options);
  ASSERT_TRUE(image.ok());
  expect_same(*image, with({}));
}

TEST_P(BackendConversion, StopsWhenAskedTo) {
  test::Progress progress(0);
  const auto data = Dataset::create(test::blobs<std::uint16_t>({40, 40, 40}, 0.0, 1000.0));
  const auto result = backend_->run(with({}), *data, progress.context());
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error().cancelled());
}

TEST_P(BackendConversion, ValuesThatAreNotFiniteAreRefused) {
  Volume image = test::blobs<float>({9, 9, 9}, 0.0, 1.0);
  std::get<Pixels<float>>(image.pixels).at(4, 3, 2) = std::numeric_limits<float>::infinity();
  const auto result = backend_->run(with({}), *Dataset::create(std::move(image)), {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message().find("not finite"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendConversion, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope

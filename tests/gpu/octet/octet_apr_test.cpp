#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class OctetAprTest : public test::CudaTest {};

std::vector<std::shared_ptr<const AprAccess>> structures() {
  return {test::random_access({{40, 50, 70}, 3, 0.7, true}),
          test::random_access({{33, 17, 49}, 4, 0.6, true}),
          test::random_access({{48, 32, 64}, 5, 0.4, false}),
          test::random_access({{1, 61, 90}, 6, 0.6, true}),
          test::random_access({{1, 1, 1}, 7, 0.6, true}),
          test::random_access({{2, 2, 2}, 7, 0.6, true}),
          test::random_access({{130, 5, 260}, 8, 0.6, false}),
          test::full_access({18, 19, 35})};
}

TEST_F(OctetAprTest, ParticlesSurviveTheWayToOctetsAndBack) {
  for (const auto& access : structures()) {
    const gpu::OctetApr apr(access, device_);
    const auto values = test::random_values(access->count(), 11);
    const gpu::OctetValues octets = apr.make_values();
    apr.upload(values, octets);
    std::vector<float> back(values.size(), -1.0F);
    apr.download(octets, back);
    EXPECT_EQ(back, values);
    EXPECT_GE(gpu::OctetApr::estimate_bytes(*access, 1), apr.structure().bytes() + octets.bytes());
  }
}

TEST_F(OctetAprTest, TreesEqualThoseOfTheCpuBitForBit) {
  for (const auto& access : structures()) {
    const gpu::OctetApr apr(access, device_);
    const auto values = test::random_values(access->count(), 12, -100.0F, 1000.0F);
    for (const Reduction how : {Reduction::mean, Reduction::min, Reduction::max}) {
      const gpu::OctetValues octets = apr.make_values();
      apr.upload(values, octets);
      apr.fill_tree(octets, how);
      const auto expected = fill_tree(*access, values, how);
      ASSERT_TRUE(expected.ok());
      EXPECT_EQ(apr.download_tree(octets), *expected);
    }
  }
}

TEST_F(OctetAprTest, TooLittleMemoryIsRefusedWithNumbers) {
  const auto refused = gpu::guarded([&]() -> Status {
    const gpu::DeviceBuffer<char> huge(std::uint64_t{1} << 45U, "a test", device_->main());
    return {};
  });
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().what.find("35.2 TB"), std::string::npos) << refused.error().what;
  // And the device goes on working.
  const auto access = test::random_access({{9, 9, 9}, 3, 0.7, true});
  const gpu::OctetApr apr(access, device_);
  const gpu::OctetValues octets = apr.make_values();
  const auto values = test::random_values(access->count(), 1);
  apr.upload(values, octets);
  std::vector<float> back(values.size());
  apr.download(octets, back);
  EXPECT_EQ(back, values);
}

}  // namespace
}  // namespace aprscope

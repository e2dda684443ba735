// How much memory a conversion slice by slice is said to take. That it takes no more is measured on
// the real program (tests/app/cli/kept_memory_test.cpp).
#include "core/apr/convert/streamed_memory.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// An image that nobody reads.
class NoSlices final : public SliceSource {
 public:
  explicit NoSlices(const Size3& size) : size_(size) {}
  [[nodiscard]] Size3 size() const override { return size_; }
  [[nodiscard]] SampleKind kind() const override { return SampleKind::u16; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t, void*, const JobContext&) override {
    ADD_FAILURE() << "read";
    return {};
  }

 private:
  Size3 size_;
  Volume header_;
};

// Whole programs took, as the system measured (VmHWM, less 20 MB of the program itself).
TEST(StreamedMemory, IsWhatWholeProgramsTook) {
  const ConversionParameters p;
  const auto ratio = [&](const Size3& size, SampleKind kind, double kilobytes) {
    return static_cast<double>(streamed_conversion_bytes(size, kind, p)) / 1024.0 /
           (kilobytes - 20000.0);
  };
  EXPECT_NEAR(ratio({256, 2048, 2048}, SampleKind::u16, 850484.0), 1.0, 0.05);
  EXPECT_NEAR(ratio({96, 4096, 4096}, SampleKind::u16, 3295252.0), 1.0, 0.05);
  EXPECT_NEAR(ratio({48, 8192, 8192}, SampleKind::u16, 13031560.0), 1.0, 0.05);
  EXPECT_NEAR(ratio({64, 4096, 4096}, SampleKind::f32, 4633068.0), 1.0, 0.05);
}

TEST(StreamedMemory, GrowsWithTheAreaOfASliceAndHardlyWithTheirNumber) {
  const ConversionParameters p;
  const auto bytes = [&](const Size3& size) {
    return streamed_conversion_bytes(size, SampleKind::u16, p);
  };
  EXPECT_GT(bytes({128, 2000, 1000}), 19 * bytes({128, 1000, 1000}) / 10);
  EXPECT_LT(bytes({512, 1000, 1000}), 12 * bytes({128, 1000, 1000}) / 10);
  // Of a few slices, no more than these are kept.
  EXPECT_LT(bytes({4, 1000, 1000}), bytes({128, 1000, 1000}) / 2);
  // Stronger smoothing reaches over more slices.
  ConversionParameters strong;
  strong.lambda = 100.0F;
  EXPECT_GT(streamed_conversion_bytes({512, 1000, 1000}, SampleKind::u16, strong),
            bytes({512, 1000, 1000}) * 5 / 4);
}

TEST(StreamedMemory, RefusesWhatTakesMoreThanIsAllowed) {
  const NoSlices wide({128, 8192, 8192});
  const ConversionParameters p;
  EXPECT_TRUE(check_streamed_memory(wide, p, std::uint64_t{14} << 30U).ok());
  const Status refused = check_streamed_memory(wide, p, std::uint64_t{4} << 30U);
  ASSERT_FALSE(refused.ok());
  const std::string said = refused.error().message();
  EXPECT_NE(said.find("128 slices of 8192 × 8192 pixels"), std::string::npos) << said;
  EXPECT_NE(said.find("4.3 GB are allowed"), std::string::npos) << said;
  // Without a number, by what is free: no machine has room for 500 TB.
  const Status free = check_streamed_memory(NoSlices({65536, 65536, 65536}), p, 0);
  EXPECT_FALSE(free.ok());
}

}  // namespace
}  // namespace aprscope

#include "gpu/device/cufft_library.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope::gpu {
namespace {

TEST(CufftLibraryTest, SaysWhatIsMissingAndWhatToDo) {
  const auto missing = load_cufft({"libaprscope-is-not-there.so.1", "/nowhere/either.so"});
  ASSERT_FALSE(missing);
  const std::string sentence = missing.error().what;
  EXPECT_NE(sentence.find("cuFFT cannot be loaded"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("libaprscope-is-not-there.so.1"), std::string::npos) << sentence;
  EXPECT_NE(missing.error().advice.find("--device cpu"), std::string::npos);
}

TEST(CufftLibraryTest, AnotherLibraryIsRefused) {
  const auto other = load_cufft({"libm.so.6"});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().what.find("cufftCreate"), std::string::npos) << other.error().what;
}

TEST(CufftLibraryTest, LoadsWithoutADevice) {
  const auto library = load_cufft(cufft_places());
  if (!library) GTEST_SKIP() << library.error().what;
  EXPECT_NE(library->exec_r2c, nullptr);
  // A place that has nothing is passed over.
  std::vector<std::string> places{"/nowhere/libcufft.so"};
  for (const std::string& place : cufft_places()) places.push_back(place);
  EXPECT_TRUE(load_cufft(places));
}

}  // namespace
}  // namespace aprscope::gpu

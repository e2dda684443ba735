#include "core/pipeline/device_names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(DeviceNames, OneSeveralOrAll) {
  const auto one = named_gpus("cuda:12");
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->all);
  EXPECT_EQ(one->numbers, std::vector<int>{12});
  const auto several = named_gpus("cuda:3,0,1");
  ASSERT_TRUE(several);
  EXPECT_EQ(several->numbers, (std::vector<int>{3, 0, 1}));
  EXPECT_EQ(name_of_gpus(several->numbers), "cuda:3,0,1");
  const auto all = named_gpus("cuda:all");
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->all);
  EXPECT_TRUE(all->numbers.empty());
}

TEST(DeviceNames, OthersAreNone) {
  for (const char* name : {"", "cpu", "auto", "cuda", "cuda:", "cuda:x", "cuda:0,", "cuda:,0",
                           "cuda:0,,1", "cuda:-1", "cuda:+1", "cuda:0 ,1", "cuda:0,0", "cuda:1.5",
                           "cuda:all,0", "cuda:0,all", "CUDA:0", "cuda:99999999999999999999"}) {
    EXPECT_FALSE(named_gpus(name)) << name;
  }
}

}  // namespace
}  // namespace aprscope

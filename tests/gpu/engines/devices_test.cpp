#include "gpu/engines/devices.hpp"

#include <gtest/gtest.h>

#include "gpu/bench/benchmark.hpp"
#include "gpu/engines/projections.hpp"

namespace aprscope {
namespace {

TEST(Devices, ThereIsAlwaysACpuAndAnAutomaticChoice) {
  const auto cpu = select_backend("cpu");
  ASSERT_TRUE(cpu.ok());
  EXPECT_EQ((*cpu)->id(), "cpu");
  const auto automatic = select_backend("auto");
  ASSERT_TRUE(automatic.ok());
  const GpuInventory inventory = gpu_inventory();
  EXPECT_EQ((*automatic)->id(), inventory.devices.empty() ? "cpu" : "cuda:0");
}

TEST(Devices, EitherThereAreSomeOrAReason) {
  const GpuInventory inventory = gpu_inventory();
  EXPECT_NE(inventory.devices.empty(), inventory.reason.empty());
  for (const GpuDevice& device : inventory.devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.memory_bytes, std::uint64_t{1} << 28U);
    const auto backend = select_backend("cuda:" + std::to_string(device.index));
    ASSERT_TRUE(backend.ok()) << backend.error().message();
    EXPECT_NE((*backend)->name().find(device.name), std::string::npos);
  }
}

TEST(Devices, OthersAreRefusedWithAReason) {
  for (const char* name : {"cuda:4711", "cuda:", "cuda:-1", "cuda:1x", "tpu"}) {
    const auto backend = select_backend(name);
    ASSERT_FALSE(backend.ok()) << name;
    EXPECT_FALSE(backend.error().what.empty());
    EXPECT_FALSE(backend.error().advice.empty());
  }
  EXPECT_FALSE(gpu_facts("cpu").ok());
}

TEST(Devices, SumsOfProjectionsAreMadeOnThem) {
  InsertionPlan plan;
  plan.side = 8;
  plan.padded = 16;
  plan.tiles = FrequencyTiles(8, 8);
  plan.slab = slab_kernel(plan.blob);
  plan.image_reach = 8;
  for (const char* name : {"cpu", "auto"}) {
    const auto factory = inserters_on(name);
    ASSERT_TRUE(factory.ok()) << name;
    const auto inserter = (*factory)(plan, {});
    ASSERT_TRUE(inserter.ok()) << inserter.error().message();
    EXPECT_GT((*inserter)->batch(), 0);
  }
  for (const char* name : {"cuda:4711", "tpu"}) EXPECT_FALSE(inserters_on(name).ok()) << name;
}

}  // namespace
}  // namespace aprscope

#pragma once

#include <gtest/gtest.h>

#include "gpu/engines/devices.hpp"
#include "gpu/octet/octet_apr.hpp"
#include "tests/core/filter/naive.hpp"

namespace aprscope::test {

/// Skips, visibly, where there is no GPU.
class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    const GpuInventory inventory = gpu_inventory();
    if (inventory.devices.empty()) GTEST_SKIP() << inventory.reason;
    device_ = *gpu::GpuDevice::open(0);
    device_->use();
  }

  std::shared_ptr<gpu::GpuDevice> device_;
};

}  // namespace aprscope::test

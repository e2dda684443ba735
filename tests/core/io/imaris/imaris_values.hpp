#pragma once

#include <gtest/gtest.h>

#include "core/image/volume.hpp"
#include "tests/core/io/imaris/imaris_maker.hpp"

namespace aprscope::test {

/// The pixels that ImarisMaker writes of one view, without its padding.
inline void expect_imaris_values(const Volume& volume, const Size3& size, int level, int time,
                                 int channel) {
  ASSERT_EQ(volume.size(), size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const double wanted = ImarisMaker::value(level, time, channel, static_cast<hsize_t>(z),
                                                 static_cast<hsize_t>(x), static_cast<hsize_t>(y));
        ASSERT_EQ(volume.value({z, x, y}), static_cast<float>(wanted)) << z << " " << x << " " << y;
      }
    }
  }
}

}  // namespace aprscope::test

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/projections/projections.hpp"

namespace aprscope {

/// Images that are in memory already, side² values each, in the order of their numbers.
class MemoryImages final : public ProjectionImages {
 public:
  MemoryImages(std::shared_ptr<const std::vector<float>> pixels, std::int64_t side)
      : pixels_(std::move(pixels)), each_(side * side) {}

  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    auto to = out.begin();
    for (const Projection& row : rows) {
      if (context.stop_requested()) return cancelled_error();
      to = std::copy_n(pixels_->begin() + row.image * each_, each_, to);
    }
    return {};
  }

 private:
  std::shared_ptr<const std::vector<float>> pixels_;
  std::int64_t each_;
};

}  // namespace aprscope

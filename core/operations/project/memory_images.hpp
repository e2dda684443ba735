#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

/// Images that are in memory already, side² values each, in the order of their numbers.
class MemoryImages final : public ProjectionImages {
 public:
  MemoryImages(std::shared_ptr<const std::vector<float>> pixels, std::int64_t side)
      : pixels_(std::move(pixels)), each_(side * side) {}

  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    const auto count = static_cast<std::int64_t>(rows.size());
    parallel_for(count, threads_for(count * each_), [&](std::int64_t i) {
      if (context.stop_requested()) return;
      const Projection& row = rows[static_cast<std::size_t>(i)];
      std::copy_n(pixels_->begin() + row.image * each_, each_, out.begin() + i * each_);
    });
    return context.stop_requested() ? Status(cancelled_error()) : Status();
  }

 private:
  std::shared_ptr<const std::vector<float>> pixels_;
  std::int64_t each_;
};

}  // namespace aprscope

#pragma once

#include "core/filter/slab.hpp"

namespace aprscope::detail {

/// Rows of an image: every block is computed.
class PixelSource : public QuadSource {
 public:
  PixelSource(const Pixels<float>& input, Pixels<float>& out);

  void reserve(const Slab&) override {}
  bool open(const Slab& slab) override;
  [[nodiscard]] PairMask active(std::int64_t z, std::int64_t x) const override;
  Filled fill(std::int64_t z, std::int64_t x, float* const* rows) override;
  void store(std::int64_t z, std::int64_t x, const std::int32_t* starts, std::int64_t count,
             const float* values) override;
  void close() override;

 private:
  const Pixels<float>& input_;
  Pixels<float>& out_;
  Slab slab_;
  PairMask active_;  // the same in every row
  bool streaming_ = false;
};

}  // namespace aprscope::detail

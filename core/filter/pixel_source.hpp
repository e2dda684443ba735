#pragma once

#include "core/filter/slab.hpp"

namespace aprscope::detail {

/// Rows of an image: every block is computed. Filters read the image itself wherever their
/// neighbourhoods lie in it, and have rows filled near its edges only.
class PixelSource : public QuadSource {
 public:
  PixelSource(const Pixels<float>& input, Pixels<float>& out);

  void reserve(const Slab&) override {}
  bool open(const Slab& slab) override;
  [[nodiscard]] const std::uint64_t* active(std::int64_t, std::int64_t) const override {
    return active_.words.data();
  }
  [[nodiscard]] std::int64_t next_active(std::int64_t, std::int64_t x) const override { return x; }
  [[nodiscard]] std::int64_t next_needed(std::int64_t, std::int64_t x) const override { return x; }
  Filled fill(std::int64_t z, std::int64_t x, float* const* rows) override;
  void store(std::int64_t z, std::int64_t x, const std::int32_t* starts, std::int64_t count,
             const RunValues& values) override;
  [[nodiscard]] const Pixels<float>* image() const override { return &input_; }
  [[nodiscard]] const float* result_rows() const override { return out_.values.data(); }
  void store_row(std::int64_t z, std::int64_t x, std::int64_t begin, std::int64_t end,
                 const float* values) override;
  void close() override;

 private:
  const Pixels<float>& input_;
  Pixels<float>& out_;
  Slab slab_;
  PairMask active_;  // the same in every row
  // Results that are kept: those of the slab that are wanted.
  std::int64_t y_begin_ = 0, y_end_ = 0;
  bool streaming_ = false;
};

}  // namespace aprscope::detail

#pragma once

#include <cstring>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "core/apr/convert/slice_source.hpp"

namespace aprscope::test {

/// The slices of a volume in memory, with a record of how they were asked for.
class VolumeSlices : public SliceSource {
 public:
  explicit VolumeSlices(Volume volume) : volume_(std::move(volume)), header_(volume_) {
    header_.pixels = Pixels<float>();
  }
  [[nodiscard]] Size3 size() const override { return volume_.size(); }
  [[nodiscard]] SampleKind kind() const override {
    return static_cast<SampleKind>(volume_.pixels.index());
  }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext&) override {
    EXPECT_TRUE(z > last_ || z == 0) << "slice " << z << " after slice " << last_;
    last_ = z;
    ++reads_;
    if (fail_at_ >= 0 && reads_ > fail_at_) return Error{"is cut off", "stack.tif", "get it again"};
    std::visit(
        [&](const auto& pixels) {
          const auto count = static_cast<std::size_t>(pixels.size.x * pixels.size.y);
          std::memcpy(out, pixels.values.data() + static_cast<std::size_t>(z) * count,
                      count * sizeof(pixels.values[0]));
        },
        volume_.pixels);
    return {};
  }
  [[nodiscard]] bool costly() const override { return costly_; }
  void make_costly() { costly_ = true; }
  void fail_after(int reads) { fail_at_ = reads; }
  [[nodiscard]] int reads() const { return reads_; }

 private:
  Volume volume_;
  Volume header_;
  std::int64_t last_ = -1;
  int reads_ = 0;
  int fail_at_ = -1;
  bool costly_ = false;
};

}  // namespace aprscope::test

#include "core/io/common/headed_slices.hpp"

#include <utility>

namespace aprscope {
namespace {

class HeadedSlices : public SliceSource {
 public:
  HeadedSlices(std::unique_ptr<SliceSource> source, Volume header)
      : source_(std::move(source)), header_(std::move(header)) {}

  [[nodiscard]] Size3 size() const override { return source_->size(); }
  [[nodiscard]] SampleKind kind() const override { return source_->kind(); }
  [[nodiscard]] const Volume& header() const override { return header_; }
  [[nodiscard]] bool costly() const override { return source_->costly(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    return source_->read(z, out, context);
  }

 private:
  std::unique_ptr<SliceSource> source_;
  Volume header_;
};

}  // namespace

std::unique_ptr<SliceSource> headed_slices(std::unique_ptr<SliceSource> source, Volume header) {
  return std::make_unique<HeadedSlices>(std::move(source), std::move(header));
}

}  // namespace aprscope

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/projections/inserter.hpp"

namespace aprscope {

/// The processor's inserter, asked for so many images at a time. Tests derive from it what differs.
class BatchedInserter : public Inserter {
 public:
  BatchedInserter(std::unique_ptr<Inserter> inner, std::int64_t batch)
      : inner_(std::move(inner)), batch_(batch) {}
  [[nodiscard]] std::int64_t batch() const override { return batch_; }
  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override {
    return inner_->insert(images, terms, samples, context);
  }
  Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) override {
    return inner_->sums(half, tiles, out);
  }
  Result<std::vector<float>> take(int half) override { return inner_->take(half); }

 protected:
  [[nodiscard]] Inserter& inner() const { return *inner_; }

 private:
  std::unique_ptr<Inserter> inner_;
  std::int64_t batch_;
};

/// Makes such a one, or what is derived from it, of the processor's and of what else it takes.
template <class Batched, class... Arguments>
Result<std::unique_ptr<Inserter>> make_batched(const InsertionPlan& plan, const JobContext& context,
                                               Arguments... arguments) {
  auto inner = make_cpu_inserter(plan, context);
  if (!inner) return inner.error();
  return std::unique_ptr<Inserter>(std::make_unique<Batched>(*std::move(inner), arguments...));
}

}  // namespace aprscope

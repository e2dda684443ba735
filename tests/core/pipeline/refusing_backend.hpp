#pragma once

#include <string>
#include <utility>

#include "core/pipeline/backend.hpp"

namespace aprscope::test {

/// A device that computes as the CPU does, but refuses one operation (and 3-D views), which then
/// goes to the CPU.
class RefusingBackend : public Backend {
 public:
  explicit RefusingBackend(std::string refused,
                           std::string reason = "it needs 9 GB, and 2 are free")
      : refused_(std::move(refused)), reason_(std::move(reason)) {}

  [[nodiscard]] std::string name() const override { return "cuda:9 Abacus"; }
  [[nodiscard]] std::string id() const override { return "cuda:9"; }
  [[nodiscard]] Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }
  [[nodiscard]] std::uint64_t estimate_bytes(const Operation& operation,
                                             const Dataset& input) const override {
    return cpu_->estimate_bytes(operation, input);
  }
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    return iterate(operation, input, {}, context);
  }
  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override {
    const auto work = [&] { return cpu_->iterate(operation, input, hooks, context); };
    if (operation.id != refused_) return work();
    return compute_elsewhere(*this, *cpu_, reason_, context, work);
  }
  Result<std::shared_ptr<const Raycaster>> raycaster(const std::shared_ptr<const Dataset>& input,
                                                     const JobContext& context) const override {
    if (refused_ == "raycaster") context.moved({id(), cpu_->id(), cpu_->name(), reason_});
    return Backend::raycaster(input, context);
  }
  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override {
    return cpu_->run_regions(operation, input, regions, out, context);
  }

 private:
  std::string refused_;
  std::string reason_;
  std::shared_ptr<const Backend> cpu_ = cpu_backend();
};

}  // namespace aprscope::test

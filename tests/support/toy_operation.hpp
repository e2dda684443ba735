#pragma once

#include <vector>

#include "core/operations/engine/registry.hpp"
#include "core/operations/filter/filter_parameters.hpp"
#include "core/operations/filter/filter_plan.hpp"

namespace aprscope::test {

/// An operation that the program does not know, all of it: a pixel and the next one along y,
/// weighed by `share`.
inline OperationType next_mean() {
  using namespace schema;  // NOLINT: its words are what this is written in
  return filter_operation(
      convolution_schema(
          operation_schema("next_mean", "Mean with the next", "Toys",
                           {DataKind::pixels, DataKind::apr}, "Averages with the next pixel.")
              .with(real("share", "Share", 0.5)
                        .range(0, 1)
                        .alias("part")
                        .help("How much of the next pixel is taken.")),
          "same", false),
      FilterPart::convolution(
          [](const Operation& op, const VoxelSize&, const Size3&) -> Result<std::vector<Stencil>> {
            const auto share = parameter<double>(op, "share");
            return std::vector{Stencil{{1, 1, 3}, {0.0, 1.0 - share, share}, "next"}};
          }));
}

/// What it does, said as a stencil by hand.
inline Operation next_mean_by_hand(double share) {
  return {"custom",
          {{"stencil", Stencil{{1, 1, 3}, {0.0, 1.0 - share, share}, "next"}},
           {"mode", std::string("same")}}};
}

/// As long as this lives it is one of the operations.
class WithToy {
 public:
  WithToy() {
    Registry all = standard_operations();
    all.add(next_mean());
    use_operations(std::move(all));
  }
  ~WithToy() { use_operations(standard_operations()); }
  WithToy(const WithToy&) = delete;
  WithToy& operator=(const WithToy&) = delete;
};

}  // namespace aprscope::test

#pragma once

#include "core/dataset/dataset.hpp"
#include "core/image/labels.hpp"
#include "core/operations/engine/operation_type.hpp"

// What operations that label objects have in common: neighbours, and the least volume.
namespace aprscope {

/// Labels of everything, and pixels of each of them.
class AllLabels : public Prepared {
 public:
  explicit AllLabels(Labels all);
  /// Where the pixels of each are known: [0] of none.
  AllLabels(Labels all, std::vector<std::int64_t> counted);
  [[nodiscard]] std::uint64_t bytes() const override;

  Labels labels;
  std::vector<std::int64_t> counts;
};

ParameterSpec connectivity_parameter(const std::string& of, bool corners_first);
Connectivity connectivity_of(const Operation& operation);
/// `smaller`: what happens to what is smaller.
ParameterSpec min_volume_parameter(const std::string& smaller);

/// What min_volume counts a pixel as, in the cube of the unit of the voxel size; of one slice the
/// area of a pixel, as in the table of cells.
double pixel_volume(const Dataset& input);

/// The labels that are as large as min_volume says. Errors: none is.
Result<Labels> large_enough(const Operation& operation, const Dataset& input, const AllLabels& all);

}  // namespace aprscope

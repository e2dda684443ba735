#pragma once

#include "core/dataset/dataset.hpp"
#include "core/image/labels.hpp"
#include "core/operations/engine/operation_type.hpp"

// Parameters that operations which label objects share: neighbours, and the least volume.
namespace aprscope {

/// Labels of everything, and pixels of each of them.
class AllLabels : public Prepared {
 public:
  explicit AllLabels(Labels all);
  /// With known numbers of pixels for each label: [0] is that of none.
  AllLabels(Labels all, std::vector<std::int64_t> counted);
  [[nodiscard]] std::uint64_t bytes() const override;

  Labels labels;
  std::vector<std::int64_t> counts;
};

ParameterSpec connectivity_parameter(const std::string& of, bool corners_first);
Connectivity connectivity_of(const Operation& operation);
/// `smaller`: what happens to smaller objects, in words.
ParameterSpec min_volume_parameter(const std::string& smaller);

/// The volume of a pixel for min_volume, in the cube of the unit of the voxel size; for one slice
/// the area of a pixel, as in the table of cells.
double pixel_volume(const Dataset& input);

/// The labels that are at least as large as min_volume. Errors: there are none.
Result<Labels> large_enough(const Operation& operation, const Dataset& input, const AllLabels& all);

}  // namespace aprscope

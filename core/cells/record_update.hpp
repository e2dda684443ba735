#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cells/label_sums.hpp"

namespace aprscope {

/// Labels of objects, each once, in ascending order.
std::vector<std::uint32_t> labels_in_order(std::span<const std::uint32_t> labels);

/// The box in which labels changed, with those that they had before.
Region box_of_changed(const LabelRecords& before, const Region& box,
                      std::span<const std::uint32_t> labels);

/// Records where those of some labels (in ascending order) were found again: `found` has theirs,
/// and contacts of which at least one is theirs. A label of which nothing was found is gone.
LabelRecords with_changed(LabelRecords before, const LabelRecords& found,
                          std::span<const std::uint32_t> labels);

}  // namespace aprscope

// Functions of a neighbourhood that are no convolution.
#include <utility>

#include "core/operations/filter/filter_parameters.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/filter_words.hpp"
#include "core/operations/filter/filters.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationType statistic(std::string id, std::string label, const std::string& help,
                        LocalStatistic which) {
  auto made = filter_operation(
      operation_schema(
          std::move(id), std::move(label), "Statistics", {DataKind::pixels, DataKind::apr},
          help + " On particles the size counts cells of each level, so the neighbourhood is wider "
                 "where particles are coarse, unless coarser levels are restricted.")
          .with(stencil_size(3, 1, 63).main().help("Size of the neighbourhood in z, x, y (odd)."))
          .with(choice("mode", "Coarser levels", words_of(kStatisticModes))
                    .help("Neighbourhood of coarser particles. same: as many cells of their own "
                          "level; restricted: as wide in pixels, to the nearest odd number of "
                          "cells. Pixel images have one level only."))
          .with(boundary()),
      FilterPart::other(
          [which](const Operation& op, const VoxelSize&, const Size3& size) -> Result<FilterPlan> {
            FilterPlan plan;
            plan.kind = FilterPlan::Kind::statistic;
            plan.statistic = which;
            plan.mode = value_of(kStatisticModes, parameter<std::string>(op, "mode"));
            plan.boundary = value_of(kBoundaries, parameter<std::string>(op, "boundary"));
            plan.size = size_in_pixels(op, size);
            return plan;
          }));
  if (which == LocalStatistic::standard_deviation) {
    made.range = [](const Operation&) { return Range::own; };
  }
  return made;
}

}  // namespace

std::vector<OperationType> statistic_operations() {
  std::vector<OperationType> all;
  all.push_back(
      statistic("mean", "Local mean", "Mean of the neighbourhood.", LocalStatistic::mean));
  all.push_back(statistic("standard_deviation", "Local standard deviation",
                          "Standard deviation in the neighbourhood.",
                          LocalStatistic::standard_deviation));
  all.push_back(statistic("median", "Median", "Median of the neighbourhood; removes outliers.",
                          LocalStatistic::median));
  all.push_back(statistic("min", "Minimum", "Smallest value of the neighbourhood (erosion).",
                          LocalStatistic::min));
  all.push_back(statistic("max", "Maximum", "Largest value of the neighbourhood (dilation).",
                          LocalStatistic::max));
  return all;
}

}  // namespace aprscope

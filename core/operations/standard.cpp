// The table of all operations: what dialogs, the command line and recipes offer, in menu order.
#include "core/operations/deconvolve/deconvolve.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/filter/filters.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/particles/particles.hpp"
#include "core/operations/project/projecting.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope {

Registry standard_operations() {
  Registry all;
  all.add(convert_operation());
  all.add(reconstruct_operation());
  all.add(crop_operation());
  for (OperationType& filter : convolution_operations()) all.add(std::move(filter));
  for (OperationType& filter : statistic_operations()) all.add(std::move(filter));
  all.add(threshold_operation());
  all.add(watershed_operation());
  all.add(fill_exterior_operation());
  all.add(label_operation());
  all.add(open_labels_operation());
  all.add(clean_labels_operation());
  all.add(correct_operation());
  all.add(map_sharpen_operation());
  all.add(map_mask_operation());
  all.add(map_flip_operation());
  all.add(map_upsample_operation());
  all.add(local_resolution_operation());
  all.add(deconvolve_operation());
  all.add(backproject_operation());
  all.add(project_operation());
  all.add(statistics_operation());
  all.add(line_operation());
  all.add(topology_operation());
  all.add(compare_operation());
  all.add(cells_operation());
  all.add(closing_operation());
  all.add(projections_operation());
  all.add(fsc_operation());
  all.add(guinier_operation());
  all.add(custom_operation());
  return all;
}

}  // namespace aprscope

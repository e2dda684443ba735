#pragma once

#include "core/operations/filter/filter_plan.hpp"
#include "gpu/octet/octet_filter.hpp"

namespace aprscope::gpu {

/// Buffers of values that a filter needs for an APR: the input, the result, and one in which the
/// components of a gradient are added up.
constexpr int kFilterBuffers = 3;

/// Throws a Failure with numbers unless `needed` bytes are free on the device.
void check_device_memory(std::uint64_t needed, const std::string& where, const GpuDevice& device);

/// A filter on the particles of `apr`, into `out`. Where the APR is a part of a larger one of
/// `level_max` levels, its levels are `level_shift` finer there. Throws a Failure, as below.
void run_plan(const FilterPlan& plan, int level_max, int level_shift, const OctetApr& apr,
              const OctetValues& in, const OctetValues& out);
/// As run_plan() above, for the particles of a part only, with the same bits; other slots of `out`
/// are undefined. Interior cells of `in` must hold means already.
void run_plan(const FilterPlan& plan, const OctetApr& apr, const OctetPart& part,
              const OctetValues& in, const OctetValues& out);

/// Filters data that does not fit on the device, with the same bits: in slabs of slices with their
/// surroundings, and the coarse levels separately. Errors: cancelled, not even a thin slab fits
/// (with numbers).
Status filter_in_parts(const FilterPlan& plan, const Dataset& input,
                       const std::shared_ptr<GpuDevice>& device, std::span<float> out,
                       const JobContext& context);

}  // namespace aprscope::gpu

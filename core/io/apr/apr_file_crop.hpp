#pragma once

#include <optional>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/image/region.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// The particles of a box of an .apr file, as crop() makes them of what load_apr() gives (except
/// that the history has no remark on a tree in the file that does not belong to its particles).
/// Some planes are read at a time and only cells that the box touches are kept, so that the file
/// may be of any size. Nothing when the file cannot be read in parts (the older layout, a selection
/// that it does not hold): load() it whole then. Errors: those of load() and of crop(), among them
/// that the file changes meanwhile.
Result<std::optional<Apr>> load_apr_crop(const SourceInfo& info, const SourceSelection& selection,
                                         const Region& box, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <memory>
#include <optional>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/region.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// What a box of a file of particles shows at one of its levels: the particles themselves at the
/// finest, else the image of the level.
struct FileVolume {
  std::shared_ptr<const Dataset> data;
  /// The cells of the level that it has; its own begin at 0.
  Region cells;
};

/// The cells of `level` that a box of cells of that level has. Only the needed part of the file is
/// read. None: the file has no tree, which levels below the finest need, or is no file of particles
/// with such a level. Errors: those of load_apr_file_part() and load_apr_crop(); a box that is not
/// inside of the level.
Result<std::optional<FileVolume>> volume_of_file(const SourceInfo& info,
                                                 const SourceSelection& selection, int level,
                                                 const Region& cells,
                                                 const JobContext& context = {});

}  // namespace aprscope

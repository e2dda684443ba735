#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// Other images of the same size, whose grey values are measured in the objects of an image.
struct ChannelImages {
  std::vector<AnyPixels> images;
  /// Name of each image, and of the image itself; all are different.
  std::vector<std::string> names;
  std::string own_name;
};

/// All channels of these files at one time point (at the only one of a file that has one), but for
/// those that are the image `own` itself, pixel by pixel. Errors name the file: those of inspect()
/// and load(), particles, another size than that of `own`, too little memory; cancelled. Throws
/// std::bad_alloc.
Result<ChannelImages> read_channels(const std::vector<std::string>& files, int time,
                                    const Dataset& own, const JobContext& context = {});

}  // namespace aprscope

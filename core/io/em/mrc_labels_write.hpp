#pragma once

#include <filesystem>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"
#include "core/io/common/label_image_facts.hpp"

// Private to core/io.

namespace aprscope {

/// write_labels() to an MRC file; there are as many labels as pixels.
Status write_mrc_labels(const Labels& labels, const LabelImageFacts& facts,
                        const std::filesystem::path& path, const JobContext& context);

}  // namespace aprscope

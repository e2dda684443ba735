#pragma once

#include <filesystem>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Whether what comes of these steps is labels: of those that do more than measure, the last one
/// gives some. Their result is then written as labels, not as the image that they lie over.
bool ends_in_labels(const std::vector<Operation>& steps);

/// The labels of data as an image, see write_labels(); those of particles as the pixels of their
/// cells. Errors: it has none; those of writing. Throws std::bad_alloc.
Status write_labels_of(const Dataset& data, const std::filesystem::path& path,
                       const JobContext& context = {});

}  // namespace aprscope

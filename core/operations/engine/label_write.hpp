#pragma once

#include <filesystem>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Whether these steps end in labels: the last of those that do more than measure gives labels. The
/// result is then written as labels, not as the image under them.
bool ends_in_labels(const std::vector<Operation>& steps);

/// Writes the labels of data as an image, see write_labels(); those of particles as pixels of their
/// cells. Errors: there are no labels; those of writing. Throws std::bad_alloc.
Status write_labels_of(const Dataset& data, const std::filesystem::path& path,
                       const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <memory>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_change.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// Sums over the objects of data that has labels, and over its own grey values in them: found once,
/// kept with the data, and where labels were corrected since, only those are looked at again.
/// Errors: those of label_records(). Throws std::bad_alloc.
Result<std::shared_ptr<const LabelRecords>> records_of(const Dataset& input,
                                                       const JobContext& context = {});

/// What is known of labels after a change was made in them, or taken back.
KnownLabels known_after(KnownLabels known, const LabelChange& change);

}  // namespace aprscope

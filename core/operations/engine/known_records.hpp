#pragma once

#include <memory>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_change.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// Sums over the objects of data that has labels, and over its grey values in them: computed once
/// and kept with the data; after corrections only the changed labels are looked at again. Errors:
/// those of label_records(). Throws std::bad_alloc.
Result<std::shared_ptr<const LabelRecords>> records_of(const Dataset& input,
                                                       const JobContext& context = {});

/// Updates what is known of labels after a change to them was made or undone.
KnownLabels known_after(KnownLabels known, const LabelChange& change);

}  // namespace aprscope

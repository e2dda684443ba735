#pragma once

#include "core/cells/correction.hpp"
#include "core/cells/label_change.hpp"
#include "core/image/level_set.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// Operations that tell objects from what is round them.
OperationType threshold_operation();
OperationType watershed_operation();
OperationType fill_exterior_operation();
OperationType label_operation();

/// The operation "closing": the enclosed volume against the radius up to which holes are closed.
OperationType closing_operation();

/// Labels that were made elsewhere.
OperationType open_labels_operation();

/// Corrections of labels by hand, and the step that makes one.
OperationType correct_operation();
Operation correct_step(const Correction& asked);
/// The change that a complete "correct" step makes to the labels of an image or of particles,
/// which must have some, without making new labels. Errors: those of correction(). Throws
/// std::bad_alloc.
Result<LabelChange> change_of(const Operation& correct, const Dataset& input,
                              const JobContext& context = {});

/// Labels without what is too small, cut by the border, rough or hollow.
OperationType clean_labels_operation();

/// The step that makes the mask of a level set.
Operation threshold_step(const LevelSet& set);

}  // namespace aprscope

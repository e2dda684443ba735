#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// The operations that a program offers, in menu order.
class Registry {
 public:
  /// Adds one whose id none has yet (programming error otherwise).
  void add(OperationType type);
  [[nodiscard]] const OperationType* find(const std::string& id) const;
  [[nodiscard]] const std::vector<std::unique_ptr<const OperationType>>& all() const {
    return types_;
  }

 private:
  // Each type has its own block of memory, since others point at its schema.
  std::vector<std::unique_ptr<const OperationType>> types_;
};

/// All operations of this program: particles, filters, deconvolution.
Registry standard_operations();

/// The operations in use: the standard ones, unless another call has set others.
const Registry& operations();
/// Says which are in use from now on. Call before anything is done with operations: what was found
/// in those of before is gone.
void use_operations(Registry registry);

// Questions about an operation. It need not be complete, and it may be unknown.

/// Of an unknown operation: traits without a panel.
const Traits& traits_of(const Operation& operation);
/// Whether its preview is an estimate of the whole (Previewed::estimate).
bool is_estimated(const Operation& operation);
/// Whether it goes on from the result of the step before, on the input of that step.
bool goes_on(const Operation& operation);
/// Whether grey values of its result are those of the input. For an unknown operation: they are.
Range range_of(const Operation& operation);
/// The operation with words replaced by numbers for this data, see OperationType::settled.
Operation settled(const Operation& operation, const Dataset& input, const JobContext& context = {});
/// Whether a parameter has a say beside the others, see OperationSchema::counts.
bool counts(const Operation& operation, const std::string& parameter);

}  // namespace aprscope

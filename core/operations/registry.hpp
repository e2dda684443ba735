#pragma once

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
  // Blocks of their own: schemas are pointed at.
  std::vector<std::unique_ptr<const OperationType>> types_;
};

/// Those of this program: particles, filters, deconvolution.
Registry standard_operations();

/// Those in use: the standard ones, unless another call said otherwise.
const Registry& operations();
/// Says which are in use from now on. Call before anything is done with operations: what was found
/// in those of before is gone.
void use_operations(Registry registry);

/// Of an operation that need not be complete; of one that does not exist what is said with each.
/// Traits without a panel:
const Traits& traits_of(const Operation& operation);
/// no:
bool is_estimated(const Operation& operation);
/// no:
bool goes_on(const Operation& operation);
/// that of the input:
Range range_of(const Operation& operation);
/// the operation:
Operation settled(const Operation& operation, const Dataset& input);
/// yes:
bool counts(const Operation& operation, const std::string& parameter);

}  // namespace aprscope

#include "core/operations/engine/registry.hpp"

#include <cassert>
#include <utility>

namespace aprscope {
namespace {

Registry& in_use() {
  static Registry registry = standard_operations();
  return registry;
}

}  // namespace

void Registry::add(OperationType type) {
  assert(find(type.schema.id) == nullptr);
  types_.push_back(std::make_unique<const OperationType>(std::move(type)));
}

const OperationType* Registry::find(const std::string& id) const {
  for (const auto& type : types_) {
    if (type->schema.id == id) return type.get();
  }
  return nullptr;
}

const Registry& operations() { return in_use(); }
void use_operations(Registry registry) { in_use() = std::move(registry); }

std::vector<const OperationSchema*> operation_schemas() {
  std::vector<const OperationSchema*> schemas;
  for (const auto& type : operations().all()) schemas.push_back(&type->schema);
  return schemas;
}

const OperationSchema* find_schema(const std::string& id) {
  const OperationType* type = operations().find(id);
  return type != nullptr ? &type->schema : nullptr;
}

const Traits& traits_of(const Operation& operation) {
  static const Traits none;
  const OperationType* type = operations().find(operation.id);
  return type != nullptr ? type->traits : none;
}

bool is_estimated(const Operation& operation) {
  return traits_of(operation).preview == Previewed::estimate;
}

bool goes_on(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr && type->goes_on && type->goes_on(operation);
}

Range range_of(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  if (type == nullptr || !type->range) return Range::of_input;
  const auto whole = complete(operation);
  return whole ? type->range(*whole) : Range::of_input;
}

Operation settled(const Operation& operation, const Dataset& input, const JobContext& context) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr && type->settled ? type->settled(operation, input, context) : operation;
}

bool counts(const Operation& operation, const std::string& parameter) {
  const OperationType* type = operations().find(operation.id);
  return type == nullptr || !type->schema.counts || type->schema.counts(operation, parameter);
}

}  // namespace aprscope

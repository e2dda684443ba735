#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aprscope::test {

/// A class, struct, union or enum that a source file defines.
struct TypeDefinition {
  /// With its namespaces, and with the arguments of a specialisation: "aprscope::Box<int>".
  std::string name;
  int line = 0;
};

/// The types that `source` defines in namespaces that have a name: those that other files could
/// name, too, and which the linker takes for the same type there. Members of a type belong to it;
/// what functions and nameless namespaces define is nobody else's. Preprocessor lines are not
/// looked at: of `#if` and `#else` both sides count.
std::vector<TypeDefinition> type_definitions(std::string_view source);

}  // namespace aprscope::test

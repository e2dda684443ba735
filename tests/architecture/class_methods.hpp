#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aprscope::test {

/// A class or struct that a source defines, with its public methods.
struct ClassMethods {
  /// Without namespaces; a nested class has the name of the class around it: "Outer::Inner".
  std::string name;
  int line = 0;
  /// Names of public member functions that it declares itself, in order, an overload each. Not
  /// among them: constructors, destructors, operators, Qt signals and slots, friends.
  std::vector<std::string> methods;
};

/// Those of `source`, in the order in which they end; also those in functions.
std::vector<ClassMethods> class_methods(std::string_view source);

}  // namespace aprscope::test

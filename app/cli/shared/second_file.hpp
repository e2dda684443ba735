#pragma once

#include <string>

#include "core/operations/schema/operation.hpp"

namespace aprscope::cli {

/// The parameter that names a second file to compare with, if the operation has one; it may follow
/// the input as in "fsc half1.mrc half2.mrc". Empty: it has none.
inline std::string second_file(const OperationSchema& schema) {
  for (const ParameterSpec& spec : schema.parameters) {
    if (spec.names_file && spec.main) return spec.id;
  }
  return {};
}

}  // namespace aprscope::cli

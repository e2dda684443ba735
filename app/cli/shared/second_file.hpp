#pragma once

#include <string>

#include "core/operations/schema/operation.hpp"

namespace aprscope::cli {

/// The parameter that names what the input is compared with, which may stand beside it: "fsc
/// half1.mrc half2.mrc". Empty: there is none.
inline std::string second_file(const OperationSchema& schema) {
  for (const ParameterSpec& spec : schema.parameters) {
    if (spec.names_file && spec.main) return spec.id;
  }
  return {};
}

}  // namespace aprscope::cli

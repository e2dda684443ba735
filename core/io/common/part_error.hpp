#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// An error that says of which channel and time point it is.
inline Error in_part(Error error, const SourceSelection& selection) {
  if (!error.cancelled()) {
    error.where += " (channel " + std::to_string(selection.channel) + ", time point " +
                   std::to_string(selection.time) + ")";
  }
  return error;
}

}  // namespace aprscope

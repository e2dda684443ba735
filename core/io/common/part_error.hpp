#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// An error that says of which channel and time point it is; one that says so already stays: while
/// one part is made, others of it may be looked at, too.
inline Error in_part(Error error, const SourceSelection& selection) {
  const bool said = error.where.ends_with(')') &&
                    error.where.find(" (channel ") != std::string::npos &&
                    error.where.find(", time point ") != std::string::npos;
  if (!error.cancelled() && !said) {
    error.where += " (channel " + std::to_string(selection.channel) + ", time point " +
                   std::to_string(selection.time) + ")";
  }
  return error;
}

}  // namespace aprscope

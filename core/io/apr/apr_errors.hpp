#pragma once

#include <string>
#include <utility>

#include "core/base/result.hpp"

// Errors that sources of this folder share.

namespace aprscope {

inline Error damaged_apr(std::string what, std::string where) {
  return {std::move(what), std::move(where), "the file is damaged"};
}

/// The error with the file named; cancelling stays what it is.
inline Error in_file(const std::string& where, Error error) {
  if (!error.cancelled()) error.where = where;
  return error;
}

}  // namespace aprscope

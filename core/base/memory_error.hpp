#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/result.hpp"

namespace aprscope {

/// The error of what does not fit into memory; `where` names the data or the step. Not the file is
/// to blame, so nothing is said about damage.
inline Error memory_error(std::string where) {
  return {"does not fit into memory", std::move(where),
          "close other data, crop the image or use a machine with more memory"};
}

/// The file system library says with a code that memory ran out; here that is an exception, as
/// everywhere else, or what it was asked for would be missing without a word.
inline void throw_without_memory(const std::error_code& code) {
  if (code == std::errc::not_enough_memory) throw std::bad_alloc();
}

/// Runs `call` and turns what containers throw when there is no memory for them into
/// memory_error(where). For the borders of a folder that promises errors as values; inside, memory
/// that runs out is an exception. Other exceptions pass.
template <class Call>
auto with_memory_errors(const std::string& where, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return memory_error(where);
}

}  // namespace aprscope

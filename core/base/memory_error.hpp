#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/result.hpp"

namespace aprscope {

/// The error of data that do not fit into memory; `where` names the data or the step. The file is
/// not to blame, so the text says nothing about damage.
inline Error memory_error(std::string where) {
  return {"does not fit into memory", std::move(where),
          "close other data, crop the image or use a machine with more memory"};
}

/// Throws std::bad_alloc if `code` of a std::filesystem call says that memory ran out. Without this
/// the missing result of the call would look like a file or folder that does not exist.
inline void throw_without_memory(const std::error_code& code) {
  if (code == std::errc::not_enough_memory) throw std::bad_alloc();
}

/// Runs `call` and turns what containers throw when there is no memory for them into
/// memory_error(where). Public functions of a folder of core/ that promise errors as values use it;
/// inside the folder, memory that runs out is an exception. Other exceptions pass.
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

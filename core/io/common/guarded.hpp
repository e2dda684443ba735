#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/base/memory_error.hpp"
#include "core/base/result.hpp"

// Private to core/io.

namespace aprscope {

/// Turns exceptions of the libraries of formats into errors that name the file: none may leave
/// core/io, but one for memory that is too short even for the message.
template <class Call>
auto guarded(const std::string& name, const Call& call) -> decltype(call()) {
  try {
    return with_memory_errors(name, call);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return Error{std::string("cannot be read (") + error.what() + ")", name, "check the file"};
  }
}

}  // namespace aprscope

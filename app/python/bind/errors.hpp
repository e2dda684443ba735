#pragma once

#include <exception>
#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "core/base/result.hpp"

namespace aprscope::python {

/// Carries an error to Python, where it becomes an aprscope.Error with its three parts.
class ErrorThrown : public std::exception {
 public:
  explicit ErrorThrown(Error error) : error_(std::move(error)), text_(error_.message()) {}
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  Error error_;
  std::string text_;
};

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw ErrorThrown(result.error());
  return *std::move(result);
}
inline void or_throw(const Status& done) {
  if (!done) throw ErrorThrown(done.error());
}

/// A Python string from a text of the program. Names of files in it may contain bytes that are not
/// UTF-8; they are kept as Python keeps them in such names.
nanobind::str python_text(const std::string& text);

}  // namespace aprscope::python

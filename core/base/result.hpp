#pragma once

#include <string>
#include <utility>
#include <variant>

namespace aprscope {

/// Why a call did not give its result: it failed, or somebody asked it to stop.
enum class ErrorKind { failed, cancelled };

/// An error for the person who can act on it: what went wrong, where (file, field, position), and
/// what to do about it.
struct [[nodiscard]] Error {
  std::string what;
  std::string where;
  std::string advice;
  ErrorKind kind = ErrorKind::failed;

  /// One clear sentence: "where: what; advice."
  [[nodiscard]] std::string message() const;
  [[nodiscard]] bool cancelled() const { return kind == ErrorKind::cancelled; }
};

/// The error of a job that was asked to stop.
Error cancelled_error();

/// A value of type T or an Error. Check it (`if (!result) return result.error();`) before use.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: purpose

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT: implicit on purpose

  [[nodiscard]] bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

using Status = Result<void>;

}  // namespace aprscope

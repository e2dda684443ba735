#pragma once

#include <filesystem>
#include <mutex>
#include <string>

#include <hdf5.h>

#include "core/base/result.hpp"
#include "core/io/common/blosc_packing.hpp"

// Private to core/io: lock and handles for writing with the HDF5 C library. Hdf5Reader reads.

namespace aprscope {

/// Most builds of the HDF5 library are not thread-safe, and sequences of calls never are: hold this
/// during every call of it, the closing of handles included. Recursive, so that a function that
/// holds it may call another that takes it. Also registers the blosc filter (id 32001) and switches
/// off the library's printing of errors in the calling thread.
std::recursive_timed_mutex& hdf5_mutex();

/// Owns one HDF5 identifier of any kind (file, group, dataset, data space, type, attribute,
/// property list) and closes it under hdf5_mutex(). Move-only.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  /// Takes the return of an H5?open / H5?create call; a negative one makes an invalid handle.
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  ~Hdf5Handle() { reset(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(other.release()) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = other.release();
    }
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  explicit operator bool() const { return valid(); }

  /// Gives up ownership of the identifier, which the caller has to close.
  hid_t release() {
    const hid_t id = id_;
    id_ = H5I_INVALID_HID;
    return id;
  }

  /// Closes now. False when the library reports a failure, e.g. a file whose last bytes could not
  /// be written; a destructor could not tell.
  bool reset();

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// The innermost message of the library's error stack, "" if there is none; clears the stack.
std::string hdf5_error_text();

/// An error about `path` with the library's reason: "what (reason)".
Error hdf5_error(const std::filesystem::path& path, const std::string& what,
                 const std::string& advice);

/// Id of the blosc filter in the HDF5 registry.
inline constexpr H5Z_filter_t kBloscFilter = 32001;

/// Adds the blosc filter (byte shuffle) to a dataset creation property list whose chunk size is
/// set. False on failure.
bool add_blosc_filter(hid_t creation_properties, std::size_t type_size, std::size_t chunk_bytes,
                      const BloscPacking& packing);

}  // namespace aprscope

#pragma once

#include <utility>

#include <hdf5.h>

#include "core/base/result.hpp"
#include "core/io/hdf5/hdf5_description.hpp"

// Private to core/io: plain values from identifiers of the HDF5 library. In the helper process
// only, see hdf5_library.hpp.

namespace aprscope {

/// Owns an identifier of any kind. Unlike Hdf5Handle it knows of no other threads.
class Hdf5Id {
 public:
  explicit Hdf5Id(hid_t id = H5I_INVALID_HID) : id_(id) {}
  ~Hdf5Id() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Hdf5Id(const Hdf5Id&) = delete;
  Hdf5Id& operator=(const Hdf5Id&) = delete;

  [[nodiscard]] hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
};

/// The type behind an identifier; kind other for what is neither number nor text.
Hdf5Type type_facts(hid_t type);

/// Extents of a simple or scalar space (the latter has none). False for others.
bool extent_facts(hid_t space, std::vector<std::uint64_t>& extent);

/// Everything about an open dataset but its pixels. Errors: the library's reason.
Result<Hdf5Dataset> dataset_facts(hid_t dataset);

/// The library's reason for what failed last, or `otherwise`; clears it.
std::string library_reason(const std::string& otherwise);
/// The error "cannot be read (reason)", with library_reason(otherwise) as the reason.
Error library_error(const std::string& otherwise);

}  // namespace aprscope

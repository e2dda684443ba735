#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/io/hdf5/hdf5_library.hpp"

// Private to core/io: requests of hdf5_wire.hpp, answered with the HDF5 library.

namespace aprscope {

/// Answers requests in a helper process; see Hdf5Library for where to use it.
class Hdf5Responder {
 public:
  /// Opens a file of so many bytes and returns the first answer. `file` stays the caller's, open.
  std::vector<std::uint8_t> open(int file, std::uint64_t bytes);
  [[nodiscard]] bool is_open() const { return library_.has_value(); }

  /// Answers a request. Throws std::bad_alloc.
  std::vector<std::uint8_t> respond(const std::vector<std::uint8_t>& request);
  /// The answer instead of what was thrown.
  static std::vector<std::uint8_t> out_of_memory();

 private:
  std::optional<Hdf5Library> library_;
};

}  // namespace aprscope

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <hdf5.h>

#include "core/base/result.hpp"
#include "core/io/hdf5/hdf5_description.hpp"

// Private to core/io: asks the HDF5 library for the structure of a file.

namespace aprscope {

/// A file opened by the HDF5 library. The library (1.10) follows damaged files out of its buffers
/// and into endless loops: use this in a process that may end (hdf5_helper.hpp) only. Errors carry
/// the library's reason in `what`; the caller adds the file. Objects are named by their path.
class Hdf5Library {
 public:
  /// `descriptor`, of a file of so many bytes, stays open, and the caller's.
  static Result<Hdf5Library> open(int descriptor, std::uint64_t bytes);
  ~Hdf5Library();
  Hdf5Library(Hdf5Library&& other) noexcept;
  Hdf5Library& operator=(Hdf5Library&&) = delete;
  Hdf5Library(const Hdf5Library&) = delete;
  Hdf5Library& operator=(const Hdf5Library&) = delete;

  /// The kind of the object at a path; none when no link leads there.
  [[nodiscard]] Result<std::optional<Hdf5ObjectKind>> kind(const std::string& path) const;
  /// Hard links of a group in the order of their names. Soft and external ones would lead
  /// elsewhere.
  [[nodiscard]] Result<std::vector<Hdf5Child>> children(const std::string& group) const;
  [[nodiscard]] Result<Hdf5Dataset> dataset(const std::string& path) const;
  /// All attributes of an object.
  [[nodiscard]] Result<std::vector<Hdf5Attribute>> attributes(const std::string& path) const;
  /// The places of `count` chunks, from that with the grid position `first` on, in row-major order
  /// of the box of chunks from `first` to `last` (both inclusive).
  [[nodiscard]] Result<std::vector<Hdf5Place>> places(const std::string& path,
                                                      const std::vector<std::uint64_t>& first,
                                                      const std::vector<std::uint64_t>& last);

 private:
  explicit Hdf5Library(hid_t file) : file_(file) {}

  hid_t file_ = H5I_INVALID_HID;
  // The dataset that was asked for last.
  hid_t open_ = H5I_INVALID_HID;
  std::string open_path_;
};

}  // namespace aprscope

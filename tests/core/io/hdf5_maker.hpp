#pragma once

#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "tests/support/paths.hpp"

// HDF5 files by plain HDF5 calls, without the code under test.

namespace aprscope::test {

/// A file that is closed at the end of the scope.
class Hdf5Made {
 public:
  explicit Hdf5Made(const std::filesystem::path& path, bool latest = false) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    EXPECT_GE(file_, 0);
    H5Pclose(access);
  }
  ~Hdf5Made() { H5Fclose(file_); }
  Hdf5Made(const Hdf5Made&) = delete;
  Hdf5Made& operator=(const Hdf5Made&) = delete;

  [[nodiscard]] hid_t id() const { return file_; }

  void group(const std::string& name) const {
    H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  /// `values`, in the type of the machine that they have, stored as `type`; nothing is written when
  /// there are none. `shape` changes how they are stored.
  template <class T>
  void dataset(
      const std::string& name, hid_t type, const std::vector<hsize_t>& extent,
      const std::vector<T>& values, const std::function<void(hid_t)>& shape = [](hid_t) {}) const;

 private:
  hid_t file_ = -1;
};

template <class T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<T, std::int16_t>) return H5T_NATIVE_INT16;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  return H5T_NATIVE_DOUBLE;
}

template <class T>
void Hdf5Made::dataset(const std::string& name, hid_t type, const std::vector<hsize_t>& extent,
                       const std::vector<T>& values,
                       const std::function<void(hid_t)>& shape) const {
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  shape(creation);
  const hid_t set =
      H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  ASSERT_GE(set, 0) << name;
  if (!values.empty()) {
    ASSERT_GE(H5Dwrite(set, memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  H5Dclose(set);
  H5Pclose(creation);
  H5Sclose(space);
}

/// The values of a dataset as the HDF5 library converts them to floats.
inline std::vector<float> values_by_library(const std::filesystem::path& path,
                                            const std::string& name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  std::vector<float> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name;
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  return out;
}

}  // namespace aprscope::test

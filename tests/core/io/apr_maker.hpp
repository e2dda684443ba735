#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "core/apr/structure/apr.hpp"

// Random APRs, and plain HDF5 calls to make and read files without the code under test.

namespace aprscope::test {

/// A particle cell in the grid of its level. Sorts in the order of particles.
struct Cell {
  int level = 0;
  std::int64_t z = 0, x = 0, y = 0;
  friend auto operator<=>(const Cell&, const Cell&) =
      default;  // NOLINT(modernize-use-nullptr): a slip of the check
};

/// A value that tells cells apart.
inline std::uint16_t value_of(const Cell& c) {
  return static_cast<std::uint16_t>((c.level * 7919 + c.z * 1009 + c.x * 101 + c.y * 13) & 0xFFFF);
}

/// Cells of a random octree over the image, in the order of particles.
inline std::vector<Cell> random_cells(const Size3& size, unsigned seed, double split = 0.85) {
  std::mt19937 random(seed);
  const int last = finest_level(size);
  std::vector<Cell> cells;
  const std::function<void(const Cell&)> grow = [&](const Cell& c) {
    const bool leaf = c.level == last || (c.level > 0 && random() % 1000 >= split * 1000);
    if (leaf) {
      cells.push_back(c);
      return;
    }
    const Size3 fine = level_grid(size, last, c.level + 1);
    for (std::int64_t z = 2 * c.z; z < std::min(2 * c.z + 2, fine.z); ++z) {
      for (std::int64_t x = 2 * c.x; x < std::min(2 * c.x + 2, fine.x); ++x) {
        for (std::int64_t y = 2 * c.y; y < std::min(2 * c.y + 2, fine.y); ++y) {
          grow({c.level + 1, z, x, y});
        }
      }
    }
  };
  grow({0, 0, 0, 0});
  std::sort(cells.begin(), cells.end());
  return cells;
}

/// y and xz_end of the linear layout.
inline std::pair<std::vector<std::uint16_t>, std::vector<std::uint64_t>> linear_arrays(
    const Size3& size, const std::vector<Cell>& cells) {
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> ends{0};
  std::size_t i = 0;
  const int last = finest_level(size);
  for (int l = 1; l <= last; ++l) {
    const Size3 grid = level_grid(size, last, l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        for (; i < cells.size() &&
               std::tie(cells[i].level, cells[i].z, cells[i].x) == std::tie(l, z, x);
             ++i) {
          y.push_back(static_cast<std::uint16_t>(cells[i].y));
        }
        ends.push_back(i);
      }
    }
  }
  return {y, ends};
}

/// An APR of these cells with the field "particles" of value_of().
inline Apr make_apr(const Size3& size, const std::vector<Cell>& cells) {
  auto [y, ends] = linear_arrays(size, cells);
  const int last = finest_level(size);
  auto linear = LinearAccess::create(size, last, 1, last, std::move(y), std::move(ends));
  EXPECT_TRUE(linear.ok()) << (linear.ok() ? "" : linear.error().message());
  auto access = AprAccess::create(std::move(*linear));
  EXPECT_TRUE(access.ok()) << (access.ok() ? "" : access.error().message());
  Apr apr;
  apr.access = *access;
  std::vector<std::uint16_t> values;
  for (const Cell& c : cells) values.push_back(value_of(c));
  apr.fields.push_back(std::make_shared<const Field>(Field{"particles", std::move(values)}));
  return apr;
}

/// A flat APR of an image of more than 2^27 pixels, whose files are packed for looking at parts of
/// them: more than one chunk of particles, all of one level.
inline Apr large_flat_apr() {
  const Size3 size{1, 65536, 2049};
  const int level = 11;
  const Size3 grid = level_grid(size, finest_level(size), level);
  std::vector<Cell> cells;
  for (std::int64_t x = 0; x < grid.x; ++x) {
    for (std::int64_t y = 0; y < grid.y; ++y) cells.push_back({level, 0, x, y});
  }
  return make_apr(size, cells);
}

inline std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// HDF5 types of C++ types.
template <class T>
hid_t h5_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return sizeof(T) == 1   ? H5T_NATIVE_INT8
           : sizeof(T) == 2 ? H5T_NATIVE_INT16
           : sizeof(T) == 4 ? H5T_NATIVE_INT32
                            : H5T_NATIVE_INT64;
  }
  return sizeof(T) == 1   ? H5T_NATIVE_UINT8
         : sizeof(T) == 2 ? H5T_NATIVE_UINT16
         : sizeof(T) == 4 ? H5T_NATIVE_UINT32
                          : H5T_NATIVE_UINT64;
}

/// An HDF5 file open with plain calls.
class PlainHdf5 {
 public:
  enum class Mode { read, create, change };
  PlainHdf5(const std::filesystem::path& path, Mode mode)
      : file_(mode == Mode::create
                  ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                  : H5Fopen(path.c_str(), mode == Mode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR,
                            H5P_DEFAULT)) {
    EXPECT_GE(file_, 0) << path;
  }
  ~PlainHdf5() { H5Fclose(file_); }
  PlainHdf5(const PlainHdf5&) = delete;
  PlainHdf5& operator=(const PlainHdf5&) = delete;

  [[nodiscard]] hid_t id() const { return file_; }

  void group(const std::string& path) {
    const hid_t group = H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(group, 0);
    H5Gclose(group);
  }

  template <class T>
  void attribute(const std::string& object, const std::string& name, T value) {
    const hsize_t one = 1;
    const hid_t space = H5Screate_simple(1, &one, nullptr);
    if (H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0) {
      H5Adelete_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT);
    }
    const hid_t id = H5Acreate_by_name(file_, object.c_str(), name.c_str(), h5_type<T>(), space,
                                       H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(id, 0) << name;
    ASSERT_GE(H5Awrite(id, h5_type<T>(), &value), 0);
    H5Aclose(id);
    H5Sclose(space);
  }

  void text(const std::string& object, const std::string& name, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, value.size());
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space,
                                       H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(id, 0) << name;
    ASSERT_GE(H5Awrite(id, type, value.data()), 0);
    H5Aclose(id);
    H5Sclose(space);
    H5Tclose(type);
  }

  template <class T>
  void dataset(const std::string& path, const std::vector<T>& values) {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t id =
        H5Dcreate2(file_, path.c_str(), h5_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(id, 0) << path;
    if (count > 0) {
      ASSERT_GE(H5Dwrite(id, h5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    H5Dclose(id);
    H5Sclose(space);
  }

  template <class T>
  [[nodiscard]] T number(const std::string& object, const std::string& name) const {
    T value{};
    const hid_t id = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(id, 0) << object << " " << name;
    EXPECT_GE(H5Aread(id, h5_type<T>(), &value), 0);
    H5Aclose(id);
    return value;
  }

  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& path) const {
    const hid_t id = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    EXPECT_GE(id, 0) << path;
    if (id < 0) return {};
    const hid_t space = H5Dget_space(id);
    std::vector<T> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(id, h5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << path;
    H5Sclose(space);
    H5Dclose(id);
    return out;
  }

 private:
  hid_t file_;
};

}  // namespace aprscope::test

// What is written, looked at with plain HDF5 calls, and beside a file of the reference library.
#include <map>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// Decoded by H5Dread, compared with the arrays that the APR was made from.
TEST(WriteApr, PlainHdf5ReadsStructureValuesAndTree) {
  const TemporaryFolder folder;
  const Size3 size{13, 21, 18};
  const auto cells = random_cells(size, 9);
  const Apr apr = make_apr(size, cells);
  ASSERT_TRUE(write_apr(apr, folder / "a.apr", {.with_tree = true}).ok());
  const PlainHdf5 plain(folder / "a.apr", PlainHdf5::Mode::read);
  const std::string group = "ParticleRepr/t";
  const auto [y, ends] = linear_arrays(size, cells);
  EXPECT_EQ(plain.values<std::uint16_t>(group + "/y_vec"), y);
  EXPECT_EQ(plain.values<std::uint64_t>(group + "/xz_end_vec"), ends);
  std::vector<std::uint16_t> values;
  for (const Cell& c : cells) values.push_back(value_of(c));
  EXPECT_EQ(plain.values<std::uint16_t>(group + "/particles"), values);
  EXPECT_EQ(plain.number<std::uint64_t>(group, "total_number_particles"), cells.size());

  // Interior cells: all ancestors of the cells; their values: the mean of their children.
  std::map<Cell, std::pair<double, int>> interior;
  std::map<Cell, double> value;
  for (const Cell& c : cells) value[c] = value_of(c);
  for (int l = finest_level(size); l >= 1; --l) {
    for (const auto& [cell, v] : std::map(value)) {
      if (cell.level != l) continue;
      auto& sum = interior[{l - 1, cell.z / 2, cell.x / 2, cell.y / 2}];
      sum.first += v;
      ++sum.second;
    }
    for (const auto& [cell, sum] : interior) {
      if (cell.level == l - 1) value[cell] = sum.first / sum.second;
    }
  }
  EXPECT_EQ(plain.number<std::uint64_t>(group + "/Tree", "total_number_particles"),
            interior.size());
  const auto tree_y = plain.values<std::uint16_t>(group + "/Tree/y_vec");
  const auto means = plain.values<float>(group + "/Tree/particles");
  ASSERT_EQ(tree_y.size(), interior.size());
  ASSERT_EQ(means.size(), interior.size());
  std::size_t i = 0;
  for (const auto& [cell, sum] : interior) {
    EXPECT_EQ(tree_y[i], cell.y);
    // Half a unit in the last place of a float (2^-24) for each of up to 5 levels.
    EXPECT_NEAR(means[i], value[cell], value[cell] * 3e-7);
    ++i;
  }
  std::size_t rows = 1;
  for (int l = 0; l < finest_level(size); ++l) {
    const Size3 grid = level_grid(size, finest_level(size), l);
    rows += static_cast<std::size_t>(grid.z * grid.x);
  }
  const auto tree_ends = plain.values<std::uint64_t>(group + "/Tree/xz_end_vec");
  EXPECT_EQ(tree_ends.size(), rows);
  EXPECT_EQ(tree_ends.back(), interior.size());
}

// Only a file with its tree shows an overview before it is read whole.
TEST(WriteApr, LargeImagesHaveTheirTreeUnlessAskedOtherwise) {
  const TemporaryFolder folder;
  const Size3 most_without{1, 65536, 2048};  // 2^27 pixels
  const Size3 large{1, 65536, 2049};
  const auto has_tree = [&](const Size3& size, const AprWriteOptions& options) {
    std::vector<Cell> cells;  // all of level 4: 2^12 pixels wide
    for (std::int64_t x = 0; x < 16; ++x) cells.push_back({4, 0, x, 0});
    EXPECT_EQ(level_grid(size, finest_level(size), 4).count(), 16);
    EXPECT_TRUE(write_apr(make_apr(size, cells), folder / "a.apr", options).ok());
    const PlainHdf5 plain(folder / "a.apr", PlainHdf5::Mode::read);
    return H5Lexists(plain.id(), "ParticleRepr/t/Tree", H5P_DEFAULT) > 0;
  };
  EXPECT_FALSE(has_tree(most_without, {}));
  EXPECT_TRUE(has_tree(large, {}));
  EXPECT_FALSE(has_tree(large, {.with_tree = false}));
  EXPECT_TRUE(has_tree(most_without, {.with_tree = true}));
}

// Type class, size, sign and shape of all attributes of an object.
std::map<std::string, std::string> attributes_of(const fs::path& path, const std::string& object) {
  const PlainHdf5 file(path, PlainHdf5::Mode::read);
  std::map<std::string, std::string> out;
  const hid_t id = H5Oopen(file.id(), object.c_str(), H5P_DEFAULT);
  const auto collect = [](hid_t where, const char* name, const H5A_info_t*, void* data) -> herr_t {
    const hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    const H5T_class_t kind = H5Tget_class(type);
    std::string text = std::to_string(kind);
    if (kind == H5T_STRING) {
      text += H5Tis_variable_str(type) > 0 ? " variable" : " fixed";
    } else {
      text += " " + std::to_string(H5Tget_size(type)) + " " + std::to_string(H5Tget_order(type));
      if (kind == H5T_INTEGER) text += H5Tget_sign(type) == H5T_SGN_NONE ? " u" : " s";
    }
    text += " rank " + std::to_string(H5Sget_simple_extent_ndims(space)) + " points " +
            std::to_string(H5Sget_simple_extent_npoints(space));
    (*static_cast<std::map<std::string, std::string>*>(data))[name] = text;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return 0;
  };
  EXPECT_GE(H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &out), 0);
  H5Oclose(id);
  return out;
}

// Type, chunk, filter and its settings of a dataset.
std::string storage_of(const fs::path& path, const std::string& name) {
  const PlainHdf5 file(path, PlainHdf5::Mode::read);
  const hid_t id = H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT);
  const hid_t creation = H5Dget_create_plist(id);
  const hid_t type = H5Dget_type(id);
  hsize_t chunk = 0;
  H5Pget_chunk(creation, 1, &chunk);
  unsigned flags = 0;
  std::size_t count = 16;
  unsigned values[16] = {};
  const H5Z_filter_t filter =
      H5Pget_filter2(creation, 0, &flags, &count, values, 0, nullptr, nullptr);
  std::string text = std::to_string(H5Tget_size(type)) + " bytes, chunk " + std::to_string(chunk) +
                     ", filters " + std::to_string(H5Pget_nfilters(creation)) + ": " +
                     std::to_string(filter) + " flags " + std::to_string(flags) + " values";
  for (std::size_t i = 0; i < count; ++i) text += " " + std::to_string(values[i]);
  H5Tclose(type);
  H5Pclose(creation);
  H5Dclose(id);
  return text;
}

// A large file is looked at in parts, which must be unpacked: LZ4, which every reader of blosc
// knows.
TEST(WriteApr, LargeImagesArePackedByLz4UnlessAskedOtherwise) {
  const TemporaryFolder folder;
  const auto codec = [&](const Size3& size, const AprWriteOptions& options, const char* name) {
    std::vector<Cell> cells;  // all of level 4: 2^12 pixels wide
    for (std::int64_t x = 0; x < 16; ++x) cells.push_back({4, 0, x, 0});
    EXPECT_TRUE(write_apr(make_apr(size, cells), folder / "a.apr", options).ok());
    const std::string storage = storage_of(folder / "a.apr", std::string("ParticleRepr/t/") + name);
    return storage.substr(storage.rfind(' ') + 1);
  };
  const Size3 small{1, 65536, 2048};  // 2^27 pixels
  const Size3 large{1, 65536, 2049};
  const std::string lz4 = "1", lz4hc = "2", zstd = "5";  // as blosc numbers them
  for (const char* name : {"y_vec", "xz_end_vec"}) {
    EXPECT_EQ(codec(small, {}, name), zstd) << name;
    EXPECT_EQ(codec(large, {}, name), lz4hc) << name;
  }
  EXPECT_EQ(codec(small, {}, "particles"), zstd);
  EXPECT_EQ(codec(large, {}, "particles"), lz4);
  EXPECT_EQ(codec(large, {}, "Tree/particles"), lz4);
  EXPECT_EQ(codec(large, {.with_tree = {}, .for_looking = false}, "particles"), zstd);
  EXPECT_EQ(codec(small, {.with_tree = {}, .for_looking = true}, "particles"), lz4);
}

// A file of the reference library, read and written again: every attribute that it has is there in
// the same type and with the same value, and every dataset is stored in the same way.
TEST(WriteApr, LooksLikeAFileOfTheReferenceLibrary) {
  APRSCOPE_NEEDS_DATA();
  const TemporaryFolder folder;
  const fs::path original = data_dir() / "apr" / "sphere_diff_dims" / "sphere.apr";
  const fs::path ours = folder / "sphere.apr";
  ASSERT_TRUE(write_apr(load(original), ours).ok());
  const std::string group = "ParticleRepr/t";
  const auto theirs = attributes_of(original, group);
  const auto written = attributes_of(ours, group);
  ASSERT_GT(theirs.size(), 40U);
  const PlainHdf5 a(original, PlainHdf5::Mode::read);
  const PlainHdf5 b(ours, PlainHdf5::Mode::read);
  for (const auto& [name, kind] : theirs) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(written.contains(name));
    EXPECT_EQ(written.at(name), kind);
    if (name == "githash") continue;  // says which build of a library wrote the file
    if (name == "name") continue;
    EXPECT_EQ(a.number<double>(group, name), b.number<double>(group, name));
  }
  for (const char* name : {"y_vec", "xz_end_vec", "particle_intensities"}) {
    SCOPED_TRACE(name);
    const std::string path = group + "/" + name;
    EXPECT_EQ(storage_of(original, path), storage_of(ours, path));
    EXPECT_EQ(a.values<std::uint64_t>(path), b.values<std::uint64_t>(path));
  }
}

TEST(WriteApr, TreeGroupHasWhatTheReferenceAsksOfIt) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_apr(rich_apr(), folder / "a.apr").ok());
  const auto tree = attributes_of(folder / "a.apr", "ParticleRepr/membrane/Tree");
  const auto group = attributes_of(folder / "a.apr", "ParticleRepr/membrane");
  for (const char* name : {"total_number_particles", "compress_type", "quantization_factor",
                           "compress_background", "lzxy_order"}) {
    ASSERT_TRUE(tree.contains(name)) << name;
    EXPECT_EQ(tree.at(name), group.at(name)) << name;
  }
}

}  // namespace
}  // namespace aprscope::test

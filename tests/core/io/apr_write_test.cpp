// What is written: read back by us, and looked at with plain HDF5 calls.
#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/apr/tree.hpp"
#include "core/io/apr_file.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/apr_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

template <class T>
std::shared_ptr<const Field> field_of(const std::string& name, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * 2654435761U);
  if constexpr (std::is_floating_point_v<T>) {
    for (auto& v : values) v = v / 7 - 1;
  }
  values.front() = std::numeric_limits<T>::lowest();
  values.back() = std::numeric_limits<T>::max();
  return std::make_shared<const Field>(Field{name, std::move(values)});
}

// An APR with a field of each type, out of alphabetical order, and everything else set.
Apr rich_apr(const Size3& size = {13, 21, 18}, unsigned seed = 7) {
  Apr apr = make_apr(size, random_cells(size, seed));
  const std::size_t n = apr.access->count();
  apr.fields.push_back(field_of<std::uint8_t>("z u8", n));
  apr.fields.push_back(field_of<std::uint32_t>("u32", n));
  apr.fields.push_back(field_of<std::uint64_t>("u64", n));
  apr.fields.push_back(field_of<std::int8_t>("i8", n));
  apr.fields.push_back(field_of<std::int16_t>("i16", n));
  apr.fields.push_back(field_of<std::int32_t>("i32", n));
  apr.fields.push_back(field_of<std::int64_t>("i64", n));
  apr.fields.push_back(field_of<float>("f32", n));
  apr.fields.push_back(field_of<double>("a f64", n));
  const std::size_t cells = apr.access->tree().count();
  apr.tree_fields.push_back(field_of<float>("tree b", cells));
  apr.tree_fields.push_back(field_of<std::uint16_t>("tree a", cells));
  apr.voxel = {0.235, 0.15, 0.1499, "µm"};
  apr.parameters = {1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 0.05F, 1.1F, 1.2F, 1.3F, 6.5F, 7.5F};
  apr.name = "ovule, day 3";
  apr.channel = "membrane";
  apr.history = {"convert rel_error=0.05", "", "filter gaussian sigma=2 µm"};
  return apr;
}

void expect_same_fields(const std::vector<std::shared_ptr<const Field>>& a,
                        const std::vector<std::shared_ptr<const Field>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i]->name, b[i]->name);
    EXPECT_EQ(a[i]->values, b[i]->values) << a[i]->name;
  }
}

void expect_same(const Apr& a, const Apr& b) {
  ASSERT_NE(b.access, nullptr);
  EXPECT_TRUE(a.access->particles() == b.access->particles());
  EXPECT_TRUE(a.access->tree() == b.access->tree());
  expect_same_fields(a.fields, b.fields);
  expect_same_fields(a.tree_fields, b.tree_fields);
  EXPECT_EQ(a.voxel, b.voxel);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.channel, b.channel);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.history, b.history);
}

Apr load(const fs::path& path, SourceSelection selection = {}) {
  auto info = inspect_apr(path);
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  if (!info.ok()) return {};
  auto apr = load_apr(*info, selection);
  EXPECT_TRUE(apr.ok()) << (apr.ok() ? "" : apr.error().message());
  return apr.ok() ? *apr : Apr{};
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(WriteApr, ReadBackIsIdentical) {
  const TemporaryFolder folder;
  const Apr apr = rich_apr();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  expect_same(apr, load(folder / "a.apr"));
  EXPECT_EQ(files_in(folder.path()), std::set<std::string>{"a.apr"});
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->channels, std::vector<std::string>{"membrane"});
  EXPECT_EQ(info->dtype, "u16");
  EXPECT_EQ(info->particles, apr.access->count());
  EXPECT_EQ(info->voxel, apr.voxel);
  EXPECT_EQ(info->fields.size(), 10U);
  EXPECT_EQ(info->fields.front(), "particles");
}

TEST(WriteApr, BareAndTinyAprsComeBack) {
  const TemporaryFolder folder;
  for (const Size3& size : {Size3{1, 1, 1}, Size3{1, 1, 5}, Size3{2, 2, 2}, Size3{1, 33, 20}}) {
    const Apr apr = make_apr(size, random_cells(size, 11));
    ASSERT_TRUE(write_apr(apr, folder / "a.apr", {.with_tree = true}).ok());
    const Apr back = load(folder / "a.apr");
    Apr expected = apr;
    expected.tree_fields = back.tree_fields;
    ASSERT_EQ(back.tree_fields.size(), 1U);
    expect_same(expected, back);
  }
  Apr fieldless = make_apr({4, 4, 4}, random_cells({4, 4, 4}, 1));
  fieldless.fields.clear();
  ASSERT_TRUE(write_apr(fieldless, folder / "a.apr", {.with_tree = true}).ok());
  expect_same(fieldless, load(folder / "a.apr"));
}

// More than one chunk of 100000 values; a length that is a multiple of the chunk and one that is
// not.
TEST(WriteApr, SeveralChunks) {
  const TemporaryFolder folder;
  const Size3 size{1, 500, 1000};
  std::vector<Cell> cells;
  for (std::int64_t x = 0; x < size.x; ++x) {
    for (std::int64_t y = 0; y < size.y; ++y) cells.push_back({10, 0, x, y});
  }
  const Apr apr = make_apr(size, cells);
  ASSERT_EQ(apr.access->count(), 500000U);
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  expect_same(apr, load(folder / "a.apr"));
  const PlainHdf5 plain(folder / "a.apr", PlainHdf5::Mode::read);
  EXPECT_EQ(plain.values<std::uint16_t>("ParticleRepr/t/particles"),
            std::get<std::vector<std::uint16_t>>(apr.fields[0]->values));
}

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

TEST(WriteApr, LongNamesAreCutBetweenCharacters) {
  const TemporaryFolder folder;
  Apr apr = rich_apr();
  apr.name.assign(98, 'n');
  apr.name += "µµ";
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  EXPECT_EQ(load(folder / "a.apr").name, std::string(98, 'n'));
}

TEST(WriteApr, VeryLongHistoriesKeepTheirNewestLines) {
  const TemporaryFolder folder;
  Apr apr = rich_apr();
  apr.history.clear();
  for (int i = 0; i < 5000; ++i) apr.history.push_back("filter number " + std::to_string(i));
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  const auto history = load(folder / "a.apr").history;
  ASSERT_GT(history.size(), 1000U);
  EXPECT_EQ(history.back(), apr.history.back());
  EXPECT_TRUE(std::equal(history.rbegin(), history.rend(), apr.history.rbegin()));
}

TEST(WriteApr, SeriesOfChannelsAndTimes) {
  const TemporaryFolder folder;
  std::vector<Apr> series;
  const std::string channels[] = {"nuclei", "membrane"};
  for (int time = 0; time < 3; ++time) {
    for (int channel = 0; channel < 2; ++channel) {
      Apr apr = rich_apr({9, 8, 7}, static_cast<unsigned>(10 * time + channel));
      apr.channel = channels[channel];
      apr.channel_index = channel;
      apr.time = time;
      series.push_back(std::move(apr));
    }
  }
  ASSERT_TRUE(write_apr_series(series, folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->channels, (std::vector<std::string>{"nuclei", "membrane"}));
  EXPECT_EQ(info->times, 3);
  for (int time = 0; time < 3; ++time) {
    for (int channel = 0; channel < 2; ++channel) {
      expect_same(series[static_cast<std::size_t>(2 * time + channel)],
                  load(folder / "a.apr", {channel, time}));
    }
  }
  const PlainHdf5 plain(folder / "a.apr", PlainHdf5::Mode::read);
  EXPECT_EQ(plain.number<std::uint64_t>("ParticleRepr/nuclei2", "time_steps"), 2U);
  for (const SourceSelection& none : {SourceSelection{2, 0}, SourceSelection{0, 3}}) {
    const auto apr = load_apr(*info, none);
    ASSERT_FALSE(apr.ok());
    EXPECT_NE(apr.error().message().find("a.apr"), std::string::npos);
  }
}

// Channel "a1" at time 0 and channel "a" at time 1 have the same name in the reference's scheme;
// a slash cannot stand in a name at all.
TEST(WriteApr, ChannelsWithDifficultNamesStayApart) {
  const TemporaryFolder folder;
  std::vector<Apr> series;
  for (const auto& [channel, time] : std::vector<std::pair<std::string, int>>{{"a", 0},
                                                                              {"a1", 0},
                                                                              {"a", 1},
                                                                              {"a1", 1},
                                                                              {"405/DAPI µ", 0},
                                                                              {"405/DAPI µ", 1},
                                                                              {"", 0},
                                                                              {"", 1},
                                                                              {".", 0},
                                                                              {".", 1}}) {
    Apr apr = rich_apr({5, 4, 6}, static_cast<unsigned>(series.size()));
    apr.channel = channel;
    apr.channel_index = static_cast<int>(series.size()) / 2;
    apr.time = time;
    series.push_back(std::move(apr));
  }
  series[1].channel_index = 1;
  series[2].channel_index = 0;
  ASSERT_TRUE(write_apr_series(series, folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->times, 2);
  ASSERT_EQ(info->channels.size(), 5U);
  for (const Apr& apr : series) {
    expect_same(apr, load(folder / "a.apr", {apr.channel_index, apr.time}));
  }
}

TEST(WriteApr, TheSameBytesAgain) {
  const TemporaryFolder folder;
  const Apr apr = rich_apr();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  ASSERT_TRUE(write_apr(apr, folder / "b.apr").ok());
  const auto bytes = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes(folder / "a.apr"), bytes(folder / "b.apr"));
}

TEST(WriteApr, WhatCannotBeWrittenIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::function<void(Apr&)>& spoil, const std::string& words) {
    Apr apr = rich_apr({4, 4, 4});
    spoil(apr);
    const Status status = write_apr(apr, folder / "a.apr");
    ASSERT_FALSE(status.ok()) << words;
    EXPECT_NE(status.error().message().find(words), std::string::npos) << status.error().message();
    EXPECT_NE(status.error().message().find("a.apr"), std::string::npos);
  };
  const auto rename = [](const std::string& name) {
    return [name](Apr& apr) {
      Field field = *apr.fields.front();
      field.name = name;
      apr.fields.front() = std::make_shared<const Field>(std::move(field));
    };
  };
  refused([](Apr& apr) { apr.access.reset(); }, "no structure");
  refused(rename("y_vec"), "cannot be called");
  refused(rename("Tree"), "cannot be called");
  refused(rename(""), "cannot be called");
  refused(rename("a/b"), "cannot be called");
  refused(rename("u32"), "two fields");
  refused([](Apr& apr) { apr.fields.push_back(field_of<float>("short", 3)); }, "3 values");
  refused([](Apr& apr) { apr.tree_fields.push_back(field_of<float>("short", 3)); }, "3 values");
  refused([](Apr& apr) { apr.time = -1; }, "negative");
  EXPECT_FALSE(write_apr_series({}, folder / "a.apr").ok());
  const Status twice = write_apr_series({rich_apr(), rich_apr()}, folder / "a.apr");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().message().find("twice"), std::string::npos);
  EXPECT_TRUE(files_in(folder.path()).empty());
}

// Asks to stop after `limit` reports; at once for 0.
class StopAfter {
 public:
  explicit StopAfter(int limit) : left_(limit) {
    if (limit == 0) stop_.request_stop();
  }
  JobContext context() {
    return JobContext(stop_.get_token(), [this](double, std::string_view) {
      if (--left_ < 0) stop_.request_stop();
    });
  }

 private:
  std::stop_source stop_;
  int left_;
};

TEST(WriteApr, CancelLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const Apr apr = rich_apr();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  Apr other = rich_apr({20, 20, 20}, 3);
  // Stops at each of the first reports in turn, until the writing is done before the stop.
  int stops = 0;
  for (int limit = 0; limit < 1000; ++limit) {
    StopAfter stop(limit);
    const Status status = write_apr(other, folder / "a.apr", {.with_tree = true}, stop.context());
    if (status.ok()) break;
    ++stops;
    ASSERT_TRUE(status.error().cancelled());
    ASSERT_EQ(files_in(folder.path()), std::set<std::string>{"a.apr"});
    ASSERT_EQ(load(folder / "a.apr").access->size(), apr.access->size());
  }
  EXPECT_GT(stops, 5);
  expect_same_fields(other.fields, load(folder / "a.apr").fields);
}

TEST(WriteApr, ProgressRises) {
  const TemporaryFolder folder;
  double last = 0;
  const JobContext context({}, [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1.0);
    last = fraction;
  });
  ASSERT_TRUE(write_apr(rich_apr(), folder / "a.apr", {.with_tree = true}, context).ok());
  EXPECT_EQ(last, 1.0);
  last = 0;
  auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  ASSERT_TRUE(load_apr(*info, {}, context).ok());
  EXPECT_EQ(last, 1.0);
}

TEST(LoadApr, CancelledAtAnyReport) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_apr(rich_apr(), folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  int stops = 0;
  for (int limit = 0; limit < 1000; ++limit) {
    StopAfter stop(limit);
    const auto apr = load_apr(*info, {}, stop.context());
    if (apr.ok()) break;
    ++stops;
    ASSERT_TRUE(apr.error().cancelled()) << apr.error().message();
  }
  EXPECT_GT(stops, 5);
}

// A disk that ends after some bytes, played by the limit on file sizes.
TEST(WriteApr, AFullDiskIsOneErrorAndLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const Apr small = rich_apr({4, 4, 4});
  ASSERT_TRUE(write_apr(small, folder / "a.apr").ok());
  const Apr large = rich_apr({24, 24, 24}, 3);
  ASSERT_TRUE(write_apr(large, folder / "whole.apr").ok());
  const auto whole = fs::file_size(folder / "whole.apr");
  fs::remove(folder / "whole.apr");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  for (int part = 0; part < 8; ++part) {
    rlimit full = limit;
    full.rlim_cur = whole * static_cast<unsigned>(part) / 8;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    const Status status = write_apr(large, folder / "a.apr");
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message().find("a.apr"), std::string::npos)
        << status.error().message();
    EXPECT_EQ(status.error().message().find(".part"), std::string::npos);
    EXPECT_EQ(files_in(folder.path()), std::set<std::string>{"a.apr"});
  }
  std::signal(SIGXFSZ, before);
  // The library goes on working.
  expect_same(small, load(folder / "a.apr"));
  ASSERT_TRUE(write_apr(large, folder / "a.apr").ok());
  expect_same(large, load(folder / "a.apr"));
}

// A tree that belongs to other particles is left out, and the history says so.
TEST(LoadApr, ForeignTreeFieldsAreLeftOut) {
  const TemporaryFolder folder;
  const Apr apr = rich_apr();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  {
    PlainHdf5 file(folder / "a.apr", PlainHdf5::Mode::change);
    file.dataset("ParticleRepr/membrane/Tree/odd", std::vector<float>{1, 2, 3});
  }
  const Apr back = load(folder / "a.apr");
  expect_same_fields(apr.tree_fields, back.tree_fields);
  ASSERT_FALSE(back.history.empty());
  EXPECT_NE(back.history.back().find("odd"), std::string::npos);

  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  {
    PlainHdf5 file(folder / "a.apr", PlainHdf5::Mode::change);
    H5Ldelete(file.id(), "ParticleRepr/membrane/Tree/y_vec", H5P_DEFAULT);
    file.dataset("ParticleRepr/membrane/Tree/y_vec",
                 std::vector<std::uint16_t>(apr.access->tree().count(), 0));
  }
  const Apr without = load(folder / "a.apr");
  EXPECT_TRUE(without.tree_fields.empty());
  EXPECT_NE(without.history.back().find("tree"), std::string::npos);
  expect_same_fields(apr.fields, without.fields);
}

}  // namespace
}  // namespace aprscope::test

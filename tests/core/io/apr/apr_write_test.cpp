// What is written: read back by us.
#include <algorithm>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_at(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
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
  for (const bool for_looking : {false, true}) {
    ASSERT_TRUE(
        write_apr(apr, folder / "a.apr", {.with_tree = {}, .for_looking = for_looking}).ok());
    expect_same(apr, load(folder / "a.apr"));
    const PlainHdf5 plain(folder / "a.apr", PlainHdf5::Mode::read);
    EXPECT_EQ(plain.values<std::uint16_t>("ParticleRepr/t/particles"),
              std::get<std::vector<std::uint16_t>>(apr.fields[0]->values));
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

TEST(WriteApr, PartsAreMadeOneAfterTheOther) {
  const TemporaryFolder folder;
  std::vector<Apr> series;
  for (int time = 0; time < 3; ++time) {
    series.push_back(rich_apr({9, 8, 7}, static_cast<unsigned>(time)));
    series.back().time = time;
  }
  std::vector<std::size_t> asked;
  std::vector<double> progress;
  const JobContext context(
      std::stop_token{}, [&](double fraction, std::string_view) { progress.push_back(fraction); });
  const MakeApr part = [&](std::size_t i, const JobContext& share) -> Result<Apr> {
    asked.push_back(i);
    share.report(1.0, "made");
    return series[i];
  };
  ASSERT_TRUE(write_apr_parts(3, part, folder / "parts.apr", {}, context).ok());
  EXPECT_EQ(asked, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  ASSERT_TRUE(write_apr_series(series, folder / "series.apr").ok());
  EXPECT_EQ(bytes_at(folder / "parts.apr"), bytes_at(folder / "series.apr"));
  // One that cannot be made leaves the file as it was.
  const MakeApr fails = [&](std::size_t i, const JobContext&) -> Result<Apr> {
    if (i < 2) return series[i];
    return Error{"cannot be made", "part 2", "do nothing"};
  };
  const Status failed = write_apr_parts(3, fails, folder / "parts.apr");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().where, "part 2");
  EXPECT_EQ(bytes_at(folder / "parts.apr"), bytes_at(folder / "series.apr"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
  EXPECT_FALSE(write_apr_parts(0, part, folder / "none.apr").ok());
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
  EXPECT_EQ(bytes_at(folder / "a.apr"), bytes_at(folder / "b.apr"));
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

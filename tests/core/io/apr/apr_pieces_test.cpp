#include "core/io/apr/apr_pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/io/apr_maker.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

// Cells in pieces of some rows.
Status put_cells(AprSink& sink, AprSink::Part part, const LinearAccess& cells) {
  const auto ends = cells.xz_end();
  for (std::size_t row = 1; row < ends.size(); row += 1000) {
    const std::size_t end = std::min(row + 1000, ends.size());
    const std::uint64_t first = ends[row - 1];
    Status put = sink.cells(part, cells.y().subspan(first, ends[end - 1] - first),
                            ends.subspan(row, end - row));
    if (!put) return put;
  }
  return {};
}

// Values from the end to the beginning, in pieces that do not meet the chunks.
template <class T, class Put>
Status put_backwards(const std::vector<T>& values, const Put& put) {
  for (std::uint64_t end = values.size(); end > 0;) {
    const std::uint64_t begin = end - std::min<std::uint64_t>(end, 77'777);
    if (Status done = put(begin, values.data() + begin, end - begin); !done) return done;
    end = begin;
  }
  return {};
}

// `same_cells`: without its cells, which are those of the part before.
PutApr pieces_of(const Apr& apr, bool with_tree, bool same_cells = false) {
  return [&apr, with_tree, same_cells](AprSink& sink, const JobContext&) -> Status {
    const AprAccess& access = *apr.access;
    const Field& field = *apr.main_field();
    Apr facts = apr;
    facts.access = nullptr;
    facts.fields.clear();
    if (Status done = sink.begin({facts, access.size(), access.level_max(), access.count(),
                                  with_tree ? access.tree().count() : 0, field.name,
                                  static_cast<int>(field.values.index()), same_cells});
        !done) {
      return done;
    }
    if (!same_cells) {
      Status done = put_cells(sink, AprSink::Part::particles, access.particles());
      if (done && with_tree) done = put_cells(sink, AprSink::Part::tree, access.tree());
      if (!done) return done;
    }
    if (with_tree) {
      const auto tree = fill_tree(access, field, Reduction::mean);
      if (!tree) return tree.error();
      Status done = put_backwards(*tree, [&](auto begin, const float* values, auto count) {
        return sink.means(begin, {values, count});
      });
      if (!done) return done;
    }
    return std::visit(
        [&](const auto& values) {
          return put_backwards(values, [&](auto begin, const auto* first, auto count) {
            return sink.values(begin, first, count);
          });
        },
        field.values);
  };
}

class AprPieces : public testing::Test {
 protected:
  static Apr some_apr() {
    // Several chunks of each.
    Apr apr = test::random_apr({.size = {90, 91, 93}, .seed = 3, .split = 0.95});
    apr.name = "pieces";
    apr.channel = "GFP";
    apr.time = 3;
    apr.voxel = {2.0, 0.5, 0.5, "µm"};
    apr.history = {"made for a test"};
    return apr;
  }
  test::TemporaryFolder folder_;
};

TEST_F(AprPieces, AreTheFileOfTheWhole) {
  const Apr apr = some_apr();
  ASSERT_GT(apr.access->count(), 200'000U);
  const auto whole = folder_ / "whole.apr";
  const auto pieces = folder_ / "pieces.apr";
  for (const bool with_tree : {false, true}) {
    AprWriteOptions options;
    options.with_tree = with_tree;
    ASSERT_TRUE(write_apr(apr, whole, options));
    const Status written = write_apr_pieces(pieces, pieces_of(apr, with_tree));
    ASSERT_TRUE(written) << written.error().message();
    EXPECT_TRUE(test::bytes_of_file(pieces) == test::bytes_of_file(whole));
  }
}

// Channels of one structure: it is in the file once, and each channel has it.
TEST_F(AprPieces, ShareTheStructureOfThePartBefore) {
  const Apr first = some_apr();
  Apr second = first;
  second.channel = "mCherry";
  second.channel_index = 1;
  std::vector<float> values = first.main_field()->to_float();
  std::reverse(values.begin(), values.end());
  second.fields = {std::make_shared<const Field>(Field{first.main_field()->name, values})};
  // The same cells in another object are written again.
  Apr apart = second;
  const LinearAccess& cells = first.access->particles();
  auto copy = AprAccess::create(cells, first.access->tree());
  ASSERT_TRUE(copy);
  apart.access = *copy;
  for (const bool with_tree : {false, true}) {
    AprWriteOptions options;
    options.with_tree = with_tree;
    ASSERT_TRUE(write_apr_series({first, second}, folder_ / "shared.apr", options));
    ASSERT_TRUE(write_apr_series({first, apart}, folder_ / "apart.apr", options));
    ASSERT_TRUE(write_apr(first, folder_ / "one.apr", options));
    const auto bytes = [&](const char* name) { return std::filesystem::file_size(folder_ / name); };
    EXPECT_LT(bytes("shared.apr"), bytes("apart.apr"));
    const PutAprPart put = [&](std::size_t part, AprSink& sink, const JobContext& context) {
      return pieces_of(part == 0 ? first : second, with_tree, part == 1)(sink, context);
    };
    ASSERT_TRUE(write_apr_series_pieces(folder_ / "pieces.apr", 2, put, options));
    EXPECT_TRUE(test::bytes_of_file(folder_ / "pieces.apr") ==
                test::bytes_of_file(folder_ / "shared.apr"));
    const auto info = inspect((folder_ / "shared.apr").string());
    ASSERT_TRUE(info) << info.error().message();
    ASSERT_EQ(info->channels.size(), 2U);
    for (int channel = 0; channel < 2; ++channel) {
      const auto data = load(*info, {channel, 0});
      ASSERT_TRUE(data) << data.error().message();
      const Apr& read = std::get<Apr>(*data);
      const Apr& written = channel == 0 ? first : second;
      EXPECT_EQ(read.channel, written.channel);
      EXPECT_TRUE(read.access->particles() == cells);
      EXPECT_EQ(read.main_field()->values, written.main_field()->values);
      EXPECT_EQ(read.tree_fields.empty(), !with_tree);
    }
  }
}

TEST_F(AprPieces, WithoutAPartBeforeThereIsNothingToShare) {
  const Apr apr = some_apr();
  const Status failed = write_apr_pieces(folder_ / "out.apr", pieces_of(apr, false, true));
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().what.find("no structure to share"), std::string::npos);
}

// Above 2^27 pixels files are packed in another way.
TEST_F(AprPieces, OfALargeImageAreTheFileOfTheWhole) {
  const Apr apr = test::large_flat_apr();
  ASSERT_TRUE(write_apr(apr, folder_ / "whole.apr"));
  ASSERT_TRUE(write_apr_pieces(folder_ / "pieces.apr", pieces_of(apr, true)));
  EXPECT_TRUE(test::bytes_of_file(folder_ / "pieces.apr") ==
              test::bytes_of_file(folder_ / "whole.apr"));
}

TEST_F(AprPieces, OfWhichSomeAreMissingLeaveTheOldFile) {
  const Apr apr = some_apr();
  const auto path = folder_ / "out.apr";
  std::ofstream(path) << "old";
  const PutApr half = [&](AprSink& sink, const JobContext&) -> Status {
    const AprAccess& access = *apr.access;
    Status begun =
        sink.begin({apr, access.size(), access.level_max(), access.count(), 0, "particles", 1});
    return begun ? put_cells(sink, AprSink::Part::particles, access.particles()) : begun;
  };
  EXPECT_FALSE(write_apr_pieces(path, half));
  EXPECT_FALSE(write_apr_pieces(path, [](AprSink&, const JobContext&) { return Status(); }));
  const PutApr broken = [](AprSink&, const JobContext&) -> Status {
    return Error{"is cut off", "stack.tif", "get it again"};
  };
  const Status failed = write_apr_pieces(path, broken);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().where, "stack.tif");
  EXPECT_EQ(test::bytes_of_file(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace aprscope

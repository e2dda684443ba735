// Files that are read slab by slab and written with other values.
#include "core/io/apr/apr_rewrite.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/io/apr/apr_value_pieces.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

// Several chunks of 100000 particles on the two finest levels.
Apr large_apr() {
  Apr apr = random_apr({.size = {90, 100, 110}, .seed = 3, .split = 0.82});
  apr.name = "large";
  apr.channel = "membrane";
  apr.voxel = {2.0, 0.5, 0.5, "µm"};
  apr.history = {"convert rel_error=0.1"};
  auto labels = std::make_shared<Labels>();
  labels->values.resize(apr.access->count());
  for (std::size_t i = 0; i < labels->values.size(); ++i) {
    labels->values[i] = static_cast<std::uint32_t>(i % 7);
  }
  labels->largest = 6;
  apr.labels = std::move(labels);
  return apr;
}

AprFileSlabs open_slabs(const std::filesystem::path& path) {
  const auto info = inspect_apr(path);
  EXPECT_TRUE(info.ok());
  auto slabs = AprFileSlabs::open(*info, {});
  EXPECT_TRUE(slabs.ok() && *slabs);
  return std::move(**slabs);
}

// Stretches [begin, end) of n values in an order of chance.
std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches(std::uint64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
  for (std::uint64_t at = 0; at < n;) {
    const std::uint64_t end = std::min<std::uint64_t>(n, at + 1 + random() % 250'000);
    all.emplace_back(at, end);
    at = end;
  }
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

class RewriteApr : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_GT(apr_.access->count(), 300'000U);
    ASSERT_TRUE(write_apr(apr_, source_, {.with_tree = true}).ok());
  }

  TemporaryFolder folder_;
  Apr apr_ = large_apr();
  std::filesystem::path source_ = folder_ / "source.apr";
};

// In whatever order values come, the file holds what write_apr() writes of them.
TEST_F(RewriteApr, ValuesInAnyOrderMakeTheSameData) {
  const AprFileSlabs slabs = open_slabs(source_);
  const std::vector<float> values = random_values(apr_.access->count(), 5);
  const std::vector<float> tree = *fill_tree(*apr_.access, values, Reduction::mean);
  Apr expected = apr_;
  expected.fields = {std::make_shared<const Field>(Field{slabs.field(), values})};
  expected.tree_fields = {std::make_shared<const Field>(Field{slabs.field(), tree})};
  expected.history.push_back("made anew");
  // Also where another process packs them: then what arrives are pieces.
  for (const auto& [with_tree, in_pieces] : {std::pair(true, false), std::pair(false, false),
                                             std::pair(true, true), std::pair(false, true)}) {
    const auto fill = [&, tree_too = with_tree, packs = in_pieces](
                          AprValueSink& target, const JobContext& context) -> Status {
      AprValuePieces pieces(
          slabs, {},
          [&](bool of_tree, const VectorPiece& piece) { return target.put_piece(of_tree, piece); },
          context);
      AprValueSink& sink = packs ? pieces : target;
      for (const auto& [begin, end] : stretches(values.size(), 1)) {
        if (Status put = sink.put(begin, std::span(values).subspan(begin, end - begin)); !put) {
          return put;
        }
      }
      if (!tree_too) return {};
      for (const auto& [begin, end] : stretches(tree.size(), 2)) {
        if (Status put = sink.put_tree(begin, std::span(tree).subspan(begin, end - begin)); !put) {
          return put;
        }
      }
      return {};
    };
    const Status written = rewrite_apr(slabs, {"made anew", with_tree}, folder_ / "out.apr", fill);
    ASSERT_TRUE(written.ok()) << written.error().message();
    Apr wanted = expected;
    if (!with_tree) wanted.tree_fields.clear();
    expect_same(wanted, load(folder_ / "out.apr"));
  }
}

// Above 2^27 pixels files are packed in another way, whichever way their source was: structures
// that are copied as they are, and such that are packed anew, make the same bytes.
TEST(RewriteLargeApr, IsTheFileOfTheWholeHoweverTheSourceIsPacked) {
  const TemporaryFolder folder;
  const Apr apr = large_flat_apr();
  const std::vector<float> values = random_values(apr.access->count(), 5);
  const std::vector<float> tree = *fill_tree(*apr.access, values, Reduction::mean);
  Apr expected = apr;
  expected.history.push_back("made anew");
  for (const bool source_for_looking : {true, false}) {
    ASSERT_TRUE(write_apr(apr, folder / "source.apr", {.for_looking = source_for_looking}).ok());
    const AprFileSlabs slabs = open_slabs(folder / "source.apr");
    expected.fields = {std::make_shared<const Field>(Field{slabs.field(), values})};
    // As its size has it, and as asked for.
    for (const std::optional<bool> for_looking : {std::optional<bool>(), std::optional(false)}) {
      ASSERT_TRUE(write_apr(expected, folder / "expected.apr", {.for_looking = for_looking}).ok());
      const AprRewriteOptions options{"made anew", true, for_looking};
      for (const bool in_pieces : {true, false}) {
        SCOPED_TRACE(testing::Message()
                     << source_for_looking << " " << for_looking.has_value() << " " << in_pieces);
        const auto fill = [&, packs = in_pieces](AprValueSink& target,
                                                 const JobContext& context) -> Status {
          AprValuePieces pieces(
              slabs, options,
              [&](bool of_tree, const VectorPiece& p) { return target.put_piece(of_tree, p); },
              context);
          AprValueSink& sink = packs ? pieces : target;
          Status put = sink.put(0, values);
          return put ? sink.put_tree(0, tree) : put;
        };
        const Status written = rewrite_apr(slabs, options, folder / "out.apr", fill);
        ASSERT_TRUE(written.ok()) << written.error().message();
        EXPECT_TRUE(bytes_of_file(folder / "out.apr") == bytes_of_file(folder / "expected.apr"));
      }
    }
  }
}

TEST_F(RewriteApr, MissingValuesAndErrorsLeaveTheOldFile) {
  const AprFileSlabs slabs = open_slabs(source_);
  Apr old = rich_apr();
  ASSERT_TRUE(write_apr(old, folder_ / "out.apr").ok());
  const std::vector<float> some(1000, 1.0F);
  const auto too_few = [&](AprValueSink& sink, const JobContext&) { return sink.put(0, some); };
  const Status missing = rewrite_apr(slabs, {"x", false}, folder_ / "out.apr", too_few);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().what.find("of " + std::to_string(slabs.count()) + " values"),
            std::string::npos)
      << missing.error().message();
  const auto fails = [&](AprValueSink&, const JobContext&) -> Status {
    return Error{"went wrong", "somewhere", "do nothing"};
  };
  EXPECT_EQ(rewrite_apr(slabs, {"x", false}, folder_ / "out.apr", fails).error().what,
            "went wrong");
  expect_same(old, load(folder_ / "out.apr"));
  EXPECT_EQ(files_in(folder_.path()), (std::set<std::string>{"out.apr", "source.apr"}));
}

// A source that becomes another while it is read must not be mixed with what it was.
TEST_F(RewriteApr, ChangedSourceIsRefused) {
  const AprFileSlabs slabs = open_slabs(source_);
  const std::vector<float> values(apr_.access->count(), 1.0F);
  const auto fill = [&](AprValueSink& sink, const JobContext&) -> Status {
    EXPECT_TRUE(write_apr(rich_apr(), source_).ok());
    return sink.put(0, values);
  };
  const Status done = rewrite_apr(slabs, {"x", false}, folder_ / "out.apr", fill);
  ASSERT_FALSE(done.ok());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.apr"));
}

TEST_F(RewriteApr, SlabsAreThoseOfTheDataInMemory) {
  AprFileSlabs slabs = open_slabs(source_);
  EXPECT_EQ(slabs.size(), apr_.access->size());
  EXPECT_EQ(slabs.count(), apr_.access->count());
  EXPECT_EQ(slabs.tree_count(), apr_.access->tree().count());
  const std::vector<float> values = apr_.main_field()->to_float();
  const LinearAccess& cells = apr_.access->particles();
  for (int l = 1; l <= slabs.level_max(); ++l) {
    for (std::int64_t z = 0; z < cells.grid(l).z; ++z) {
      ASSERT_EQ(slabs.first_in_plane(l, z), cells.row(l, z, 0).begin) << l << " " << z;
    }
    ASSERT_EQ(slabs.first_in_plane(l, cells.grid(l).z), cells.level(l).end);
  }
  const int coarsest = slabs.level_max() - 3;
  ASSERT_TRUE(slabs.read_coarse(coarsest, {}).ok());
  for (const auto& [begin, end, keep_begin, keep_end] :
       {std::array<std::int64_t, 4>{0, 24, 0, 16}, {8, 48, 16, 40}, {64, 90, 72, 90}}) {
    const auto part = slabs.slab(begin, end, keep_begin, keep_end, {});
    const auto expected = slab_of(*apr_.access, values, coarsest, begin, end, keep_begin, keep_end);
    ASSERT_TRUE(part.ok() && expected.ok());
    EXPECT_EQ(part->access->particles(), expected->access->particles());
    EXPECT_EQ(part->values, expected->values);
    EXPECT_EQ(part->level_shift, expected->level_shift);
    ASSERT_EQ(part->kept.size(), expected->kept.size());
    for (std::size_t i = 0; i < part->kept.size(); ++i) {
      EXPECT_EQ(part->kept[i].from, expected->kept[i].from);
      EXPECT_EQ(part->kept[i].to, expected->kept[i].to);
      EXPECT_EQ(part->kept[i].count, expected->kept[i].count);
    }
  }
}

}  // namespace
}  // namespace aprscope::test

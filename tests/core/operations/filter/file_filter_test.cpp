// Filters from file to file against the same filters in memory.
#include "core/operations/filter/file_filter.hpp"

#include <atomic>
#include <fstream>
#include <iterator>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/filter/filter_reach.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/open_slabs.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/thread_ranks.hpp"

namespace aprscope::test {
namespace {

Apr read_apr(const std::filesystem::path& path) {
  auto data = load_file(path.string());
  EXPECT_TRUE(data.ok()) << data.error().message();
  return data ? std::get<Apr>(*std::move(data)) : Apr{};
}

Operation filter_of(const std::string& spec, const std::string& mode, const std::string& boundary) {
  Operation operation = *parse_stencil_spec(spec);
  operation.parameters["mode"] = mode;
  operation.parameters["boundary"] = boundary;
  return *complete(operation);
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

FileRunOptions shared_by(Ranks& ranks, std::uint64_t memory, bool with_tree) {
  FileRunOptions options{memory, with_tree};
  options.hooks.ranks = &ranks;
  return options;
}

class FileFilter : public testing::Test {
 protected:
  // Filters with the least memory that goes.
  FileRunReport filter_in_thin_slabs(const Operation& operation, bool with_tree) {
    AprFileSlabs file = open_slabs(source_);
    const FilterPlan plan = *plan_filter(operation, file.facts().voxel, file.size());
    const auto reached = [&](int coarsest) {
      return slices_reached(plan, file.level_max(), coarsest);
    };
    std::uint64_t memory = std::uint64_t{12} << 20U;
    while (!plan_slabs(file, reached, memory) && memory < std::uint64_t{64} << 20U) memory += 5000;
    const auto done = filter_apr_file(operation, file, {memory, with_tree}, result_);
    EXPECT_TRUE(done.ok()) << done.error().message();
    return done ? *done : FileRunReport{};
  }

  void expect_same_as_in_memory(const Operation& operation) {
    const Apr apr = read_apr(source_);
    const auto whole = execute({operation}, Dataset::create(apr), *cpu_backend());
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    const Apr& expected = whole->data->apr();
    const Apr got = read_apr(result_);
    ASSERT_EQ(got.fields.size(), 1U);
    EXPECT_EQ(got.main_field()->name, expected.main_field()->name);
    EXPECT_EQ(got.access->particles(), expected.access->particles());
    EXPECT_EQ(got.main_field()->values, expected.main_field()->values);
    EXPECT_EQ(got.history, expected.history);
    EXPECT_EQ(got.voxel, expected.voxel);
    EXPECT_EQ(got.name, expected.name);
    ASSERT_EQ(got.labels != nullptr, expected.labels != nullptr);
    if (expected.labels) {
      EXPECT_EQ(got.labels->values, expected.labels->values);
    }
    if (got.tree_fields.empty()) return;
    const auto tree = fill_tree(*got.access, expected.main_field()->to_float(), Reduction::mean);
    EXPECT_EQ(got.tree_fields.front()->to_float(), *tree);
  }

  TemporaryFolder folder_;
  std::filesystem::path source_ = folder_ / "source.apr";
  std::filesystem::path result_ = folder_ / "result.apr";
};

// Every kind of filter, on structures of many shapes: flat, tall, with sides that are no powers of
// two, with neighbours that differ by several levels.
TEST_F(FileFilter, ValuesAreThoseOfTheWholeBitForBit) {
  const Operation filters[] = {
      filter_of("gaussian:sigma=1.5,size=5", "restricted", "reflect"),
      filter_of("box:size=9", "same", "zero"),
      filter_of("sobel:axis=z", "rescaled", "reflect"),
      filter_of("gradient", "rescaled", "reflect"),
      filter_of("mean:size=5", "restricted", "reflect"),
      filter_of("median:size=3", "restricted", "reflect"),
      filter_of("max:size=5", "same", "zero"),
  };
  const RandomAprOptions shapes[] = {{{70, 40, 52}, 1, 0.6, true},
                                     {{130, 24, 20}, 2, 0.7, true},
                                     {{33, 100, 90}, 3, 0.55, false},
                                     {{64, 64, 64}, 4, 0.62, true},
                                     {{3, 90, 120}, 5, 0.7, true}};
  std::int64_t most_slabs = 0;
  SanitizedShare share(3);
  for (const RandomAprOptions& shape : shapes) {
    Apr apr = random_apr(shape);
    apr.history = {"made by chance"};
    apr.voxel = {2.0, 0.5, 0.5, "µm"};
    ASSERT_TRUE(write_apr(apr, source_, {.with_tree = true}).ok());
    for (const Operation& operation : filters) {
      if (!share.takes()) continue;
      SCOPED_TRACE(describe(operation) + " of " + std::to_string(shape.size.z) + " slices");
      const FileRunReport report = filter_in_thin_slabs(operation, true);
      most_slabs = std::max(most_slabs, report.slabs);
      EXPECT_GE(report.slabs, shape.size.z > 60 ? 2 : 1);
      ASSERT_EQ(read_apr(result_).tree_fields.size(), 1U);
      expect_same_as_in_memory(operation);
    }
  }
  EXPECT_GE(most_slabs, 10);
}

TEST_F(FileFilter, LabelsStayAndTreesAreLeftOutUnlessAskedFor) {
  Apr apr = random_apr({.size = {60, 50, 40}, .seed = 9});
  auto labels = std::make_shared<Labels>();
  labels->values.resize(apr.access->count(), 2);
  labels->values.front() = 1;
  labels->largest = 2;
  apr.labels = std::move(labels);
  ASSERT_TRUE(write_apr(apr, source_, {.with_tree = true}).ok());
  const Operation operation = filter_of("gaussian:sigma=1,size=5", "restricted", "reflect");
  filter_in_thin_slabs(operation, false);
  EXPECT_TRUE(read_apr(result_).tree_fields.empty());
  EXPECT_NE(read_apr(result_).labels, nullptr);
  expect_same_as_in_memory(operation);
}

// Several processes, here threads with files of their own: the file that is written of a result in
// memory, byte for byte.
TEST_F(FileFilter, SeveralRanksWriteTheFileOfOne) {
  SanitizedShare share(2);
  for (const bool with_tree : {false, true}) {
    // Many chunks, which slabs share at their ends; and fewer slabs than ranks.
    for (const Size3 size :
         {Size3{300, 72, 60}, Size3{9, 40, 52}, Size3{3, 60, 50}, Size3{1, 60, 50}}) {
      const Apr apr = random_apr({size, 11, 0.7, true});
      ASSERT_TRUE(write_apr(apr, source_, {.with_tree = true}).ok());
      const Operation operation = filter_of("gaussian:sigma=1.5,size=5", "restricted", "reflect");
      const auto whole = execute({operation}, Dataset::create(read_apr(source_)), *cpu_backend());
      ASSERT_TRUE(whole.ok()) << whole.error().message();
      Apr expected = whole->data->apr();
      expected.tree_fields.clear();
      ASSERT_TRUE(write_apr(expected, result_, {.with_tree = with_tree}).ok());
      const std::string wanted = bytes_of(result_);
      filter_in_thin_slabs(operation, with_tree);
      EXPECT_EQ(bytes_of(result_) == wanted, true) << "one process, tree " << with_tree;
      for (const int count : {2, 3, 4}) {
        if (!share.takes()) continue;
        std::filesystem::remove(result_);
        std::atomic<int> finished{0};
        ThreadRanks::run(count, [&](Ranks& ranks) {
          AprFileSlabs mine = open_slabs(source_);
          const auto done = filter_apr_file(
              operation, mine,
              shared_by(ranks, std::uint64_t{1} << (30U + ranks.place().rank), with_tree), result_);
          if (ranks.is_first()) {
            ASSERT_TRUE(done.ok()) << done.error().message();
            if (size.z > 100) {
              EXPECT_GE(done->slabs, 2 * count);
            }
          } else {
            EXPECT_TRUE(!done && done.error().cancelled());
          }
          ++finished;
        });
        EXPECT_EQ(finished, count);
        EXPECT_EQ(bytes_of(result_) == wanted, true) << count << " ranks, tree " << with_tree;
      }
    }
  }
}

// All have something to do while there are slices enough.
TEST_F(FileFilter, PlansForManyProcessesHaveSlabsForAll) {
  ASSERT_TRUE(write_apr(random_apr({{600, 30, 30}, 2, 0.6, true}), source_).ok());
  AprFileSlabs file = open_slabs(source_);
  const auto reached = [](int) { return std::int64_t{2}; };
  const auto slabs = [&](int processes) {
    const auto plan = plan_slabs(file, reached, std::uint64_t{1} << 32U, processes);
    EXPECT_TRUE(plan.ok());
    return static_cast<int>(plan->cuts.size()) - 1;
  };
  EXPECT_EQ(slabs(1), 1);
  for (const int processes : {2, 3, 8, 20}) EXPECT_GE(slabs(processes), processes) << processes;
  // 75 slabs of eight slices would take two rounds, with what is around them twice as long.
  EXPECT_GE(slabs(64), 32);
}

TEST_F(FileFilter, AnErrorOfOneRankIsThatOfAll) {
  const Apr apr = random_apr({{100, 40, 52}, 11, 0.7, true});
  ASSERT_TRUE(write_apr(apr, source_).ok());
  const auto fail_with = [&](const std::filesystem::path& output, const std::string& other_spec,
                             const std::string& words) {
    std::mutex mutex;
    std::vector<std::string> said;
    ThreadRanks::run(3, [&](Ranks& ranks) {
      AprFileSlabs mine = open_slabs(source_);
      const bool other = ranks.place().rank == 1;
      const auto done =
          filter_apr_file(filter_of(other ? other_spec : "box:size=5", "restricted", "reflect"),
                          mine, shared_by(ranks, std::uint64_t{1} << 30U, false), output);
      const std::lock_guard lock(mutex);
      said.push_back(done ? "" : done.error().message());
    });
    ASSERT_EQ(said.size(), 3U);
    for (const std::string& each : said) EXPECT_NE(each.find(words), std::string::npos) << each;
  };
  // One process has the bad value; the others and the first, which writes, learn of it.
  const auto with_nan_at = [&](double share) {
    Apr bad = apr;
    std::vector<float> values = apr.main_field()->to_float();
    values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))] =
        std::numeric_limits<float>::quiet_NaN();
    bad.fields = {std::make_shared<const Field>(Field{"particles", values})};
    EXPECT_TRUE(write_apr(bad, source_).ok());
  };
  for (const double share : {0.1, 0.6, 0.8, 1.0}) {
    with_nan_at(share);
    fail_with(result_, "box:size=5", "not finite");
  }
  ASSERT_TRUE(write_apr(apr, source_).ok());
  fail_with(folder_ / "no_such_folder" / "result.apr", "box:size=5", "no_such_folder");
  fail_with(result_, "box:size=3", "process 1 has another file or another filter");
  EXPECT_FALSE(std::filesystem::exists(result_));
}

TEST_F(FileFilter, WhatCannotBeDoneIsSaidAndNothingIsWritten) {
  Apr apr = random_apr({.size = {60, 50, 40}, .seed = 9});
  std::vector<float> values = apr.main_field()->to_float();
  values[values.size() / 2] = std::numeric_limits<float>::quiet_NaN();
  apr.fields = {std::make_shared<const Field>(Field{"particles", values})};
  ASSERT_TRUE(write_apr(apr, source_).ok());
  const Operation operation = filter_of("gaussian:sigma=1,size=5", "restricted", "reflect");
  AprFileSlabs file = open_slabs(source_);
  const auto nan = filter_apr_file(operation, file, {std::uint64_t{1} << 30U, false}, result_);
  ASSERT_FALSE(nan.ok());
  EXPECT_NE(nan.error().what.find("not finite"), std::string::npos) << nan.error().message();
  const auto short_of = filter_apr_file(operation, file, {1000, false}, result_);
  ASSERT_FALSE(short_of.ok());
  EXPECT_NE(short_of.error().what.find("needs at least"), std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  const auto cancelled = filter_apr_file(operation, file, {std::uint64_t{1} << 30U, false}, result_,
                                         JobContext(stop.get_token()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
  EXPECT_FALSE(std::filesystem::exists(result_));
}

}  // namespace
}  // namespace aprscope::test

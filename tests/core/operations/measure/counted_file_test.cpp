// Strata of particles that are read slab by slab, against those of the particles in memory.
#include "core/operations/measure/counted_file.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/open_slabs.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

constexpr LevelSets kSets[] = {LevelSets::superlevel, LevelSets::sublevel};
constexpr Construction kWays[] = {Construction::closed_voxels, Construction::vertices};

class CountedFile : public testing::Test {
 protected:
  AprFileSlabs opened() { return open_slabs(path_); }
  // The least memory that goes, and how many slabs that makes.
  std::uint64_t least_memory(std::size_t& slabs) {
    const AprFileSlabs file = opened();
    const auto reached = [&](int coarsest) {
      return std::int64_t{1} << (file.level_max() - coarsest);
    };
    std::uint64_t memory = std::uint64_t{12} << 20U;
    for (;; memory += 5000) {
      if (const auto plan = plan_slabs(file, reached, memory)) {
        slabs = plan->cuts.size() - 1;
        return memory;
      }
    }
  }
  void expect_same(const Apr& apr, const LevelChoice& choice, std::uint64_t memory) {
    const auto data = Dataset::create(Data(apr));
    for (const LevelSets sets : kSets) {
      for (const Construction way : kWays) {
        const auto wanted = count_levels(*data, sets, way, choice, {});
        ASSERT_TRUE(wanted.ok()) << wanted.error().message();
        AprFileSlabs file = opened();
        const auto found = count_levels(file, sets, way, choice, memory, {});
        ASSERT_TRUE(found.ok()) << found.error().message();
        EXPECT_EQ(found->levels, wanted->levels);
        EXPECT_TRUE(found->counts == wanted->counts);
        EXPECT_EQ(found->even, wanted->even);
        EXPECT_EQ(found->given, wanted->given);
      }
    }
  }
  static void set_values(Apr& apr, FieldValues values) {
    apr.fields.front() =
        std::make_shared<const Field>(Field{apr.fields.front()->name, std::move(values)});
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.apr";
};

// Structures with neighbours that differ by several levels, and with sides that are no powers of
// two; few values, so that cells of one value meet, and many.
TEST_F(CountedFile, StrataAreThoseOfTheWhole) {
  const RandomAprOptions shapes[] = {{{70, 40, 52}, 1, 0.6, true},
                                     {{130, 24, 20}, 2, 0.7, true},
                                     {{33, 100, 90}, 3, 0.55, false},
                                     {{64, 64, 64}, 4, 0.62, true},
                                     {{1, 90, 120}, 5, 0.7, true}};
  std::size_t most = 0;
  SanitizedShare share(3);
  for (const RandomAprOptions& shape : shapes) {
    for (const int values : {5, 0}) {
      if (!share.takes()) continue;
      SCOPED_TRACE(std::to_string(shape.size.z) + " slices, " + std::to_string(values));
      Apr apr = random_apr(shape);
      const std::vector<float> floats = apr.main_field()->to_float();
      std::vector<std::uint16_t> whole(floats.size());
      for (std::size_t i = 0; i < whole.size() && values > 0; ++i) {
        whole[i] =
            static_cast<std::uint16_t>(static_cast<int>(std::abs(floats[i]) * 997.0F) % values);
      }
      if (values > 0) set_values(apr, whole);
      ASSERT_TRUE(write_apr(apr, path_).ok());
      std::size_t slabs = 0;
      const std::uint64_t memory = least_memory(slabs);
      most = std::max(most, slabs);
      expect_same(apr, LevelChoice(), memory);
      expect_same(apr, LevelChoice(7), memory);
    }
  }
  EXPECT_GE(most, 10U);
}

TEST_F(CountedFile, LevelsMayBeAllValuesOrGiven) {
  Apr apr = random_apr({.size = {70, 40, 52}, .seed = 8});
  std::vector<float> values = apr.main_field()->to_float();
  values[3] = std::numeric_limits<float>::infinity();
  set_values(apr, values);
  ASSERT_TRUE(write_apr(apr, path_).ok());
  std::size_t slabs = 0;
  const std::uint64_t memory = least_memory(slabs);
  EXPECT_GE(slabs, 2U);
  LevelChoice every;
  every.every = true;
  expect_same(apr, every, memory);
  LevelChoice given;
  given.thresholds = {-0.5, 0.0, 0.25, 1.0};
  expect_same(apr, given, memory);
}

TEST_F(CountedFile, TheOperationGivesTheSameTables) {
  const Apr apr = random_apr({.size = {70, 40, 52}, .seed = 9});
  ASSERT_TRUE(write_apr(apr, path_).ok());
  const Operation operation{"topology", {{"summary", true}, {"levels", std::int64_t{20}}}};
  ASSERT_TRUE(measures_files(operation));
  EXPECT_TRUE(measures_parts(operation));
  EXPECT_FALSE(measures_parts({"topology", {{"betti", true}}}));
  const auto wanted = cpu_backend()->measure(*complete(operation), *Dataset::create(Data(apr)), {});
  AprFileSlabs file = opened();
  const auto found = measure_file(operation, file, std::uint64_t{1} << 28U);
  ASSERT_TRUE(wanted.ok() && found.ok());
  ASSERT_EQ(found->tables.size(), wanted->tables.size());
  for (std::size_t t = 0; t < found->tables.size(); ++t) {
    ASSERT_EQ(found->tables[t].columns.size(), wanted->tables[t].columns.size());
    for (std::size_t c = 0; c < found->tables[t].columns.size(); ++c) {
      EXPECT_EQ(found->tables[t].columns[c].cells, wanted->tables[t].columns[c].cells);
    }
  }
  EXPECT_EQ(found->notes, wanted->notes);
  const auto pieces = measure_file({"topology", {{"betti", true}}}, file, std::uint64_t{1} << 28U);
  ASSERT_FALSE(pieces.ok());
  EXPECT_NE(pieces.error().message().find("in memory only"), std::string::npos);
}

TEST_F(CountedFile, SaysWhereValuesAreNoNumbersAndStops) {
  Apr apr = random_apr({.size = {70, 40, 52}, .seed = 10});
  std::vector<float> values = apr.main_field()->to_float();
  ASSERT_TRUE(write_apr(apr, path_).ok());
  AprFileSlabs file = opened();
  // What even the thinnest slab takes is taken where it may be, and else refused.
  const std::uint64_t most = std::uint64_t{1} << 28U;
  EXPECT_TRUE(count_levels(file, kSets[0], kWays[0], LevelChoice(), {1000, most}, {}).ok());
  const auto kept = count_levels(file, kSets[0], kWays[0], LevelChoice(), 1000, {});
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().message().find("needs at least"), std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = count_levels(file, kSets[0], kWays[0], LevelChoice(),
                                    std::uint64_t{1} << 28U, JobContext(stop.get_token()));
  ASSERT_FALSE(stopped.ok());
  EXPECT_TRUE(stopped.error().cancelled());
  // The same sentence as in memory, wherever the first of them is.
  for (const std::size_t at : {std::size_t{0}, values.size() / 3, values.size() - 1}) {
    std::vector<float> some = values;
    some[at] = some.back() = std::numeric_limits<float>::quiet_NaN();
    set_values(apr, some);
    ASSERT_TRUE(write_apr(apr, path_).ok());
    AprFileSlabs bad = opened();
    const auto found =
        count_levels(bad, kSets[0], kWays[0], LevelChoice(), std::uint64_t{1} << 28U, {});
    const auto wanted = count_levels(*Dataset::create(*load_file(path_.string())), kSets[0],
                                     kWays[0], LevelChoice(), {});
    ASSERT_TRUE(!found.ok() && !wanted.ok());
    EXPECT_EQ(found.error().message(), wanted.error().message());
  }
}

}  // namespace
}  // namespace aprscope::test

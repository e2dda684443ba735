// Corrections as steps of a recipe.
#include <gtest/gtest.h>

#include "core/operations/engine/known_records.hpp"
#include "core/operations/segment/points_text.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/cells/label_phantoms.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

TEST(PointsText, IsReadAndWritten) {
  const auto points = points_from_text(" 1,2,3; 40 , 5,6 ;", "points");
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(points_to_text(*points), "1,2,3; 40,5,6");
  EXPECT_TRUE(points_from_text("", "points")->empty());
  const std::pair<const char*, const char*> cases[] = {
      {"1,2", "1,2"},        {"1,2,3,4", "1,2,3,4"}, {"a", "a"},
      {"1;2;3", "1"},        {"1,2,x", "1,2,x"},     {"1,2,3 4,5,6", "1,2,3 4,5,6"},
      {"1,2,3; 4,5", "4,5"}, {"1,2,3;;4,5,6", ""}};
  for (const auto& [wrong, point] : cases) {
    const auto none = points_from_text(wrong, "points");
    ASSERT_FALSE(none.ok()) << wrong;
    EXPECT_EQ(none.error().message().find("points: \"" + std::string(point) + "\" is no point"),
              0U);
  }
}

TEST(Correct, StepsReplayToTheSameBytes) {
  const auto p = test::tissue({6, 20, 20}, 12, 4);
  Volume volume;
  volume.name = "image";
  volume.pixels = Pixels<std::uint8_t>(p.size, 3);
  volume.labels = std::make_shared<const Labels>(test::labels_of(p));
  const auto input = Dataset::create(std::move(volume));
  const std::vector<Operation> steps{
      *complete(correct_step({CorrectionAction::remove, {{3, 10, 10}}})),
      *complete(correct_step({CorrectionAction::create, {{3, 10, 10}}, 3.0})),
      *complete(correct_step({CorrectionAction::relabel, {}}))};
  const auto one = execute(steps, input, *cpu_backend(), {});
  const auto two = execute(steps, input, *cpu_backend(), {});
  ASSERT_TRUE(one.ok()) << one.error().message();
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(*one->data->labels(), *two->data->labels());
  EXPECT_NE(one->data->labels()->values, input->labels()->values);
}

TEST(Correct, ChangesMadeInPlaceGiveTheBytesOfTheSteps) {
  const auto p = test::tissue({6, 20, 20}, 12, 4);
  Volume volume;
  volume.name = "image";
  volume.pixels = Pixels<std::uint8_t>(p.size, 3);
  volume.labels = std::make_shared<const Labels>(test::labels_of(p));
  const auto input = Dataset::create(std::move(volume));
  const std::vector<Operation> steps{
      *complete(correct_step({CorrectionAction::grow, {{3, 10, 10}}, 2.0})),
      *complete(correct_step({CorrectionAction::remove, {{3, 10, 10}}})),
      *complete(correct_step({CorrectionAction::create, {{3, 10, 10}}, 3.0})),
      *complete(correct_step({CorrectionAction::erase, {{2, 4, 4}}, 2.0})),
      *complete(correct_step({CorrectionAction::relabel, {}}))};
  auto changed = input;
  ASSERT_TRUE(records_of(*input).ok());
  for (const Operation& step : steps) {
    const auto change = change_of(step, *changed);
    ASSERT_TRUE(change.ok()) << step.id << change.error().message();
    Labels labels = *changed->labels();
    change->apply(labels);
    changed = changed->with_labels(std::make_shared<const Labels>(std::move(labels)), {},
                                   known_after(changed->known_labels(), *change));
    EXPECT_TRUE(changed->shares_values(*input));
    EXPECT_FALSE(changed->known_labels().changed.empty());
  }
  const auto replayed = execute(steps, input, *cpu_backend(), {});
  ASSERT_TRUE(replayed.ok());
  EXPECT_TRUE(replayed->data->shares_values(*input));
  EXPECT_EQ(*changed->labels(), *replayed->data->labels());
  // Those that were looked at in part, and all of them.
  const auto known = records_of(*changed);
  const auto whole = records_of(*replayed->data);
  ASSERT_TRUE(known.ok() && whole.ok());
  EXPECT_TRUE(**known == **whole);
  EXPECT_EQ(*records_of(*changed), *known);
}

// Particles that are a tissue of cells, every third value a wall.
std::shared_ptr<const Dataset> tissue_on_particles(const Size3& size) {
  Apr apr = test::random_apr({size, 3, 0.75, true});
  const auto map = test::particle_map(*apr.access);
  const auto pixels = test::tissue(size, 30, 8);
  Labels labels;
  labels.values.resize(apr.access->count());
  for (std::size_t i = 0; i < map.index.values.size(); ++i) {
    labels.values[map.index.values[i]] = pixels.values[i];
  }
  labels.largest = 30;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  return Dataset::create(std::move(apr));
}

TEST(Correct, ChangesOfParticlesGiveTheBytesOfTheSteps) {
  const Size3 n{24, 40, 36};
  const auto input = tissue_on_particles(n);
  const auto map = test::particle_map(*input->apr().access);
  const auto label = [&](const Dataset& of, std::int64_t i) {
    return of.labels()->values[map.index.values[static_cast<std::size_t>(i)]];
  };
  const auto at = [&](std::int64_t i) { return Index3{i / n.y / n.x, i / n.y % n.x, i % n.y}; };
  // Pixels of a cell that has most, its last one, one of another cell beside it, and background.
  const auto first_where = [&](const auto& good) {
    for (std::int64_t i = 0; i < n.count(); ++i) {
      if (good(i)) return at(i);
    }
    return Index3{-1, -1, -1};
  };
  auto changed = input;
  ASSERT_TRUE(records_of(*input).ok());
  std::vector<Operation> steps;
  const auto make = [&](const Correction& asked) {
    const Operation step = *complete(correct_step(asked));
    const auto change = change_of(step, *changed);
    ASSERT_TRUE(change.ok()) << step.id << ": " << change.error().message();
    Labels labels = *changed->labels();
    change->apply(labels);
    changed = changed->with_labels(std::make_shared<const Labels>(std::move(labels)), {},
                                   known_after(changed->known_labels(), *change));
    steps.push_back(step);
    const auto replayed = execute(steps, input, *cpu_backend(), {});
    ASSERT_TRUE(replayed.ok()) << replayed.error().message();
    ASSERT_EQ(*changed->labels(), *replayed->data->labels());
    // What was looked at in part, and all of it.
    const auto known = records_of(*changed);
    const auto whole = records_of(*input->with_labels(changed->labels()));
    ASSERT_TRUE(known.ok() && whole.ok());
    ASSERT_TRUE(**known == **whole);
  };
  const Index3 cell = first_where([&](std::int64_t i) { return label(*changed, i) != 0; });
  const auto label_at = [&](const Index3& p) {
    return label(*changed, (p.z * n.x + p.x) * n.y + p.y);
  };
  const Index3 other = first_where([&](std::int64_t i) {
    return label(*changed, i) != 0 && label(*changed, i) != label_at(cell);
  });
  const Index3 none = first_where([&](std::int64_t i) { return label(*changed, i) == 0; });
  make({CorrectionAction::merge, {cell, other}});
  make({CorrectionAction::split, {cell, other}});
  make({CorrectionAction::create, {none}, 3.0});
  make({CorrectionAction::grow, {none}, 2.0});
  make({CorrectionAction::shrink, {none}, 1.0});
  make({CorrectionAction::paint, {cell, {12, 20, 18}}, 4.0});
  make({CorrectionAction::erase, {{12, 20, 18}}, 3.0});
  make({CorrectionAction::fill_holes, {cell}});
  make({CorrectionAction::remove, {cell}});
  make({CorrectionAction::relabel, {}});
}

TEST(Correct, RefusalsComeThrough) {
  Volume volume;
  volume.name = "image";
  volume.pixels = Pixels<std::uint8_t>(Size3{3, 4, 5});
  Labels labels;
  labels.values.assign(60, 0);
  volume.labels = std::make_shared<const Labels>(std::move(labels));
  const auto input = Dataset::create(std::move(volume));
  const auto got =
      cpu_backend()->run(correct_step({CorrectionAction::remove, {{1, 1, 1}}}), *input, {});
  ASSERT_FALSE(got.ok());
  EXPECT_NE(got.error().message().find("background"), std::string::npos);
  const auto words = cpu_backend()->run(
      {"correct", {{"action", std::string("delete")}, {"points", std::string("1,1")}}}, *input, {});
  ASSERT_FALSE(words.ok());
  EXPECT_NE(words.error().message().find("1,1"), std::string::npos);
}

TEST(Correct, OfParticlesMergesTheirLabels) {
  Apr apr = test::random_apr({{9, 14, 11}, 5, 0.6, false});
  Labels labels;
  for (std::size_t i = 0; i < apr.access->count(); ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(1 + i % 3));
  }
  labels.largest = 3;
  const Labels before = labels;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  const auto map = test::particle_map(*apr.access);
  std::vector<Index3> at(4);
  for (std::int64_t i = 0; i < apr.access->size().count(); ++i) {
    const Size3 n = apr.access->size();
    at[before.values[map.index.values[static_cast<std::size_t>(i)]]] = {i / n.y / n.x,
                                                                        i / n.y % n.x, i % n.y};
  }
  const auto got = cpu_backend()->run(correct_step({CorrectionAction::merge, {at[2], at[3]}}),
                                      *Dataset::create(std::move(apr)), {});
  ASSERT_TRUE(got.ok()) << got.error().message();
  const Labels& after = *std::get<Apr>(*got).labels;
  for (std::size_t i = 0; i < before.values.size(); ++i) {
    ASSERT_EQ(after.values[i], before.values[i] == 3 ? 2 : before.values[i]);
  }
}

}  // namespace
}  // namespace aprscope

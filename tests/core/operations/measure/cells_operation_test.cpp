// The table of cells as a whole: columns, units, flags, total, contacts, slices.
#include <cmath>

#include <gtest/gtest.h>

#include "core/operations/engine/result_data.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/core/cells/label_phantoms.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Dataset> labelled(const Pixels<std::uint32_t>& labels, VoxelSize voxel,
                                        std::vector<LabelFinding> findings = {}) {
  Volume volume;
  volume.name = "image";
  Pixels<std::uint16_t> grey(labels.size);
  for (std::size_t i = 0; i < grey.values.size(); ++i) {
    grey.values[i] = static_cast<std::uint16_t>(i * 7919 % 1000);
  }
  volume.pixels = std::move(grey);
  volume.voxel = std::move(voxel);
  Labels made = test::labels_of(labels);
  made.findings = std::move(findings);
  volume.labels = std::make_shared<const Labels>(std::move(made));
  return Dataset::create(std::move(volume));
}

Measurement measured(const std::shared_ptr<const Dataset>& input, bool per_slice = false) {
  const auto found = cpu_backend()->measure({"cells", {{"per_slice", per_slice}}}, *input, {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  return found ? *found : Measurement{};
}

const Table& table(const Measurement& all, const std::string& id) {
  for (const Table& one : all.tables) {
    if (one.id == id) return one;
  }
  ADD_FAILURE() << "no table " << id;
  return all.tables.front();
}
double number(const Table& table, const std::string& id, std::size_t row) {
  const Column* column = table.column(id);
  if (column == nullptr) {
    ADD_FAILURE() << "no column " << id;
    return std::nan("");
  }
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column->cells)) {
    return static_cast<double>((*whole)[row]);
  }
  return std::get<std::vector<double>>(column->cells)[row];
}
std::string text(const Table& table, const std::string& id, std::size_t row) {
  return std::get<std::vector<std::string>>(table.column(id)->cells)[row];
}

// A box of 3 × 4 × 5 labelled 3, beside it one of 3 × 4 × 2 labelled 9 that meets the border.
Pixels<std::uint32_t> two_boxes() {
  return test::painted({6, 8, 9}, [](auto z, auto x, auto y) -> std::uint32_t {
    if (z < 1 || z > 3 || x < 2 || x > 5 || y < 2) return 0;
    return y < 7 ? 3 : 9;
  });
}

TEST(Cells, ARowEachWithUnitsAndFlagsBesideTheVolume) {
  LabelFinding leak;
  leak.label = 3;
  leak.leak_radius = 0.75;
  leak.leak_at = {1, 2, 3};
  leak.voxels_per_slice = 80.0;
  leak.most_open_slice = 2;
  const auto all = measured(labelled(two_boxes(), {2.0, 0.5, 0.25, "µm"}, {leak}));
  const Table& cells = table(all, "cells");
  ASSERT_EQ(cells.rows(), 2U);
  EXPECT_EQ(head_of(*cells.column("volume")), "Volume (µm³)");
  EXPECT_EQ(cells.columns[1].id, "volume");
  EXPECT_EQ(cells.columns[2].id, "flags");
  EXPECT_EQ(number(cells, "label", 1), 9.0);
  EXPECT_EQ(number(cells, "volume", 0), 60 * 0.25);
  EXPECT_EQ(number(cells, "digital_surface", 0), 2 * (6.0 * 2 + 6 * 1.25 + 2 * 1.25));
  EXPECT_EQ(text(cells, "flags", 0), "leaks, open");
  EXPECT_EQ(text(cells, "flags", 1), "border");
  EXPECT_EQ(number(cells, "closed", 0), 0.0);
  EXPECT_TRUE(std::isnan(number(cells, "closed", 1)));
  EXPECT_EQ(number(cells, "leak_x", 0), 2.0);
  EXPECT_EQ(number(cells, "per_slice_ratio", 0), 0.75);
  EXPECT_EQ(number(cells, "begin_y", 0), 2.0);
  EXPECT_EQ(number(cells, "to_y", 0), 6.5 * 0.25);
  EXPECT_EQ(number(cells, "at_z", 0), 4.0);
  EXPECT_EQ(number(cells, "neighbours", 0), 1.0);
  EXPECT_NEAR(number(cells, "shared_surface", 0), 100.0 * 12.0 / 44.0, 1e-9);
  const Table& contacts = table(all, "contacts");
  ASSERT_EQ(contacts.rows(), 1U);
  EXPECT_EQ(number(contacts, "area", 0), 12.0);
  const Table& total = table(all, "total");
  ASSERT_EQ(total.rows(), 1U);
  EXPECT_EQ(number(total, "cells", 0), 2.0);
  EXPECT_EQ(number(total, "volume", 0), 84 * 0.25);
  EXPECT_EQ(number(total, "flagged", 0), 2.0);
  ASSERT_EQ(all.curves.size(), 1U);
  double counted = 0.0;
  for (const double n : all.curves[0].ys[0].values) counted += n;
  EXPECT_EQ(counted, 2.0);
}

TEST(Cells, GreyValuesInsideAndOnTheWall) {
  const auto p = test::tissue({6, 9, 11}, 4, 2);
  const auto input = labelled(p, {});
  const auto all = measured(input);
  const Table& cells = table(all, "cells");
  for (std::size_t row = 0; row < cells.rows(); ++row) {
    const auto label = static_cast<std::uint32_t>(number(cells, "label", row));
    std::vector<double> inside;
    double sum = 0.0;
    for (std::size_t i = 0; i < p.values.size(); ++i) {
      if (p.values[i] == label) inside.push_back(static_cast<double>(i * 7919 % 1000));
    }
    for (const double v : inside) sum += v;
    const double mean = sum / static_cast<double>(inside.size());
    double squares = 0.0;
    for (const double v : inside) squares += (v - mean) * (v - mean);
    EXPECT_NEAR(number(cells, "mean", row), mean, 1e-9);
    EXPECT_NEAR(number(cells, "deviation", row),
                std::sqrt(squares / static_cast<double>(inside.size())), 1e-9);
    EXPECT_EQ(number(cells, "sum", row), sum);
    EXPECT_EQ(number(cells, "minimum", row), *std::min_element(inside.begin(), inside.end()));
    EXPECT_EQ(number(cells, "maximum", row), *std::max_element(inside.begin(), inside.end()));
  }
}

TEST(Cells, WithoutUnitInPixels) {
  const auto all = measured(labelled(two_boxes(), {}));
  const Table& cells = table(all, "cells");
  EXPECT_EQ(head_of(*cells.column("volume")), "Volume (px³)");
  EXPECT_EQ(cells.column("at_z"), nullptr);
  ASSERT_FALSE(all.notes.empty());
  EXPECT_NE(all.notes.front().find("no unit"), std::string::npos);
}

TEST(Cells, OfOneSliceHaveAreasAndPerimeters) {
  const auto p = test::painted({1, 20, 20}, [](auto, auto x, auto y) -> std::uint32_t {
    return x >= 3 && x < 9 && y >= 4 && y < 15 ? 2 : 0;
  });
  const auto all = measured(labelled(p, {5.0, 0.5, 0.5, "µm"}));
  const Table& cells = table(all, "cells");
  EXPECT_EQ(cells.column("volume"), nullptr);
  EXPECT_EQ(head_of(*cells.column("area")), "Area (µm²)");
  EXPECT_EQ(number(cells, "area", 0), 66 * 0.25);
  EXPECT_EQ(number(cells, "digital_perimeter", 0), 17.0);
  EXPECT_EQ(number(cells, "border", 0), 0.0);
}

TEST(Cells, PerSliceAddsUpToTheVolume) {
  const auto p = test::tissue({9, 20, 25}, 6, 4);
  const VoxelSize voxel{2.0, 0.5, 0.5, "µm"};
  const auto all = measured(labelled(p, voxel), true);
  const Table& cells = table(all, "cells");
  const Table& slices = table(all, "slices");
  for (std::size_t row = 0; row < cells.rows(); ++row) {
    double area = 0.0;
    for (std::size_t i = 0; i < slices.rows(); ++i) {
      if (number(slices, "label", i) == number(cells, "label", row))
        area += number(slices, "area", i);
    }
    EXPECT_NEAR(area * voxel.z, number(cells, "volume", row), 1e-9);
  }
  for (std::size_t i = 1; i < slices.rows(); ++i) {
    EXPECT_LE(number(slices, "label", i - 1), number(slices, "label", i));
  }
}

TEST(Cells, OtherNumbersLeaveTheTableButForThese) {
  auto p = test::tissue({9, 20, 25}, 6, 4);
  const auto before = measured(labelled(p, {1, 2, 3, "nm"}));
  for (std::uint32_t& l : p.values) l = l == 0 ? 0 : 3 * l + 70'000;
  const auto after = measured(labelled(p, {1, 2, 3, "nm"}));
  Table a = table(before, "cells");
  Table b = table(after, "cells");
  auto& old_numbers = std::get<std::vector<std::int64_t>>(a.columns.front().cells);
  for (std::int64_t& one : old_numbers) one = 3 * one + 70'000;
  EXPECT_EQ(to_csv(a), to_csv(b));
}

TEST(Cells, OfParticlesAreThoseOfTheirReconstruction) {
  Apr apr = test::random_apr({{9, 14, 11}, 5, 0.6, false});
  Labels labels;
  for (std::size_t i = 0; i < apr.access->count(); ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(i / 7 % 5));
  }
  labels.largest = 4;
  apr.voxel = {0.5, 0.25, 0.25, "µm"};
  const auto values = apr.main_field()->to_float();
  Volume volume;
  // Of the particles' type, as reconstructing them gives.
  volume.pixels = typed_as(*apr.main_field(), test::naive_reconstruct(*apr.access, values));
  volume.voxel = apr.voxel;
  const std::vector<float> as_values(labels.values.begin(), labels.values.end());
  const auto painted = test::naive_reconstruct(*apr.access, as_values).values;
  volume.labels = std::make_shared<const Labels>(
      Labels{std::vector<std::uint32_t>(painted.begin(), painted.end()), 4, {}, {}});
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  const auto native = measured(Dataset::create(std::move(apr)), true);
  const auto pixels = measured(Dataset::create(std::move(volume)), true);
  ASSERT_EQ(native.tables.size(), pixels.tables.size());
  for (std::size_t i = 0; i < native.tables.size(); ++i) {
    EXPECT_EQ(to_csv(native.tables[i]), to_csv(pixels.tables[i]));
  }
}

TEST(Cells, OfNoneAreATableWithoutRows) {
  const auto all = measured(labelled(Pixels<std::uint32_t>(Size3{3, 4, 5}), {}), true);
  EXPECT_EQ(table(all, "cells").rows(), 0U);
  EXPECT_EQ(table(all, "total").rows(), 1U);
  EXPECT_EQ(number(table(all, "total"), "cells", 0), 0.0);
}

TEST(Cells, NeedLabels) {
  Volume volume;
  volume.name = "image";
  volume.pixels = Pixels<float>(Size3{3, 4, 5});
  const auto found = cpu_backend()->measure({"cells", {}}, *Dataset::create(std::move(volume)), {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("no labels"), std::string::npos);
}

}  // namespace
}  // namespace aprscope

// The operation against tables that other libraries made: persistence (GUDHI) and sections
// (scikit-image), for pixels and, natively, for particles.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/pipeline/backend.hpp"
#include "tests/core/topology/dyadic_apr.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct Curves {
  std::vector<double> threshold;
  std::vector<std::int64_t> change;
  std::vector<std::int64_t> euler;
  std::vector<double> volume;
  std::vector<double> surface;
  std::vector<double> breadth;
  // β0, β1, β2; of flat images without the last.
  std::vector<std::vector<std::int64_t>> betti;
};

Curves measured(const Data& of, const Json& oracle, const char* sets,
                const std::string& construction) {
  Curves out;
  Data data = of;
  // A flat image has two sides there.
  auto side = oracle["voxel"].get<std::vector<double>>();
  if (side.size() == 2) side.insert(side.begin(), 1.0);
  std::visit([&](auto& one) { one.voxel = {side[0], side[1], side[2], "µm"}; }, data);
  const auto found = cpu_backend()->measure(
      {"topology", {{"sets", std::string(sets)}, {"construction", construction}, {"betti", true}}},
      *Dataset::create(std::move(data)), {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  if (!found) return out;
  const Table& table = found->tables.front();
  const auto real = [&](const char* id) {
    const Column* column = table.column(id);
    return column != nullptr ? std::get<std::vector<double>>(column->cells) : std::vector<double>();
  };
  out.threshold = real("threshold");
  out.volume = real("volume");
  out.surface = real("surface");
  out.breadth = real("breadth");
  out.change = std::get<std::vector<std::int64_t>>(table.column("vcec")->cells);
  out.euler = std::get<std::vector<std::int64_t>>(table.column("ecc")->cells);
  for (const char* id : {"b0", "b1", "b2"}) {
    const Column* column = table.column(id);
    if (column != nullptr) {
      out.betti.push_back(std::get<std::vector<std::int64_t>>(column->cells));
    }
  }
  return out;
}

void expect_functionals(const Curves& curves, const Json& rows) {
  for (const Json& row : rows) {
    const auto wanted = row["V"].get<std::vector<double>>();
    const double at = row["threshold"].get<double>();
    const auto level = std::upper_bound(curves.threshold.begin(), curves.threshold.end(), at);
    if (level == curves.threshold.begin()) continue;
    const auto i = static_cast<std::size_t>(level - curves.threshold.begin()) - 1;
    const std::size_t d = wanted.size() - 1;
    const auto near = [](double v) { return 1e-9 * std::max(1.0, std::abs(v)); };
    EXPECT_NEAR(curves.volume[i], wanted[d], near(wanted[d])) << at;
    EXPECT_NEAR(curves.surface[i], 2.0 * wanted[d - 1], near(2.0 * wanted[d - 1])) << at;
    if (d == 3) {
      EXPECT_NEAR(2.0 * curves.breadth[i], wanted[1], near(wanted[1])) << at;
    }
  }
}

// At the thresholds that the table has.
void expect_betti(const Curves& curves, const Json& rows, const Json& at) {
  std::vector<double> values = curves.threshold;
  if (!at.is_string()) values = at.get<std::vector<double>>();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto wanted = rows[k].get<std::vector<std::int64_t>>();
    ASSERT_EQ(wanted.size(), values.size());
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      const auto level =
          std::lower_bound(curves.threshold.begin(), curves.threshold.end(), values[j]);
      ASSERT_NE(level, curves.threshold.end());
      const auto i = static_cast<std::size_t>(level - curves.threshold.begin());
      EXPECT_EQ(k < curves.betti.size() ? curves.betti[k][i] : 0, wanted[j])
          << "β" << k << " at " << values[j];
    }
  }
}

// χ = β0 − β1 + β2, of flat images as a check of both.
void expect_sum(const Curves& curves) {
  for (std::size_t i = 0; i < curves.euler.size(); ++i) {
    const std::int64_t voids = curves.betti.size() == 3 ? curves.betti[2][i] : 0;
    EXPECT_EQ(curves.betti[0][i] - curves.betti[1][i] + voids, curves.euler[i]);
  }
}

void expect_oracle(const Data& data, const Json& oracle) {
  for (const char* construction : {"T", "V"}) {
    SCOPED_TRACE(oracle["name"].get<std::string>() + ", " + construction);
    const Json& wanted = oracle[construction];
    const std::string word(1, static_cast<char>(std::tolower(construction[0])));
    const Curves rising = measured(data, oracle, "sublevel", word);
    EXPECT_EQ(rising.threshold, oracle["values"].get<std::vector<double>>());
    EXPECT_EQ(rising.change, wanted["vcec"].get<std::vector<std::int64_t>>());
    EXPECT_EQ(rising.euler, wanted["ecc"].get<std::vector<std::int64_t>>());
    expect_betti(rising, wanted["betti"], oracle["betti_at"]);
    expect_sum(rising);
    // Images of one slice are flat to us; there a few tables have a third side of 1.
    const bool flat = oracle["size"].size() == 3 && oracle["size"][0] == 1;
    if (!flat && wanted.contains("minkowski")) expect_functionals(rising, wanted["minkowski"]);
    Curves falling = measured(data, oracle, "superlevel", word);
    expect_sum(falling);
    std::reverse(falling.threshold.begin(), falling.threshold.end());
    std::reverse(falling.euler.begin(), falling.euler.end());
    EXPECT_EQ(falling.threshold, wanted["super_values"].get<std::vector<double>>());
    EXPECT_EQ(falling.euler, wanted["super_ecc"].get<std::vector<std::int64_t>>());
  }
}

void expect_oracle(const fs::path& file, const Json& oracle) {
  const auto data = load_file(file.string());
  ASSERT_TRUE(data.ok()) << file;
  expect_oracle(*data, oracle);
}

Json oracle_of(const fs::path& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

TEST(TopologyOracle, PixelsGiveTheTablesOfOtherLibraries) {
  APRSCOPE_NEEDS_DATA();
  int seen = 0;
  const fs::path folder = test::data_dir() / "topology";
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.ends_with(".cubes.json")) continue;
    const Json oracle = oracle_of(entry.path());
    expect_oracle(folder / oracle["file"].get<std::string>(), oracle);
    ++seen;
  }
  EXPECT_EQ(seen, 23);
}

TEST(TopologyOracle, ParticlesOfTheReferenceLibraryGiveTheTablesOfTheirPixels) {
  APRSCOPE_NEEDS_DATA();
  const fs::path apr = test::data_dir() / "apr";
  const fs::path topology = test::data_dir() / "topology";
  expect_oracle(apr / "sphere_1D" / "sphere_1D.apr", oracle_of(topology / "sphere_1D_pc.json"));
  expect_oracle(apr / "sphere_2D" / "sphere_2D.apr", oracle_of(topology / "sphere_2D_pc.json"));
  expect_oracle(apr / "sphere_diff_dims" / "sphere.apr",
                oracle_of(topology / "sphere_diff_dims_pc.json"));
}

// Cells that are not balanced, of which many are clipped.
TEST(TopologyOracle, DyadicCellsGiveTheTablesOfTheirPixels) {
  APRSCOPE_NEEDS_DATA();
  const fs::path folder = test::data_dir() / "topology";
  for (const std::string name : {"dyadic2d", "dyadic3d", "dyadic3d_u16"}) {
    const Json oracle = oracle_of(folder / (name + ".json"));
    auto extent = oracle["size"].get<std::vector<std::int64_t>>();
    if (extent.size() == 2) extent.insert(extent.begin(), 1);
    std::vector<test::DyadicCell> cells;
    for (const Json& row : oracle_of(folder / (name + ".cubes.json"))) {
      auto numbers = row.get<std::vector<std::int64_t>>();
      if (numbers.size() == 4) numbers.insert(numbers.begin(), 0);
      cells.push_back({{numbers[0], numbers[1], numbers[2]},
                       numbers[3],
                       static_cast<std::uint16_t>(numbers[4])});
    }
    const auto apr = test::dyadic_apr({extent[0], extent[1], extent[2]}, cells);
    ASSERT_TRUE(apr.ok()) << apr.error().message();
    expect_oracle(*apr, oracle);
  }
}

}  // namespace
}  // namespace aprscope

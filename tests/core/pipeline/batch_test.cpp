#include "core/pipeline/batch.hpp"

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/label_read.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/pipeline/batch_merge.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

class Batch : public ::testing::Test {
 protected:
  Batch() { std::filesystem::create_directory(folder_ / "out"); }

  std::string image(const char* name) {
    const auto path = folder_ / name;
    EXPECT_TRUE(write_tiff(test::image_of({12, 16, 20}, test::rough), path).ok());
    return path.string();
  }
  Result<std::vector<BatchRow>> run(const std::vector<Operation>& steps,
                                    const std::vector<std::string>& inputs,
                                    const JobContext& context = {}) {
    return run_batch({"", 0, 0, steps}, inputs, {folder_ / "out", {}, false}, *cpu_backend(),
                     context);
  }

  test::TemporaryFolder folder_;
};

TEST_F(Batch, GivesWhatTheExecutorGives) {
  const std::vector<Operation> steps{{"convert", {}}, {"gaussian", {}}};
  const auto rows = run(steps, {image("a.tif"), image("b.tif")});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 2U);
  const auto expected =
      execute(steps, Dataset::create(*load_file((folder_ / "a.tif").string())), *cpu_backend());
  ASSERT_TRUE(expected.ok());
  for (const BatchRow& row : *rows) {
    EXPECT_EQ(row.error, "");
    EXPECT_EQ(row.costs.size(), 2U);
    EXPECT_EQ(row.file_bytes, std::filesystem::file_size(row.output));
    const auto written = load_file(row.output.string());
    ASSERT_TRUE(written.ok());
    const Apr& apr = std::get<Apr>(*written);
    EXPECT_EQ(row.particles, apr.access->count());
    EXPECT_EQ(apr.main_field()->to_float(), expected->data->values().particles());
  }
  EXPECT_EQ((*rows)[1].output, folder_ / "out" / "b.apr");
}

TEST_F(Batch, LabelsAreWrittenAsLabels) {
  const std::vector<Operation> steps{{"watershed", {}}, {"cells", {}}};
  const auto rows = run(steps, {image("a.tif")});
  ASSERT_TRUE(rows.ok());
  const BatchRow& row = rows->front();
  EXPECT_EQ(row.error, "");
  EXPECT_EQ(row.output, folder_ / "out" / "a-labels.tif");
  EXPECT_FALSE(row.measured.empty());
  const auto expected =
      execute(steps, Dataset::create(*load_file((folder_ / "a.tif").string())), *cpu_backend());
  ASSERT_TRUE(expected.ok());
  const auto written = read_labels(row.output.string(), {12, 16, 20});
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(written->values, expected->data->labels()->values);
  EXPECT_TRUE(ends_in_labels(steps));
  EXPECT_FALSE(ends_in_labels({{"watershed", {}}, {"box", {}}}));
  EXPECT_FALSE(ends_in_labels({{"cells", {}}}));
  // Nothing to write.
  EXPECT_FALSE(write_labels_of(*Dataset::create(test::image_of({2, 3, 4}, test::rough)),
                               folder_ / "none.tif")
                   .ok());
}

TEST_F(Batch, AFailedFileDoesNotStopTheOthers) {
  std::ofstream(folder_ / "broken.tif") << "no picture, though it says so";
  const auto rows = run({{"median", {}}}, {(folder_ / "missing.tif").string(), image("a.tif"),
                                           (folder_ / "broken.tif").string(), image("c.tif")});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 4U);
  EXPECT_NE((*rows)[0].error.find("missing.tif"), std::string::npos);
  EXPECT_NE((*rows)[2].error.find("broken.tif"), std::string::npos);
  EXPECT_TRUE((*rows)[0].output.empty());
  for (const std::size_t good : {1U, 3U}) {
    EXPECT_EQ((*rows)[good].error, "");
    EXPECT_TRUE(std::filesystem::exists((*rows)[good].output));
  }
}

TEST_F(Batch, NeverOverwritesAnInput) {
  const auto path = folder_ / "out" / "a.tif";
  ASSERT_TRUE(write_tiff(test::image_of({4, 4, 4}, test::rough), path).ok());
  const auto before = std::filesystem::file_size(path);
  const auto rows = run({{"median", {}}}, {path.string()});
  ASSERT_TRUE(rows.ok());
  EXPECT_NE((*rows)[0].error.find("would be overwritten"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path), before);
}

TEST_F(Batch, TellsEachRowAndStopsWhenAsked) {
  std::stop_source stop;
  std::size_t seen = 0;
  const std::vector<std::string> inputs{image("a.tif"), image("b.tif"), image("c.tif")};
  const auto rows =
      run_batch({"", 0, 0, {{"box", {}}}}, inputs, {folder_ / "out", {}, false}, *cpu_backend(),
                JobContext(stop.get_token()), [&](const std::vector<BatchRow>& so_far) {
                  seen = so_far.size();
                  if (seen == 2) stop.request_stop();
                });
  ASSERT_FALSE(rows.ok());
  EXPECT_TRUE(rows.error().cancelled());
  EXPECT_EQ(seen, 2U);
}

TEST_F(Batch, WhatStepsMeasureLiesBesideTheResults) {
  const auto rows =
      run({{"statistics", {}}, {"box", {}}, {"statistics", {}}}, {image("a.tif"), image("b.tif")});
  ASSERT_TRUE(rows.ok());
  for (const BatchRow& row : *rows) {
    EXPECT_EQ(row.error, "");
    EXPECT_TRUE(std::filesystem::exists(row.output));
    ASSERT_EQ(row.measured.size(), 4U);
    for (const TableFile& file : row.measured) {
      EXPECT_EQ(*read_text(file.path), to_csv(file.table)) << file.path;
    }
  }
  EXPECT_EQ((*rows)[0].measured[0].path, folder_ / "out" / "a-histogram.csv");
  EXPECT_EQ((*rows)[0].measured[1].path, folder_ / "out" / "a-statistics.csv");
  EXPECT_EQ((*rows)[0].measured[2].path, folder_ / "out" / "a-histogram-2.csv");
  EXPECT_EQ((*rows)[0].measured[3].path, folder_ / "out" / "a-statistics-2.csv");
  // One table of all files, each row with its file.
  BatchOptions options;
  options.output_folder = folder_ / "out";
  const auto stacked = write_stacked({}, {}, *rows, options);
  ASSERT_TRUE(stacked.ok());
  const auto all = read_text(folder_ / "out" / "statistics-2.csv");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->rfind("file,part,pixels,", 0), 0U) << *all;
  EXPECT_EQ(std::count(all->begin(), all->end(), '\n'), 3);
  EXPECT_NE(all->find("b.tif,all,"), std::string::npos);
}

TEST_F(Batch, AnyNumberOfFiltersLeavesTheirResult) {
  for (int filters = 1; filters <= 4; ++filters) {
    std::vector<Operation> steps(static_cast<std::size_t>(filters), Operation{"box", {}});
    const auto rows = run(steps, {image("a.tif")});
    ASSERT_TRUE(rows.ok());
    EXPECT_EQ((*rows)[0].output, folder_ / "out" / "a.tif") << filters;
  }
}

TEST_F(Batch, APartHasItsShareUnderTheNamesOfTheWhole) {
  std::filesystem::create_directory(folder_ / "x");
  // The second is much larger; the third has the name of the first.
  const std::vector<std::string> inputs{image("a.tif"), image("big.tif"), image("x/a.tif")};
  ASSERT_TRUE(write_tiff(test::image_of({24, 32, 40}, test::rough), inputs[1]).ok());
  const Recipe recipe{"", 0, 0, {{"statistics", {}}, {"box", {}}}};
  std::vector<std::filesystem::path> tables;
  for (int number = 1; number <= 3; ++number) {
    BatchOptions options;
    options.output_folder = folder_ / "out";
    options.part = BatchPart{number, 3};
    std::string waiting;
    const auto rows = run_batch(recipe, inputs, options, *cpu_backend(), {},
                                [&](const std::vector<BatchRow>& so_far) {
                                  ASSERT_EQ(so_far.size(), 1U);
                                  if (waiting.empty()) waiting = so_far[0].error;
                                });
    ASSERT_TRUE(rows.ok());
    ASSERT_EQ(rows->size(), 1U);
    EXPECT_NE(waiting.find("was not run"), std::string::npos) << waiting;
    EXPECT_EQ(rows->front().error, "");
    const std::size_t expected[] = {2, 1, 3};
    EXPECT_EQ(rows->front().number, expected[number - 1]);
    const auto stacked = write_stacked(recipe, inputs, *rows, options);
    ASSERT_TRUE(stacked.ok());
    tables.push_back(folder_ / ("t.part" + std::to_string(number) + ".csv"));
    ASSERT_TRUE(
        write_text_atomically(tables.back(), part_csv(recipe, inputs, *rows, options, &*stacked))
            .ok());
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "a-2.tif"));
  const auto merged = merge_parts(tables);
  ASSERT_TRUE(merged.ok()) << merged.error().message();
  EXPECT_EQ(merged->rows, 3U);
  EXPECT_TRUE(merged->unfinished.empty());
  // What one process makes of all of them.
  std::map<std::string, std::string> parts;
  for (const auto& table : merged->tables) parts[table.path.filename().string()] = table.csv;
  ASSERT_EQ(parts.size(), 2U);
  const auto all = run(recipe.steps, inputs);
  ASSERT_TRUE(all.ok());
  BatchOptions options;
  options.output_folder = folder_ / "out";
  ASSERT_TRUE(write_stacked(recipe, inputs, *all, options).ok());
  for (const auto& [name, csv] : parts) EXPECT_EQ(*read_text(folder_ / "out" / name), csv) << name;
}

// A part in whose files nothing was found fits those of parts where something was.
TEST_F(Batch, APartWhoseTablesHaveNoRowsHasTheSameColumns) {
  const std::vector<std::string> inputs{"none.tif", "some.tif"};
  BatchOptions options;
  options.output_folder = folder_ / "out";
  std::vector<std::filesystem::path> tables;
  for (int number = 1; number <= 2; ++number) {
    BatchRow row;
    row.input = inputs[static_cast<std::size_t>(number - 1)];
    row.number = static_cast<std::size_t>(number);
    const std::vector<double> volumes(static_cast<std::size_t>(number - 1), 8.0);
    const Table table{"cells", "Cells", {Column{"volume", "Volume", "", volumes}}};
    row.measured.push_back(TableFile{"", table});
    options.part = BatchPart{number, 2};
    const auto stacked = write_stacked({}, inputs, {row}, options);
    ASSERT_TRUE(stacked.ok());
    tables.push_back(folder_ / ("t.part" + std::to_string(number) + ".csv"));
    ASSERT_TRUE(
        write_text_atomically(tables.back(), part_csv({}, inputs, {row}, options, &*stacked)).ok());
  }
  const auto merged = merge_parts(tables);
  ASSERT_TRUE(merged.ok()) << merged.error().message();
  EXPECT_TRUE(merged->unlike.empty());
  ASSERT_EQ(merged->tables.size(), 1U);
  EXPECT_EQ(merged->tables[0].csv, "file,volume\nsome.tif,8\n");
}

TEST_F(Batch, TheTableOfAllFilesReplacesNoOther) {
  const auto rows = run({{"statistics", {}}}, {image("a.tif"), image("b.tif")});
  ASSERT_TRUE(rows.ok());
  BatchOptions options;
  options.output_folder = folder_ / "out";
  const std::string taken = (folder_ / "out" / "statistics.csv").string();
  ASSERT_TRUE(write_text_atomically(taken, "another table").ok());
  EXPECT_FALSE(write_stacked({}, {}, *rows, options, {taken}).ok());
  EXPECT_EQ(*read_text(taken), "another table");
}

TEST_F(Batch, StepsThatOnlyMeasureLeaveNoCopyOfTheInput) {
  const auto rows = run({{"statistics", {}}}, {image("a.tif")});
  ASSERT_TRUE(rows.ok());
  EXPECT_TRUE((*rows)[0].output.empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "a.tif"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "a-statistics.csv"));
}

TEST(ResultNames, AreTheInputsAndAllDifferent) {
  EXPECT_EQ(result_names({"x/stack.ome.tif", "y/stack.tif", "v.h5:/t0/raw", "stack-2.apr"}),
            (std::vector<std::string>{"stack", "stack-2", "v_t0_raw", "stack-2-2"}));
}

TEST(BatchCsv, HasAColumnForEachStepAndEmptyFieldsForWhatFailed) {
  const Recipe recipe{"", 0, 0, {{"convert", {}}, {"box", {}}}};
  BatchRow good;
  good.input = "a.tif";
  good.output = "out/a.apr";
  good.read_seconds = 0.5;
  good.costs = {{"convert", 1.5, 10, 700, "CPU"}, {"box", 0.25, 20, 900, "CPU"}};
  good.write_seconds = 0.125;
  good.particles = 1000;
  good.computational_ratio = 12.5;
  good.bytes = 3000;
  good.file_bytes = 2000;
  BatchRow bad;
  bad.input = "b, c.tif";
  bad.error = "b, c.tif: is \"odd\"";
  good.costs[1].moved = DeviceMove{"cuda:0", "cpu", "CPU", "it is too large"};
  EXPECT_EQ(batch_csv(recipe, {good, bad}),
            "file,output,read_s,step1_convert_s,step2_box_s,write_s,particles,cr,bytes,file_bytes,"
            "peak_bytes,backend,device_reason,done_before,error\n"
            "a.tif,out/a.apr,0.5,1.5,0.25,0.125,1000,12.5,3000,2000,900,CPU,it is too large,,\n"
            "\"b, c.tif\",,,,,,,,,,,,,,\"b, c.tif: is \"\"odd\"\"\"\n");
}

}  // namespace
}  // namespace aprscope

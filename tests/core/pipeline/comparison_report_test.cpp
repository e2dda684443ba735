#include "core/pipeline/comparison_report.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

TEST(ComparisonReport, TableHasMetricsAndWhatEachSideTook) {
  ComparisonReport report;
  const auto image = Dataset::create(test::image_of({4, 8, 8}, test::rough));
  const auto particles = Dataset::create(Data(test::uniform_apr({8, 8, 8}, 3, test::rough)));
  report.a = compared_side("cells, raw", *image, ReconstructionMode::constant,
                           {{"gaussian", 0.5, 1024, 2048, "CPU"}});
  report.b = compared_side("particles", *particles, ReconstructionMode::smooth,
                           {{"convert", 1.0, 10, 100, "CPU"}, {"gaussian", 0.25, 10, 50, "CPU"}});
  report.axis = Axis::x;
  report.index = 7;
  report.slice = ImageMetrics{31.25, 0.5, 0.125, 12.0, {0, 3, 4}};
  report.volume = ImageMetrics{std::numeric_limits<double>::infinity(), 1.0, 0.0, 0.0, {1, 2, 3}};
  const std::string text = report_csv(report);
  for (const char* line :
       {"of,quantity,value,unit\n", "slice x 7,psnr,31.25,dB\n",
        "slice x 7,max_abs_diff_at_row,3,px\n", "volume,psnr,inf,dB\n",
        "volume,max_abs_diff_at_y,3,px\n", "A,name,\"cells, raw\",\n",
        "A,seconds_step_gaussian,0.5,s\n", "A,bytes_held,1024,B\n", "B,seconds_all_steps,0.25,s\n",
        "B,seconds_conversion,1,s\n", "B,bytes_peak_of_steps,50,B\n", "B,particles,512,\n",
        "B,cr,1,\n", "B,shown_as,\"particles, smooth\",\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(ComparisonReport, ProfilesStandBesideEachOther) {
  EXPECT_EQ(profile_csv({{0.0, 0.5}, {1.0, 2.0}}, {{0.0, 0.5}, {3.0, 4.5}}, "µm"),
            "distance_µm,a,b\n0,1,3\n0.5,2,4.5\n");
}

TEST(ComparisonReport, LinesForFigures) {
  EXPECT_EQ(metrics_line({31.204, 0.95123, 0.02712, 120.0, {}}),
            "PSNR 31.20 dB · SSIM 0.9512 · NRMSE 0.0271 · largest difference 120");
  EXPECT_EQ(metrics_line({std::numeric_limits<double>::infinity(), 1.0, 0.0, 0.0, {}}), "equal");
  ComparedSide side;
  side.bytes = 12'600'000;
  EXPECT_EQ(cost_line(side), "holds 12.6 MB");
  side.costs = {{"box", 0.42, 1, {}, "CPU, 2 threads"}};
  side.particles = 10;
  side.computational_ratio = 21.04;
  EXPECT_EQ(cost_line(side), "steps 420 ms · holds 12.6 MB · CR 21.0 · CPU, 2 threads");
}

// The conversion is no step that pixels have, too: figures, table and window leave it out alike.
TEST(ComparisonReport, SummaryComparesTheStepsAndWhatIsHeld) {
  ComparedSide a;
  a.bytes = 24'000'000;
  a.costs = {{"gaussian", 0.09, 1, 30, "CPU"}};
  ComparedSide b;
  b.bytes = 6'000'000;
  b.costs = {{"convert", 0.4, 1, 500, "CPU"}, {"gaussian", 0.05, 1, 10, "CPU"}};
  EXPECT_EQ(cost_summary(a, b), "B's steps were 1.8 × faster; B holds 4.0 × less memory");
  EXPECT_EQ(cost_summary(b, a), "B's steps were 1.8 × slower; B holds 4.0 × more memory");
  EXPECT_EQ(cost_line(b),
            "steps 50 ms · conversion 400 ms · holds 6.0 MB · peak of steps 10 B · CPU");
  EXPECT_EQ(cost_summary(a, {}), "");
}

}  // namespace
}  // namespace aprscope

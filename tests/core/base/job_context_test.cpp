#include "core/base/job_context.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(JobContext, DefaultNeverStops) {
  const JobContext context;
  EXPECT_FALSE(context.stop_requested());
  context.report(0.5, "nobody listens");
}

TEST(JobContext, PartsMapIntoTheWholeAndClamp) {
  std::vector<std::pair<double, std::string>> heard;
  const JobContext context({}, [&](double f, std::string_view s) { heard.emplace_back(f, s); });
  const JobContext second_half = context.part(0.5, 1.0);
  second_half.report(0.5, "a");
  second_half.part(0.0, 0.5).report(1.0, "b");
  second_half.report(7.0, "c");
  const std::vector<std::pair<double, std::string>> expected{{0.75, "a"}, {0.75, "b"}, {1.0, "c"}};
  EXPECT_EQ(heard, expected);
}

TEST(JobContext, PartsShareTheStop) {
  std::stop_source source;
  const JobContext part = JobContext(source.get_token()).part(0.2, 0.4);
  EXPECT_FALSE(part.stop_requested());
  source.request_stop();
  EXPECT_TRUE(part.stop_requested());
}

}  // namespace
}  // namespace aprscope

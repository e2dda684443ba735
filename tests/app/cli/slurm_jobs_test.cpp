// What is known of the tasks of a job, from the lines of Slurm's programs.
#include "app/cli/shared/slurm_jobs.hpp"

#include <gtest/gtest.h>

namespace aprscope::cli {
namespace {

TEST(SlurmJobs, TasksAreCountedByTheirStates) {
  TaskStates states(9);
  EXPECT_EQ(to_text(states.counts()), "9 pending, 0 running, 0 done, 0 failed");
  states.take("12",
              "12_1|COMPLETED\n12_2|RUNNING\n12_3|COMPLETING\n12_4|FAILED\n12_[5-7,9%2]|PENDING\n"
              "12_8|OUT_OF_MEMORY\n121_1|FAILED\n12_1.batch|FAILED\nno line\n");
  EXPECT_EQ(to_text(states.counts()), "4 pending, 2 running, 1 done, 2 failed");
  EXPECT_FALSE(states.counts().ended());
  // Those that Slurm has forgotten meanwhile stay what they were.
  states.take("12", "12_2|COMPLETED\n12_3|COMPLETED\n12_5|CANCELLED by 0\n");
  EXPECT_EQ(to_text(states.counts()), "3 pending, 0 running, 3 done, 3 failed");
  states.forgotten();
  EXPECT_EQ(to_text(states.counts()), "0 pending, 0 running, 3 done, 6 failed");
  EXPECT_TRUE(states.counts().ended());
}

TEST(SlurmJobs, AJobThatIsNoArrayIsOneTask) {
  TaskStates states(1);
  states.take("13", "13|RUNNING\n");
  EXPECT_EQ(states.counts().running, 1);
  states.take("13", "13|COMPLETED\n");
  EXPECT_TRUE(states.counts().ended());
  EXPECT_EQ(states.counts().done, 1);
}

}  // namespace
}  // namespace aprscope::cli

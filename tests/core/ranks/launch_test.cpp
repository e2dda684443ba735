#include "core/ranks/launch.hpp"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// The launch that these variables, and no others of their kind, tell of.
Launch launch_with(const std::map<std::string, std::string>& variables) {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
        "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS", "APRSCOPE_RANKS"}) {
    ::unsetenv(name);
  }
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  return launch_of_this_process();
}

TEST(Launch, IsToldByWhatStartedTheProcess) {
  EXPECT_EQ(launch_with({}).count, 1);
  const Launch open_mpi =
      launch_with({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  EXPECT_EQ(open_mpi.rank, 2);
  EXPECT_EQ(open_mpi.count, 4);
  EXPECT_EQ(launch_with({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}}).rank, 1);
  EXPECT_EQ(launch_with({{"PMIX_RANK", "5"}, {"SLURM_STEP_NUM_TASKS", "8"}}).rank, 5);
}

// A script of a Slurm job with four tasks is one process, and so is what it starts.
TEST(Launch, AJobOfSeveralTasksIsNoLaunch) {
  EXPECT_EQ(launch_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).count, 1);
}

TEST(Launch, CanBeSwitchedOff) {
  const std::map<std::string, std::string> open_mpi{{"OMPI_COMM_WORLD_RANK", "2"},
                                                    {"OMPI_COMM_WORLD_SIZE", "4"}};
  auto off = open_mpi;
  off["APRSCOPE_RANKS"] = "off";
  EXPECT_EQ(launch_with(off).count, 1);
  EXPECT_EQ(launch_with(off).rank, 0);
  off["APRSCOPE_RANKS"] = "on";
  EXPECT_EQ(launch_with(off).count, 4);
  EXPECT_EQ(launch_with(open_mpi).count, 4);
}

TEST(Launch, NonsenseIsNoLaunch) {
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "4"}}).count, 1);
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "4"}}).count, 1);
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_SIZE", "4"}}).count, 1);
  EXPECT_EQ(launch_with({}).count, 1);
}

}  // namespace
}  // namespace aprscope

// What a job of Slurm is asked for, and that no name becomes a part of its script.
#include "app/cli/shared/slurm_script.hpp"

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/printable.hpp"
#include "core/base/program_output.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::cli {
namespace {

const std::vector<std::string> kOddNames{"/plain.tif",
                                         "/with space.tif",
                                         "/it's \"quoted\".tif",
                                         "/new\nline\n#SBATCH --uid=0",
                                         "/$HOME`id`",
                                         "/back\\slash\\n",
                                         std::string("/tab\there\x01") + "1",
                                         "/ünïcode µ",
                                         std::string("/ü\xc2\x9b") + "31m",
                                         "/\u202Eright to left",
                                         "/no UTF-8 \xff",
                                         "/-rf",
                                         "/semi;colon & more",
                                         "/'\n'",
                                         "/a*?[b]{c,d}~"};

TEST(SlurmScript, AWordOfTheShellIsTheSameWord) {
  for (const std::string& name : kOddNames) {
    const auto said = output_of({"bash", "-c", "printf '%s|' " + shell_word(name) + " end"});
    ASSERT_TRUE(said.ok()) << said.error().message();
    EXPECT_EQ(*said, name + "|end|");
    EXPECT_EQ(shell_word(name).find('\n'), std::string::npos);
    EXPECT_EQ(shell_word(name), printable(shell_word(name)));
  }
}

TEST(SlurmScript, OptionsAreWordsThatSlurmKnows) {
  const auto all = slurm_options(
      "slurm:partition=gpu-short,time=1-12:00:00,mem=64G,gpus=a100:2,account=lab_1,qos=high,"
      "constraint=avx512&ib,cpus=8,limit=50");
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->partition, "gpu-short");
  EXPECT_EQ(all->gpus, "a100:2");
  EXPECT_EQ(all->cpus, 8);
  EXPECT_EQ(all->limit, 50);
  EXPECT_TRUE(slurm_options("slurm").ok());
  for (const char* wrong :
       {"pbs", "", "slurm:mem", "slurm:mem=", "slurm:mem=lots", "slurm:memory=8G", "slurm:gpus=0",
        "slurm:gpus=-1", "slurm:time=tomorrow", "slurm:partition=a b", "slurm:partition=-x",
        "slurm:partition=a\n#SBATCH --uid=0", "slurm:partition=$(id)", "slurm:cpus=1000000",
        "slurm:account=a'b", "slurm:limit=0"}) {
    const auto refused = slurm_options(wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_FALSE(refused.error().advice.empty()) << wrong;
  }
}

SlurmJob job_of(const std::string& program, const std::string& folder) {
  SlurmJob job;
  job.parts = 7;
  job.command = {program, "run", "/data/recipe's.json"};
  job.inputs = kOddNames;
  job.more = {"-o", "/out put/", "--csv", "/out put/table.csv"};
  job.folder = folder;
  job.memory_bytes = (std::uint64_t{3} << 30U) + 1;
  return job;
}

TEST(SlurmScript, DirectivesStandInFrontAndSayWhatIsAsked) {
  SlurmJob job = job_of("/bin/true", "/");
  job.options = *slurm_options("slurm:partition=p,time=10,gpus=1,cpus=4,limit=3");
  const std::string script = array_script(job);
  EXPECT_EQ(script.rfind("#!/bin/bash\n#SBATCH ", 0), 0U);
  for (const char* line : {"--array=1-7%3", "--partition=p", "--time=10", "--mem=3073M",
                           "--cpus-per-task=4", "--gres=gpu:1"}) {
    EXPECT_NE(script.find("\n#SBATCH " + std::string(line) + "\n"), std::string::npos) << script;
  }
  // Names cannot add any: none begins a line.
  EXPECT_EQ(script.find("\n#SBATCH --uid"), std::string::npos) << script;
  job.options.mem = "5G";
  EXPECT_NE(array_script(job).find("\n#SBATCH --mem=5G\n"), std::string::npos);
  const std::string merge = merge_script(job, {"/a.part1.csv"}, "/a.csv");
  EXPECT_NE(merge.find("\n#SBATCH --partition=p\n"), std::string::npos);
  EXPECT_EQ(merge.find("--gres"), std::string::npos);
}

// Run by bash, with a program that says its arguments in the place of this one.
TEST(SlurmScript, TheProgramGetsTheNamesAsTheyAre) {
  const test::TemporaryFolder folder;
  const std::string script = (folder / "parts.sh").string();
  SlurmJob job = job_of("/usr/bin/printf", folder.path().string());
  job.command = {"/usr/bin/printf", "%s|"};
  ASSERT_TRUE(write_text_atomically(script, array_script(job)).ok());
  const auto said =
      output_of({"env", "SLURM_ARRAY_TASK_ID=3", "SLURM_CPUS_PER_TASK=4", "bash", "-eu", script});
  ASSERT_TRUE(said.ok()) << said.error().message();
  std::string expected;
  for (const std::string& name : kOddNames) expected += name + "|";
  expected += "-o|/out put/|--csv|/out put/table.csv|--part|3/7|--threads|4|";
  EXPECT_EQ(*said, expected);
}

}  // namespace
}  // namespace aprscope::cli

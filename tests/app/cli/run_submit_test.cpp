// Submission by the real program. Slurm's own programs are small scripts here, which run the jobs
// at once; slurm.py does the same with a real Slurm.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/process.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class SubmittedRuns : public Chain {
 protected:
  SubmittedRuns() : search_path_(std::getenv("PATH")) {
    for (const char* name : {"a.tif", "it's \"b\".tif"}) {
      run({"synth", "spheres", "-o", path(name), "--size", "16,24,20", "--seed", "3"});
    }
    EXPECT_TRUE(write_text_atomically(path("bad\nname.tif"), "no image").ok());
    EXPECT_TRUE(
        write_text_atomically(path("r.json"), R"({"aprscope": 2, "steps": [{"operation": "box"}]})")
            .ok());
  }
  ~SubmittedRuns() override { ::setenv("PATH", search_path_.c_str(), 1); }
  SubmittedRuns(const SubmittedRuns&) = delete;
  SubmittedRuns& operator=(const SubmittedRuns&) = delete;

  void program(const std::string& name, const std::string& text) {
    fs::create_directory(path("bin"));
    ASSERT_TRUE(write_text_atomically(path("bin/" + name), "#!/bin/bash\n" + text).ok());
    fs::permissions(path("bin/" + name), fs::perms::owner_all);
    ::setenv("PATH", (path("bin") + ":" + search_path_).c_str(), 1);
  }
  std::vector<std::string> words(const std::vector<std::string>& more) {
    std::vector<std::string> all{
        "run", path("r.json"), path("a.tif"), path("it's \"b\".tif"), path("bad\nname.tif"),
        "-o",  path("out/")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string search_path_;
};

TEST_F(SubmittedRuns, AreShownAndNotSubmittedWhereThatIsAsked) {
  const auto done = run_cli(words(
      {"--submit", "slurm:partition=p,time=5", "--parts", "2", "--dry-run", "--device", "cpu"}));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const char* line : {"#SBATCH --array=1-2\n", "#SBATCH --partition=p\n", "#SBATCH --time=5\n",
                           "#SBATCH --mem=", "batch merge"}) {
    EXPECT_NE(done.out.find(line), std::string::npos) << line << done.out;
  }
  EXPECT_EQ(done.out.find("--gres"), std::string::npos);
  EXPECT_NE(done.out.find(bytes_of(path("out/slurm/parts.sh"))), std::string::npos);
  EXPECT_NE(done.out.find(bytes_of(path("out/slurm/merge.sh"))), std::string::npos);
  const auto json = run(words({"--submit", "slurm", "--dry-run", "--channel", "0"}));
  EXPECT_EQ(json["tasks"], 3);
  EXPECT_EQ(json["script"], bytes_of(path("out/slurm/parts.sh")));
  EXPECT_FALSE(json.contains("job"));
  EXPECT_FALSE(fs::exists(path("out/a.tif")));
}

// A GPU is one of the task, and need not be one of this host; so are threads.
TEST_F(SubmittedRuns, TasksGetTheDevicesAndThreadsThatAreNamed) {
  const auto script = [&](const std::vector<std::string>& more) {
    auto all = words({"--submit", "slurm", "--dry-run"});
    all.insert(all.end(), more.begin(), more.end());
    return run(all)["script"].get<std::string>();
  };
  const std::string one = script({"--device", "cuda:3", "--threads", "5"});
  EXPECT_NE(one.find("#SBATCH --gres=gpu:1\n"), std::string::npos) << one;
  EXPECT_NE(one.find("#SBATCH --cpus-per-task=5\n"), std::string::npos) << one;
  EXPECT_NE(one.find("'--device'\n  'cuda:0'\n"), std::string::npos) << one;
  const std::string two = script({"--device", "cuda:2,3"});
  EXPECT_NE(two.find("#SBATCH --gres=gpu:2\n"), std::string::npos) << two;
  EXPECT_NE(two.find("'cuda:all'"), std::string::npos) << two;
}

// A link before "..": the file that is meant, not the one beside the link.
TEST_F(SubmittedRuns, NamesLeadWhereTheyLed) {
  fs::create_directories(path("far/away"));
  fs::create_directory_symlink(path("far/away"), path("link"));
  fs::copy(path("a.tif"), path("far/a.tif"));
  const auto json = run({"run", path("r.json"), path("./link/../a.tif"), "-o", path("out/"),
                         "--submit", "slurm", "--dry-run", "--device", "cpu"});
  const auto script = json["script"].get<std::string>();
  EXPECT_NE(script.find("'" + path("link/../a.tif") + "'"), std::string::npos) << script;
}

TEST_F(SubmittedRuns, WrongOptionsAreWrongUsage) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--submit", "pbs"},
                                               {"--submit", "slurm:mem=lots"},
                                               {"--submit", "slurm", "--parts", "0"},
                                               {"--submit", "slurm", "--part", "1/2"},
                                               {"--submit", "slurm", "--csv", path("t.txt")},
                                               {"--submit", ""},
                                               {"--part", ""},
                                               {"--dry-run"},
                                               {"--parts", "3"}}) {
    const auto done = run_cli(words(more));
    EXPECT_EQ(done.exit_code, 2) << more.back();
    EXPECT_TRUE(done.one_line_error()) << done.err;
  }
}

TEST_F(SubmittedRuns, WithoutSlurmThatIsSaid) {
  if (find_program("sbatch")) GTEST_SKIP() << "Slurm is installed here";
  const auto done = run_cli(words({"--submit", "slurm"}));
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("sbatch"), std::string::npos);
}

TEST_F(SubmittedRuns, RunInPartsAndBecomeOneTable) {
  // Each task of the array, in the order of submission; the state of a task is how it ended.
  program("sbatch", R"sh(
folder="$(dirname "$0")"
script="${@: -1}"
echo "$*" >>"$folder/said"
tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
job=$((10 + $(wc -l <"$folder/said")))
if [ -z "$tasks" ]; then
  bash "$script" >/dev/null && state=COMPLETED || state=FAILED
  echo "$job|$state" >"$folder/$job"
else
  for task in $(seq "$tasks"); do
    SLURM_ARRAY_TASK_ID=$task bash "$script" >/dev/null && state=COMPLETED || state=FAILED
    echo "${job}_$task|$state" >>"$folder/$job"
  done
fi
echo "$job;cluster"
)sh");
  program("squeue", R"sh(
for word; do case "$word" in --jobs=*) job="${word#--jobs=}" ;; esac; done
cat "$(dirname "$0")/$job"
)sh");
  const auto done =
      run(words({"--submit", "slurm", "--parts", "2", "--allow-failures", "--device", "cpu"}));
  EXPECT_EQ(done["job"], "11");
  EXPECT_EQ(done["merge_job"], "12");
  EXPECT_EQ(done["done"], 2);
  EXPECT_EQ(done["failed_tasks"], 0);
  EXPECT_EQ(done["failed"], 1);
  const std::string table = bytes_of(path("out/table.csv"));
  EXPECT_LT(table.find("a.tif"), table.find("b\"\".tif")) << table;
  EXPECT_NE(table.find("name.tif"), std::string::npos) << table;
  EXPECT_TRUE(fs::exists(path("out/it's \"b\".tif")));
  const std::string said = bytes_of(path("bin/said"));
  EXPECT_NE(said.find("--parsable --output=" + path("out/slurm/part-%A_%a.log")), std::string::npos)
      << said;
  EXPECT_NE(said.find("--dependency=afterany:11"), std::string::npos) << said;
  // A file that failed is an error unless it may.
  const auto failed = run_cli(words({"--submit", "slurm", "--parts", "2", "--device", "cpu"}));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_NE(failed.err.find("1 of 3 files failed"), std::string::npos) << failed.err;
}

TEST_F(SubmittedRuns, CtrlCEndsAnSbatchThatDoesNotAnswer) {
  program("sbatch", "sleep 60\n");
  program("squeue", "");
  ProgramOptions interrupted;
  interrupted.interrupt_after = std::chrono::milliseconds(3000);
  const auto done = run_cli(words({"--submit", "slurm"}), interrupted);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("squeue --me"), std::string::npos) << done.err;
  EXPECT_LT(done.seconds_to_end, 5.0);
}

TEST_F(SubmittedRuns, CtrlCSaysHowToEndThem) {
  program("sbatch", "echo 21\n");
  program("squeue", "echo '21_[1-3]|PENDING'\n");
  ProgramOptions interrupted;
  interrupted.interrupt_after = std::chrono::milliseconds(3000);
  const auto done = run_cli(words({"--submit", "slurm"}), interrupted);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("scancel 21 21"), std::string::npos) << done.err;
  EXPECT_LT(done.seconds_to_end, 5.0);
}

}  // namespace
}  // namespace aprscope::test

// "batch merge" by the real program; what it checks: tests/core/pipeline/batch_merge_test.cpp.
#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class MergeCommand : public Chain {
 protected:
  std::string part(const std::string& name, int number, const std::string& rows) {
    EXPECT_TRUE(
        write_text_atomically(path(name), "# {\"aprscope_part\": " + std::to_string(number) +
                                              ", \"of\": 2, \"files\": 2, \"batch\": "
                                              "\"b\"}\nnr,file,error\n" +
                                              rows)
            .ok());
    return path(name);
  }
};

TEST_F(MergeCommand, WritesOneTableOrNone) {
  const auto one = part("t.part1.csv", 1, "2,b,\"why\n\"\"not\"\"\"\n");
  const auto two = part("t.part2.csv", 2, "1,a,\n");
  run({"batch", "merge", one, two, "-o", path("t.csv")});
  EXPECT_EQ(bytes_of(path("t.csv")), "file,error\na,\nb,\"why\n\"\"not\"\"\"\n");
  for (const std::vector<std::string>& parts :
       {std::vector{one}, std::vector{one, one}, std::vector{one, path("missing.csv")}}) {
    std::vector<std::string> words{"batch", "merge"};
    words.insert(words.end(), parts.begin(), parts.end());
    words.insert(words.end(), {"-o", path("none.csv")});
    const auto done = run_cli(words);
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_FALSE(std::filesystem::exists(path("none.csv")));
  }
  // Not over one of its parts.
  EXPECT_EQ(run_cli({"batch", "merge", one, two, "-o", one}).exit_code, 1);
  EXPECT_EQ(run_cli({"batch", "merge", one, two, "-o", path("t.tif")}).exit_code, 2);
  EXPECT_EQ(run_cli({"batch"}).exit_code, 2);
  EXPECT_EQ(run_cli({"batch", "merge"}).exit_code, 2);
}

}  // namespace
}  // namespace aprscope::test

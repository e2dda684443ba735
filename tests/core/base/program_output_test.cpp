#include "core/base/program_output.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(ProgramOutput, IsWhatTheProgramSays) {
  const auto said = output_of({"printf", "%s|", "a b", "$HOME `id`", "'\"", "-n"});
  ASSERT_TRUE(said.ok()) << said.error().message();
  EXPECT_EQ(*said, "a b|$HOME `id`|'\"|-n|");
}

TEST(ProgramOutput, AFailureHasTheNameOfTheProgram) {
  const auto said = output_of({"sh", "-c", "echo half; echo why not >&2; exit 1"});
  ASSERT_FALSE(said.ok());
  EXPECT_EQ(said.error().where, "sh");
  EXPECT_NE(said.error().what.find("why not"), std::string::npos);
  const auto missing = output_of({"no-such-program-here"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().where, "no-such-program-here");
}

TEST(ProgramOutput, EndsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto said = output_of({"sleep", "20"}, JobContext(stop.get_token()));
  ASSERT_FALSE(said.ok());
  EXPECT_TRUE(said.error().cancelled());
}

}  // namespace
}  // namespace aprscope

// Which group is which channel and time point.
#include "core/io/apr/apr_groups.hpp"

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

std::vector<AprGroupFacts> named(const std::vector<std::string>& names) {
  std::vector<AprGroupFacts> facts;
  for (const auto& name : names) facts.push_back({name, {}, {}, {}});
  return facts;
}

std::string group_of(const AprGroups& groups, int channel, int time) {
  const std::string* name = groups.find(channel, time);
  return name == nullptr ? "(none)" : *name;
}

using Strings = std::vector<std::string>;

TEST(AprGroups, OneChannelWithSeveralTimePoints) {
  const AprGroups groups = interpret_groups(named({"t", "t1", "t2"}));
  EXPECT_EQ(groups.channels, Strings{"t"});
  EXPECT_EQ(groups.times, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(group_of(groups, 0, 0), "t");
  EXPECT_EQ(group_of(groups, 0, 2), "t2");
  EXPECT_EQ(group_of(groups, 0, 3), "(none)");
  EXPECT_EQ(group_of(groups, 1, 0), "(none)");
  EXPECT_EQ(group_of(groups, -1, 0), "(none)");
}

TEST(AprGroups, MoreThanNineTimePointsAreInTheOrderOfTime) {
  Strings names;
  for (int t = 0; t < 12; ++t) names.push_back(group_name("t", t));
  const AprGroups groups = interpret_groups(named(names));
  EXPECT_EQ(groups.channels, Strings{"t"});
  ASSERT_EQ(groups.times.size(), 12U);
  EXPECT_EQ(group_of(groups, 0, 10), "t10");
  EXPECT_EQ(group_of(groups, 0, 2), "t2");
}

TEST(AprGroups, ChannelsWhoseNamesEndInDigits) {
  const AprGroups groups = interpret_groups(named({"ch1", "ch11", "ch2", "ch21"}));
  EXPECT_EQ(groups.channels, (Strings{"ch1", "ch2"}));
  EXPECT_EQ(groups.times, (std::vector<int>{0, 1}));
  EXPECT_EQ(group_of(groups, 1, 1), "ch21");
}

TEST(AprGroups, NamesWithoutACommonStartAreChannels) {
  const AprGroups groups = interpret_groups(named({"ch0", "ch1", "gfp"}));
  EXPECT_EQ(groups.channels, (Strings{"ch0", "ch1", "gfp"}));
  EXPECT_EQ(groups.times, std::vector<int>{0});
}

TEST(AprGroups, SeveralChannelsTimesSeveralTimes) {
  const AprGroups groups = interpret_groups(named({"a", "a1", "a2", "b", "b1", "b2"}));
  EXPECT_EQ(groups.channels, (Strings{"a", "b"}));
  EXPECT_EQ(groups.times.size(), 3U);
  EXPECT_EQ(group_of(groups, 1, 2), "b2");
}

// "a1" without a word about itself is read as time 1 of "a"; its attribute can say otherwise.
TEST(AprGroups, TheAttributeDecidesTheAmbiguity) {
  EXPECT_EQ(interpret_groups(named({"a", "a1"})).channels, Strings{"a"});
  const AprGroups two = interpret_groups({{"a", 0, {}, {}}, {"a1", 0, {}, {}}});
  EXPECT_EQ(two.channels, (Strings{"a", "a1"}));
  EXPECT_EQ(two.times, std::vector<int>{0});
  const AprGroups one = interpret_groups({{"a", 0, {}, {}}, {"a1", 1, {}, {}}});
  EXPECT_EQ(one.channels, Strings{"a"});
  EXPECT_EQ(one.times, (std::vector<int>{0, 1}));
}

TEST(AprGroups, AnAttributeThatContradictsTheNameIsIgnored) {
  const AprGroups groups = interpret_groups({{"a", 7, {}, {}}, {"a1", ~0ULL, {}, {}}});
  EXPECT_EQ(groups.channels, Strings{"a"});
  EXPECT_EQ(groups.times, (std::vector<int>{0, 1}));
}

TEST(AprGroups, OwnFilesTellNamesAndOrder) {
  const AprGroups groups = interpret_groups({{"a_1", 1, "a/", 1}, {"b", 1, "b", 0}});
  EXPECT_EQ(groups.channels, (Strings{"b", "a/"}));
  EXPECT_EQ(groups.times, std::vector<int>{1});
  EXPECT_EQ(group_of(groups, 1, 0), "a_1");
}

TEST(AprGroups, TwoGroupsForOnePlaceStayApart) {
  const AprGroups groups =
      interpret_groups({{"x", 0, "a", {}}, {"y", 0, "a", {}}, {"z", 0, "a", {}}, {"a", 0, {}, {}}});
  EXPECT_EQ(groups.places.size(), 4U);
  EXPECT_EQ(groups.channels.size(), 4U);
}

}  // namespace
}  // namespace aprscope::test

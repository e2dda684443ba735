#include "core/pipeline/batch_merge.hpp"

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/csv.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

class MergedParts : public ::testing::Test {
 protected:
  fs::path write(int part, int of, const std::string& rows, const std::string& more = "") {
    return write_as("t.part" + std::to_string(part) + ".csv", {{part, of}, 5, "b", more}, rows);
  }
  fs::path write_as(const std::string& name, const PartMark& mark, const std::string& rows,
                    const std::string& head = "nr,file,error\n") {
    fs::path path = folder_ / name;
    EXPECT_TRUE(write_text_atomically(path, to_line(mark) + head + rows).ok());
    return path;
  }
  static void expect_refused(const std::vector<fs::path>& parts, const std::string& words) {
    const auto merged = merge_parts(parts);
    ASSERT_FALSE(merged.ok()) << words;
    EXPECT_NE(merged.error().message().find(words), std::string::npos) << merged.error().message();
  }
  test::TemporaryFolder folder_;
};

TEST_F(MergedParts, AreRowsInTheOrderOfTheBatchWithTheirQuotes) {
  const auto one = write(1, 2, "2,b.tif,\n3,\"c\nd, \"\"e\"\".tif\",\"why\nnot\"\n");
  const auto two = write(2, 2, "1,\"'=a.tif\",\n4,d.tif,\n5,e.tif,bad\n");
  for (const auto& order : {std::vector{one, two}, std::vector{two, one}}) {
    const auto merged = merge_parts(order);
    ASSERT_TRUE(merged.ok()) << merged.error().message();
    EXPECT_EQ(merged->csv,
              "file,error\n\"'=a.tif\",\nb.tif,\n\"c\nd, \"\"e\"\".tif\",\"why\nnot\"\nd.tif,\n"
              "e.tif,bad\n");
    EXPECT_EQ(merged->rows, 5U);
    EXPECT_EQ(merged->failed, 2U);
    EXPECT_EQ(merged->parts, 2U);
  }
}

TEST_F(MergedParts, AnEmptyPartIsAPart) {
  const auto merged = merge_parts({write(1, 2, "1,a,\n2,b,\n3,c,\n4,d,\n5,e,\n"), write(2, 2, "")});
  ASSERT_TRUE(merged.ok()) << merged.error().message();
  EXPECT_EQ(merged->csv, "file,error\na,\nb,\nc,\nd,\ne,\n");
}

TEST_F(MergedParts, WhatDoesNotBelongTogetherIsNamed) {
  const auto one = write(1, 3, "1,a,\n2,b,\n");
  const auto two = write(2, 3, "3,c,\n");
  const auto three = write(3, 3, "4,d,\n5,e,\n");
  ASSERT_TRUE(merge_parts({one, two, three}).ok());
  expect_refused({}, "no part");
  expect_refused({one, three}, "of 3 parts 2 is missing");
  expect_refused({three}, "of 3 parts 1 and 2 are missing");
  expect_refused({one, two, three, two}, "part 2 of 3 is there twice");
  expect_refused({one, two, write_as("other.csv", {{3, 3}, 5, "c", ""}, "")}, "another batch");
  expect_refused({one, two, write_as("n.csv", {{3, 4}, 5, "b", ""}, "")}, "another batch");
  expect_refused({one, two, write_as("s.csv", {{3, 3}, 5, "b", "statistics"}, "")},
                 "another table");
  expect_refused({one, two, write_as("h.csv", {{3, 3}, 5, "b", ""}, "", "nr,file,why\n")},
                 "other columns");
  expect_refused({one, two, write_as("m.csv", {{3, 3}, 5, "b", ""}, "4,d,\n")},
                 "file 5 of the batch is in no part");
  expect_refused({one, two, write_as("d.csv", {{3, 3}, 5, "b", ""}, "4,d,\n2,b,\n")},
                 "file 2 of the batch is there twice");
  expect_refused({one, two, write_as("x.csv", {{3, 3}, 5, "b", ""}, "4,d,\nx,e,\n")}, "line 4");
  const fs::path plain = folder_ / "plain.csv";
  ASSERT_TRUE(write_text_atomically(plain, "file,error\na,\n").ok());
  expect_refused({plain}, "is not the table of a part");
}

TEST_F(MergedParts, TablesOfManyFilesComeWithTheirBatch) {
  PartMark first{{1, 3}, 5, "b", "", folder_.path().string(), {"statistics"}, {}};
  PartMark second{{2, 3}, 5, "b", "", folder_.path().string(), {}, {}};
  PartMark third{{3, 3}, 5, "b", "", folder_.path().string(), {"statistics"}, {}};
  first.ended = third.ended = true;
  const std::vector<fs::path> parts{write_as("t.part1.csv", first, "1,a,\n4,d,\n"),
                                    write_as("t.part2.csv", second, "2,b,no\n"),
                                    write_as("t.part3.csv", third, "3,c,\n5,e,no\n")};
  const auto stacked = [&](int part, const std::string& rows, const char* head) {
    PartMark mark{{part, 3}, 5, "b", "statistics"};
    mark.of_files = 1;
    write_as("statistics.part" + std::to_string(part) + ".csv", mark, rows, head);
  };
  stacked(1, "1,a,1\n1,a,2\n4,d,5\n", "nr,file,mean\n");
  // Missing, though it was written.
  expect_refused(parts, "statistics.part3.csv");
  stacked(3, "3,c,4\n", "nr,file,mean\n");
  const auto merged = merge_parts(parts);
  ASSERT_TRUE(merged.ok()) << merged.error().message();
  ASSERT_EQ(merged->tables.size(), 1U);
  EXPECT_EQ(merged->tables[0].path, folder_ / "statistics.csv");
  EXPECT_EQ(merged->tables[0].csv, "file,mean\na,1\na,2\nc,4\nd,5\n");
  EXPECT_EQ(merged->unfinished, std::vector<int>{2});
  // By itself it has to be whole.
  expect_refused({folder_ / "statistics.part1.csv", folder_ / "statistics.part3.csv"},
                 "of 3 parts 2 is missing");
  // Where columns differ, there is no such table, as where one process does all.
  stacked(3, "3,c,4\n", "nr,file,mean (um)\n");
  const auto unlike = merge_parts(parts);
  ASSERT_TRUE(unlike.ok());
  EXPECT_TRUE(unlike->tables.empty());
  EXPECT_EQ(unlike->unlike, std::vector<std::string>{"statistics"});
  // What stands in a file leads to no other folder.
  third.tables = {"../statistics"};
  write_as("t.part3.csv", third, "3,c,\n5,e,no\n");
  expect_refused(parts, "is not the table of a part");
}

TEST(BatchId, TellsBatchesApart) {
  const std::string id = batch_id("r", {"a", "b"}, 2);
  EXPECT_EQ(id, batch_id("r", {"a", "b"}, 2));
  for (const std::string& other :
       {batch_id("s", {"a", "b"}, 2), batch_id("r", {"b", "a"}, 2), batch_id("r", {"ab"}, 2),
        batch_id("r", {"a", "b"}, 3), batch_id("r", {"a", "b", ""}, 2)}) {
    EXPECT_NE(id, other);
  }
}

}  // namespace
}  // namespace aprscope

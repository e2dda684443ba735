// Parameters that name several files.
#include "core/operations/schema/file_list.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using Files = std::vector<std::string>;

TEST(FileList, StandsBetweenSemicolons) {
  EXPECT_EQ(files_in_list("a.tif"), Files{"a.tif"});
  EXPECT_EQ(files_in_list(" a b.tif ;x/c.h5:/volume;"), (Files{"a b.tif", "x/c.h5:/volume"}));
  EXPECT_EQ(files_in_list(""), Files{});
  EXPECT_EQ(files_in_list(" ; "), Files{});
}

TEST(FileList, QuotesKeepSemicolons) {
  EXPECT_EQ(files_in_list(R"(a.tif; "x;y/b.tif" ;c.tif)"), (Files{"a.tif", "x;y/b.tif", "c.tif"}));
  EXPECT_EQ(files_in_list(R"("a ""b"";.tif")"), (Files{R"(a "b";.tif)"}));
  // A quote that encloses no name is part of one.
  EXPECT_EQ(files_in_list(R"("a;b)"), (Files{R"("a)", "b"}));
  EXPECT_EQ(files_in_list(R"("a"b;c)"), (Files{R"("a"b)", "c"}));
}

TEST(FileList, ComesBackAsItWasWritten) {
  for (const Files& files : {Files{}, Files{"a.tif"}, Files{"a, b.tif", "c.tif", "d.h5:/e"},
                             Files{"a;b.tif", " c.tif ", "d.tif"}, Files{"\"e\";.tif", "f\"g"}}) {
    EXPECT_EQ(files_in_list(list_of_files(files)), files);
  }
}

}  // namespace
}  // namespace aprscope

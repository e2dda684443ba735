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

TEST(FileList, ComesBackAsItWasWritten) {
  for (const Files& files : {Files{}, Files{"a.tif"}, Files{"a, b.tif", "c.tif", "d.h5:/e"}}) {
    EXPECT_EQ(files_in_list(list_of_files(files)), files);
  }
}

}  // namespace
}  // namespace aprscope

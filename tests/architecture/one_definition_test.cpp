#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/type_definitions.hpp"
#include "tests/support/paths.hpp"

// Two types of one name, each in a file that does not see the other, compile and link: the linker
// keeps one copy of a function that both have, such as a destructor, for the two of them. Compilers
// can tell only where all that is linked is optimised together and both are used; this test reads
// every file.
namespace aprscope {
namespace {

namespace fs = std::filesystem;

TEST(Architecture, OneNameIsOneType) {
  std::map<std::string, std::set<std::string>> files_of;
  for (const char* top : {"app", "core", "gpu", "render", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu" && ending != ".cuh") continue;
      const std::string file = fs::relative(entry.path(), test::source_dir()).generic_string();
      std::ifstream in(entry.path());
      const std::string source{std::istreambuf_iterator<char>(in), {}};
      // Twice in one file is for the compiler to say.
      for (const auto& found : test::type_definitions(source)) files_of[found.name].insert(file);
    }
  }
  ASSERT_GT(files_of.size(), 300U);
  for (const auto& [name, files] : files_of) {
    std::string all;
    for (const std::string& file : files) all += "\n  " + file;
    EXPECT_EQ(files.size(), 1U) << name << " is defined in" << all;
  }
}

}  // namespace
}  // namespace aprscope

// A class with many public methods does many things: what uses one of them depends on all. What
// counts: public member functions that a class declares itself, each overload. What does not:
// constructors, destructor, operators; signals and slots of Qt, which others are connected to, not
// called by.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/class_methods.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMost = 20;

TEST(Architecture, NoClassHasMoreThanTwentyPublicMethods) {
  std::size_t classes = 0;
  std::set<std::string> names;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".hpp" && ending != ".cuh") continue;
      const std::string file = fs::relative(entry.path(), test::source_dir()).generic_string();
      std::ifstream in(entry.path());
      const std::string source{std::istreambuf_iterator<char>(in), {}};
      for (const test::ClassMethods& found : test::class_methods(source)) {
        ++classes;
        if (found.methods.size() > kMost / 2) names.insert(found.name);
        std::string all;
        for (const std::string& method : found.methods) all += " " + method;
        EXPECT_LE(found.methods.size(), kMost)
            << file << ":" << found.line << ": " << found.name << " has" << all
            << "\nGive what belongs together a class of its own, which this one hands out";
      }
    }
  }
  EXPECT_GT(classes, 400U);
  // Known to be large: if they are not found, nothing is.
  for (const char* name : {"Document", "SliceView", "MainWindow", "ItemList"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

}  // namespace
}  // namespace aprscope

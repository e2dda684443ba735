// Qt takes a slot of a test class whose name ends in _data for the table of another test, and does
// not run it: one that has no such other was meant to be a test.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/source_tokens.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// Names of functions that are declared to return nothing and take nothing: void NAME().
std::set<std::string> plain_functions(const std::vector<Token>& tokens) {
  std::set<std::string> names;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool plain =
        tokens[i].text == "void" && tokens[i + 2].text == "(" && tokens[i + 3].text == ")";
    if (plain) names.insert(tokens[i + 1].text);
  }
  return names;
}

// Those of them that Qt does not run though they stand alone.
std::vector<std::string> tables_of_nothing(const std::set<std::string>& functions) {
  const std::string ending = "_data";
  std::vector<std::string> alone;
  for (const std::string& name : functions) {
    if (!name.ends_with(ending)) continue;
    if (!functions.contains(name.substr(0, name.size() - ending.size()))) alone.push_back(name);
  }
  return alone;
}

TEST(TestSlots, ATableWithoutATestIsFound) {
  const auto found = [](const char* source) {
    return tables_of_nothing(plain_functions(tokens_of(source)));
  };
  EXPECT_EQ(found("private slots: void keeps_data();"), std::vector<std::string>{"keeps_data"});
  EXPECT_TRUE(found("private slots: void keeps(); void keeps_data();").empty());
  EXPECT_TRUE(found("void keeps_data(int of_what);").empty());
}

TEST(TestSlots, AllTestsAreRun) {
  const fs::path root = source_dir() / "tests";
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("Q_OBJECT") == std::string::npos) continue;
    ++files;
    for (const std::string& name : tables_of_nothing(plain_functions(tokens_of(text)))) {
      ADD_FAILURE() << entry.path().string() << ": " << name
                    << " is taken for the table of a test: choose a name that does not end so";
    }
  }
  EXPECT_GT(files, 50);
}

}  // namespace
}  // namespace aprscope::test

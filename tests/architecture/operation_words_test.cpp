#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "tests/support/paths.hpp"

// What an operation is stands with the operation: nobody else asks which one it is.
namespace aprscope {
namespace {

namespace fs = std::filesystem;

// What stands beside "==" or "!=" in quotes, where the other side is an id or a group.
std::vector<std::string> compared_words(const std::string& line) {
  static const std::regex pattern(
      R"re((\w*)\s*[=!]=\s*(?:std::string\()?"([^"]*)"|"([^"]*)"\s*[=!]=\s*[\w.>()*-]*?(\w+)\b)re");
  std::vector<std::string> found;
  for (std::sregex_iterator i(line.begin(), line.end(), pattern), end; i != end; ++i) {
    const std::string name = (*i)[1].matched ? (*i)[1].str() : (*i)[4].str();
    const std::string word = (*i)[2].matched ? (*i)[2].str() : (*i)[3].str();
    if (name == "id" || name == "operation" || name == "group" || name == "family" ||
        name == "operation_id") {
      found.push_back(word);
    }
  }
  return found;
}

TEST(OperationWords, TheSearchFindsThem) {
  EXPECT_EQ(compared_words(R"(if (step.id == "convert") return;)"),
            std::vector<std::string>{"convert"});
  EXPECT_EQ(compared_words(R"(if (preview && preview->id != "convert") {)"),
            std::vector<std::string>{"convert"});
  EXPECT_EQ(compared_words(R"(schema->group == "Statistics" && x)"),
            std::vector<std::string>{"Statistics"});
  EXPECT_EQ(compared_words(R"(return "median" == operation.id;)"),
            std::vector<std::string>{"median"});
  EXPECT_TRUE(compared_words(R"(if (name == "file") return;)").empty());
}

TEST(OperationWords, NobodyComparesIdsOrGroups) {
  std::vector<std::string> words;
  for (const auto& type : operations().all()) {
    words.push_back(type->schema.id);
    words.push_back(type->schema.group);
    words.push_back(type->traits.family);
  }
  std::size_t files = 0;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu" && ending != ".cuh") continue;
      const std::string name = fs::relative(entry.path(), test::source_dir()).generic_string();
      if (name.rfind("core/operations/", 0) == 0) continue;
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        for (const std::string& word : compared_words(line)) {
          for (const std::string& known : words) {
            EXPECT_FALSE(word == known && !word.empty()) << name << ": " << line;
          }
        }
      }
    }
  }
  EXPECT_GT(files, 300U);
}

}  // namespace
}  // namespace aprscope

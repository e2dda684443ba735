#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

// The architecture is its arrows: this test reads every include and fails on any other arrow.
namespace aprscope {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;    // relative to the source tree
  std::string module;  // "app", "core/io", …
  std::string target;  // what stands between the quotes or brackets
  bool quoted = false;
};

// "core/io" for core/io/x.cpp, "render" for render/x.cpp.
std::string module_of(const std::string& path) {
  const auto first = path.find('/');
  if (path.rfind("core/", 0) != 0) return path.substr(0, first);
  return path.substr(0, path.find('/', first + 1));
}

std::vector<Include> all_includes() {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu" && ending != ".cuh") continue;
      const std::string name = fs::relative(entry.path(), test::source_dir()).generic_string();
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, match, pattern)) continue;
        found.push_back({name, module_of(name), match[2].str(), match[1].str() == "\""});
      }
    }
  }
  return found;
}

const std::map<std::string, std::vector<std::string>>& allowed() {
  static const std::map<std::string, std::vector<std::string>> arrows{
      {"core/base", {"core/base"}},
      {"core/image", {"core/image", "core/base"}},
      {"core/apr", {"core/apr", "core/image", "core/base"}},
      {"core/filter", {"core/filter", "core/apr", "core/image", "core/base"}},
      {"core/deconvolution",
       {"core/deconvolution", "core/filter", "core/apr", "core/image", "core/base"}},
      {"core/io", {"core/io", "core/apr", "core/image", "core/base"}},
      {"core/dataset", {"core/dataset", "core/io", "core/apr", "core/image", "core/base"}},
      {"core/operations",
       {"core/operations", "core/dataset", "core/deconvolution", "core/filter", "core/io",
        "core/apr", "core/image", "core/base"}},
      {"core/pipeline",
       {"core/pipeline", "core/operations", "core/dataset", "core/deconvolution", "core/filter",
        "core/io", "core/apr", "core/image", "core/base"}},
      {"gpu", {"gpu", "core"}},
      {"render", {"render", "core"}},
      {"app", {"app", "render", "gpu", "core"}}};
  return arrows;
}

TEST(Architecture, OwnHeadersFollowTheArrows) {
  const auto includes = all_includes();
  ASSERT_GT(includes.size(), 100U);
  for (const Include& i : includes) {
    if (!i.quoted) continue;
    ASSERT_TRUE(allowed().count(i.module)) << i.file << " is in no known folder";
    const auto& targets = allowed().at(i.module);
    const std::string target = module_of(i.target);
    const bool fine = std::any_of(targets.begin(), targets.end(), [&](const std::string& t) {
      return target == t || target.rfind(t + "/", 0) == 0;
    });
    EXPECT_TRUE(fine) << i.file << " includes " << i.target;
  }
}

TEST(Architecture, LibrariesStayInTheirFolders) {
  // Which folders may see the headers of a library, by how the headers begin.
  const std::vector<std::pair<std::regex, std::vector<std::string>>> homes{
      {std::regex("^Q[A-Z]|^qcustomplot"), {"app", "render"}},
      {std::regex("^vtk"), {"render"}},
      {std::regex("^imgui|^backends/imgui"), {"render"}},
      {std::regex("^(hdf5|H5|blosc|tiff|png|pugixml)"), {"core/io"}},
      {std::regex("^fftw3"), {"core/image"}},
      {std::regex("^ft2build|^freetype"), {"core/image"}},
      {std::regex("^cuda|^cufft|^cub/"), {"gpu"}}};
  for (const Include& i : all_includes()) {
    for (const auto& [pattern, folders] : homes) {
      if (!std::regex_search(i.target, pattern)) continue;
      EXPECT_NE(std::find(folders.begin(), folders.end(), i.module), folders.end())
          << i.file << " includes " << i.target;
    }
  }
}

TEST(Architecture, TheCommandLineKnowsNoWindow) {
  for (const Include& i : all_includes()) {
    if (i.file.rfind("app/cli/", 0) != 0) continue;
    EXPECT_NE(i.target.rfind("app/gui/", 0), 0U) << i.file;
    EXPECT_NE(i.target.rfind("render/", 0), 0U) << i.file;
    EXPECT_FALSE(std::regex_search(i.target, std::regex("^Q[A-Z]|^vtk"))) << i.file;
  }
}

}  // namespace
}  // namespace aprscope

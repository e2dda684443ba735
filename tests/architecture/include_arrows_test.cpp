#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/includes.hpp"

// The architecture is its arrows: this test reads every include and fails on any other arrow.
namespace aprscope {
namespace {

using test::all_includes;
using test::Include;
using test::module_of;

const std::map<std::string, std::vector<std::string>>& allowed() {
  static const std::map<std::string, std::vector<std::string>> arrows{
      {"core/base", {"core/base"}},
      {"core/data", {"core/data", "core/image", "core/base"}},
      {"core/image", {"core/image", "core/base"}},
      {"core/apr", {"core/apr", "core/image", "core/base"}},
      {"core/filter", {"core/filter", "core/apr", "core/image", "core/base"}},
      {"core/deconvolution",
       {"core/deconvolution", "core/filter", "core/ranks", "core/apr", "core/image", "core/base"}},
      {"core/topology", {"core/topology", "core/apr", "core/image", "core/base"}},
      {"core/cells", {"core/cells", "core/topology", "core/apr", "core/image", "core/base"}},
      {"core/ranks", {"core/ranks", "core/base"}},
      {"core/projections", {"core/projections", "core/ranks", "core/image", "core/base"}},
      {"core/maps", {"core/maps", "core/data", "core/image", "core/base"}},
      {"core/io",
       {"core/io", "core/projections", "core/apr", "core/image", "core/data", "core/base"}},
      {"core/tiles", {"core/tiles", "core/io", "core/apr", "core/image", "core/base"}},
      {"core/dataset",
       {"core/dataset", "core/cells", "core/io", "core/apr", "core/image", "core/base"}},
      {"core/operations",
       {"core/operations", "core/dataset", "core/cells", "core/topology", "core/projections",
        "core/ranks", "core/maps", "core/deconvolution", "core/filter", "core/io", "core/apr",
        "core/image", "core/data", "core/base"}},
      {"core/pipeline",
       {"core/pipeline", "core/operations", "core/dataset", "core/cells", "core/projections",
        "core/maps", "core/deconvolution", "core/filter", "core/io", "core/apr", "core/image",
        "core/data", "core/tiles", "core/base"}},
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
      {std::regex("^mpi"), {"core/ranks"}},
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

TEST(Architecture, TheModuleOfPythonKnowsNeitherProgram) {
  for (const Include& i : all_includes()) {
    if (i.file.rfind("app/python/", 0) != 0) {
      EXPECT_FALSE(std::regex_search(i.target, std::regex("^(nanobind/|Python\\.h)"))) << i.file;
      continue;
    }
    EXPECT_FALSE(std::regex_search(i.target, std::regex("^(app/gui/|app/cli/|render/|Q[A-Z]|vtk)")))
        << i.file << " includes " << i.target;
  }
}

}  // namespace
}  // namespace aprscope

#include "tests/architecture/includes.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/support/paths.hpp"

namespace aprscope::test {

namespace fs = std::filesystem;

std::string module_of(const std::string& path) {
  const auto first = path.find('/');
  if (path.rfind("core/", 0) != 0) return path.substr(0, first);
  return path.substr(0, path.find('/', first + 1));
}

std::vector<Include> all_includes() {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (const char* top : {"app", "core", "gpu", "render"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu" && ending != ".cuh") continue;
      const std::string name = fs::relative(entry.path(), source_dir()).generic_string();
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

}  // namespace aprscope::test

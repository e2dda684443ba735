#pragma once

#include <string>
#include <vector>

namespace aprscope::test {

/// One #include of the program's source.
struct Include {
  std::string file;    // relative to the source tree
  std::string module;  // "app", "core/io", …
  std::string target;  // what stands between the quotes or brackets
  bool quoted = false;
};

/// "core/io" for core/io/x.cpp, "render" for render/x.cpp.
std::string module_of(const std::string& path);

/// Those of app, core, gpu and render.
std::vector<Include> all_includes();

}  // namespace aprscope::test

#include "tests/support/test_classes.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aprscope::test {
namespace {

using Run = int (*)(int argc, char** argv);

// In a function: other files add to it before main().
std::map<std::string, Run>& classes() {
  static std::map<std::string, Run> all;
  return all;
}

}  // namespace

bool add_test_class(const char* file, Run run) {
  classes()[std::filesystem::path(file).stem().string()] = run;
  return true;
}

int run_test_class(int argc, char** argv) {
  const auto found = argc > 1 ? classes().find(argv[1]) : classes().end();
  if (found == classes().end()) {
    std::fprintf(stderr, "usage: %s CLASS [OPTION…], with CLASS one of\n", argv[0]);
    for (const auto& [name, run] : classes()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  std::vector<char*> rest(argv, argv + argc);
  rest.erase(rest.begin() + 1);
  // As main() gets them.
  rest.push_back(nullptr);
  return found->second(argc - 1, rest.data());
}

}  // namespace aprscope::test

#include "tests/support/paths.hpp"

#include <cstdlib>
#include <system_error>

#include <unistd.h>

namespace aprscope::test {

namespace fs = std::filesystem;

fs::path source_dir() { return APRSCOPE_SOURCE_DIR; }

fs::path data_dir() {
  std::error_code code;
  if (const char* given = std::getenv("APRSCOPE_DATA_DIR")) {
    return fs::is_directory(given, code) ? fs::path(given) : fs::path();
  }
  const fs::path beside = source_dir() / ".." / "shared" / "data";
  return fs::is_directory(beside, code) ? beside : fs::path();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "aprscope-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace aprscope::test

#include "tests/fuzz/support/input_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace aprscope::fuzz {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::_Exit(2);
}

// Forked children of the program end without destructors, and must not remove it.
class Folder {
 public:
  Folder() : owner_(::getpid()) {
    std::string pattern =
        (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
        "aprscope-fuzz-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) give_up("folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (::getpid() == owner_) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  pid_t owner_;
  fs::path path_;
};

}  // namespace

InputFile::InputFile(const std::string& name) {
  static const Folder folder;
  path_ = folder.path() / name;
  std::error_code failed;
  fs::create_directories(fs::path(path_).parent_path(), failed);
  if (failed) give_up("folder");
}

const std::string& InputFile::with(const std::uint8_t* data, std::size_t size) const {
  std::FILE* const file = std::fopen(path_.c_str(), "wb");
  if (file == nullptr) give_up("input");
  if (std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) give_up("input");
  return path_;
}

}  // namespace aprscope::fuzz

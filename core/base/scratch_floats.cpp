#include "core/base/scratch_floats.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/system.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {

namespace {

namespace fs = std::filesystem;

// Of statfs(): file systems that are memory.
constexpr long kTmpfs = 0x01021994;
constexpr long kRamfs = 0x858458f6;

constexpr const char* kAdvice = "set TMPDIR to a folder on a disk with more room";

Error refused(const fs::path& folder, const std::string& what, int code) {
  return {what + " (" + std::strerror(code) + ")", folder.string(), kAdvice};
}

fs::path folder_for_scratch() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

// Where the file system has no files without names, one whose name is taken away at once.
Result<OpenFile> open_nameless(const fs::path& folder) {
  OpenFile file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) {
    if (!file) return refused(folder, "no temporary file can be made", errno);
    return file;
  }
  constexpr std::size_t kLongest = 64;
  const auto name = temporary_name(folder / "aprscope", kLongest);
  if (!name) return name.error();
  const fs::path path = folder / *name;
  OpenFile named(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!named || ::unlink(path.c_str()) != 0) {
    return refused(folder, "no temporary file can be made", errno);
  }
  return named;
}

}  // namespace

Result<ScratchFloats> ScratchFloats::create(std::uint64_t count) {
  ScratchFloats made;
  if (count == 0) return made;
  const fs::path folder = folder_for_scratch();
  const std::uint64_t bytes = count * sizeof(float);
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) != 0) {
    return refused(folder, "no temporary file can be made", errno);
  }
  const auto kind = static_cast<unsigned long>(facts.f_type) & 0xffffffffUL;
  if (kind == kTmpfs || kind == kRamfs) {
    return Error{"lies in memory, which is too small already", folder.string(), kAdvice};
  }
  const auto file = open_nameless(folder);
  if (!file) return file.error();
  // Room that is missing shows now: a page that cannot be written later would end the program.
  const int code = ::posix_fallocate(file->get(), 0, static_cast<off_t>(bytes));
  if (code != 0) {
    return refused(folder, "has no room for a temporary file of " + format_bytes(bytes), code);
  }
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->get(), 0);
  if (memory == MAP_FAILED && errno == ENOMEM) {
    return Error{"there is no room in the address space for " + format_bytes(bytes) + " of a file",
                 folder.string(), "allow the program more memory (ulimit -v)"};
  }
  if (memory == MAP_FAILED) {
    return refused(folder, "a temporary file of " + format_bytes(bytes) + " cannot be mapped",
                   errno);
  }
  made.data_ = static_cast<float*>(memory);
  made.count_ = count;
  return made;
}

ScratchFloats::~ScratchFloats() {
  if (data_ != nullptr) ::munmap(data_, count_ * sizeof(float));
}

void ScratchFloats::swap(ScratchFloats& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(count_, other.count_);
}

}  // namespace aprscope

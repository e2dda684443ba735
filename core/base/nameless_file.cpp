#include "core/base/nameless_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace aprscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 64;
// Types that statfs() gives for file systems that lie in memory.
constexpr unsigned long kTmpfs = 0x01021994;
constexpr unsigned long kRamfs = 0x858458f6;

}  // namespace

fs::path folder_for_scratch() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

std::optional<bool> lies_in_memory(const fs::path& folder) {
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) != 0) return std::nullopt;
  const auto kind = static_cast<unsigned long>(facts.f_type) & 0xffffffffUL;
  return kind == kTmpfs || kind == kRamfs;
}

bool has_ample_room(const fs::path& folder, std::uint64_t bytes) {
  if (lies_in_memory(folder).value_or(true)) return false;
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0) return false;
  return static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize / 2 >= bytes;
}

NamelessFile::NamelessFile(OpenFile file, fs::path folder, std::string advice)
    : file_(std::move(file)), folder_(std::move(folder)), advice_(std::move(advice)) {}

Error NamelessFile::failed(const char* what) const {
  return {std::string(what) + " (" + std::strerror(errno) + ")", folder_.string(), advice_};
}

Result<NamelessFile> NamelessFile::create(const fs::path& folder, const std::string& advice) {
  constexpr const char* kRefused = "no temporary file can be made";
  NamelessFile made(
      OpenFile(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)), folder,
      advice);
  if (made.file_) return made;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT) return made.failed(kRefused);
  // A file system without O_TMPFILE: make a file with a name and remove the name at once.
  const auto name = temporary_name(folder / "aprscope", kLongestName);
  if (!name) return name.error();
  const fs::path path = folder / *name;
  made.file_ = OpenFile(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!made.file_ || ::unlink(path.c_str()) != 0) return made.failed(kRefused);
  return made;
}

Status NamelessFile::append(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(get(), bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failed("a temporary file cannot be written");
    size_ += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

Status NamelessFile::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  while (!out.empty()) {
    const ssize_t n = ::pread(get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) return failed("a temporary file cannot be read again");
    offset += static_cast<std::uint64_t>(n);
    out = out.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace aprscope

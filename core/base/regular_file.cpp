#include "core/base/regular_file.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aprscope {
namespace {

Error not_opened(const std::filesystem::path& path, int code) {
  if (code == ENOENT) return {"does not exist", path.string(), "check the name"};
  return {std::string("cannot be opened (") + std::strerror(code) + ")", path.string(),
          "check the name and the permissions"};
}

Status check_regular(const std::filesystem::path& path, const struct ::stat& info) {
  if (S_ISREG(info.st_mode)) return {};
  if (S_ISDIR(info.st_mode)) return Error{"is a folder", path.string(), "choose a file in it"};
  return Error{"is not a regular file", path.string(), "choose a file that is stored on a disk"};
}

FileState state_from(const struct ::stat& info) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
          info.st_mtim.tv_sec * kSecond + info.st_mtim.tv_nsec};
}

}  // namespace

RegularFile::~RegularFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FileState> RegularFile::state() const {
  struct ::stat info = {};
  if (::fstat(fd_, &info) != 0) {
    return Error{std::string("cannot be examined (") + std::strerror(errno) + ")", path_.string(),
                 "check the disk"};
  }
  return state_from(info);
}

Result<std::size_t> RegularFile::read_at(std::uint64_t offset, void* out, std::size_t bytes) const {
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t read =
        ::pread(fd_, static_cast<char*>(out) + got, bytes - got, static_cast<off_t>(offset + got));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) {
      return Error{std::string("cannot be read (") + std::strerror(errno) + ")", path_.string(),
                   "check the permissions and the disk"};
    }
    if (read == 0) break;
    got += static_cast<std::size_t>(read);
  }
  return got;
}

Result<RegularFile> open_regular(const std::filesystem::path& path) {
  // Looking first spares devices, which may act on being opened; what is open is looked at again,
  // as another file may have come to the name in between.
  struct ::stat info = {};
  if (::stat(path.c_str(), &info) != 0) return not_opened(path, errno);
  if (Status regular = check_regular(path, info); !regular) return regular.error();
  // O_NONBLOCK: if a FIFO has replaced the file meanwhile, open() must not wait for a writer.
  RegularFile file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) return not_opened(path, errno);
  if (Status regular = check_regular(path, info); !regular) return regular.error();
  return file;
}

Result<FileState> state_of(const std::filesystem::path& path) {
  struct ::stat info = {};
  if (::stat(path.c_str(), &info) != 0) return not_opened(path, errno);
  if (Status regular = check_regular(path, info); !regular) return regular.error();
  return state_from(info);
}

}  // namespace aprscope

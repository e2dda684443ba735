#include "core/base/temporary.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/printable.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the kernel follows
constexpr int kMostTries = 100;
constexpr std::size_t kRandomBytes = 12;
constexpr const char* kMark = ".part";
// An ending longer than that is no format, and would leave no room for the random part.
constexpr std::size_t kLongestEnding = 24;
constexpr const char* kSpaceAdvice = "free some space or choose another folder";

Error system_error(const fs::path& path, const std::string& what, int code, const char* advice) {
  return {what + " (" + std::strerror(code) + ")", path.string(), advice};
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// All that are there. It outlives whatever runs when the process ends.
struct Register {
  std::timed_mutex mutex;
  std::set<fs::path> paths;
};

Register& all() {
  static auto* const made = new Register;
  return *made;
}

void forget(const fs::path& path) {
  const std::scoped_lock lock(all().mutex);
  all().paths.erase(path);
}

// Repeats a system call that a signal interrupted: that is no failure.
template <class Call>
auto again(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

Status check_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    return Error{"is not an existing folder", folder.string(), "create it or choose another one"};
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return system_error(folder, "cannot be written to", errno,
                        "choose another folder or change its permissions");
  }
  return {};
}

std::size_t longest_name(const fs::path& folder) {
  const long longest = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  return longest > 0 ? static_cast<std::size_t>(longest) : 255;
}

// The beginning and the end of all temporary names of `target`.
std::pair<std::string, std::string> name_frame(const fs::path& target, std::size_t longest) {
  std::string ending = target.extension().string();
  if (ending.size() > kLongestEnding) ending.clear();
  const std::string stem = target.stem().string();
  const std::size_t others = std::strlen("..") + 2 * kRandomBytes + std::strlen(kMark);
  const std::size_t room = longest > others + ending.size() ? longest - others - ending.size() : 0;
  return {"." + std::string(utf8_prefix(stem, room)) + ".", kMark + ending};
}

std::optional<std::string> random_text() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (again([&] { return ::getrandom(bytes.data(), bytes.size(), 0); }) !=
      static_cast<ssize_t>(bytes.size())) {
    return std::nullopt;
  }
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4U];
    text += "0123456789abcdef"[byte & 15U];
  }
  return text;
}

bool is_between(const std::string& name, const std::string& head, const std::string& tail) {
  return name.size() == head.size() + 2 * kRandomBytes + tail.size() &&
         name.compare(0, head.size(), head) == 0 &&
         name.compare(name.size() - tail.size(), tail.size(), tail) == 0 &&
         name.find_first_not_of("0123456789abcdef", head.size()) >= name.size() - tail.size();
}

// Open-file locks, not locks of the process: they stay if another part of this process opens and
// closes the file, and do not conflict with flock(), which libhdf5 uses.
bool lock_file(int fd, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return again([&] { return ::fcntl(fd, F_OFD_SETLK, &lock); }) == 0;
}

bool held_by_another() { return errno == EAGAIN || errno == EACCES || errno == EWOULDBLOCK; }

// Removes a temporary file or folder whose process has died. A living process takes the lock first
// and only then checks that the name is still there.
void remove_if_stale(const fs::path& path) {
  const OpenFile file(again([&] {
    return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || facts.st_uid != ::geteuid()) return;
  std::error_code ignored;
  if (S_ISREG(facts.st_mode) && lock_file(file.get(), F_RDLCK)) {
    ::unlink(path.c_str());
  } else if (S_ISDIR(facts.st_mode) &&
             again([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) == 0) {
    fs::remove_all(path, ignored);
  }
}

void remove_stale(const fs::path& target) {
  const fs::path folder = folder_of(target);
  const auto [head, tail] = name_frame(target, longest_name(folder));
  // opendir(), as std::filesystem's iterator ends the program if there is no memory for it.
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (is_between(name, head, tail)) remove_if_stale(folder / name);
  }
}

// Read from /proc, since umask() returns the mask only by changing it for all threads.
mode_t current_umask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, 6, "Umask:") == 0) {
      return static_cast<mode_t>(std::strtoul(line.c_str() + 6, nullptr, 8));
    }
  }
  return S_IRWXG | S_IRWXO;
}

// Gives the file the permissions of the target; those of a new file if there is no target.
void take_rights(int fd, const fs::path& target) {
  mode_t mode = 0666 & ~current_umask();
  struct stat old {};
  struct stat now {};
  if (::stat(target.c_str(), &old) == 0 && ::fstat(fd, &now) == 0) {
    mode = old.st_mode & 0777;
    const bool same = old.st_uid == now.st_uid && old.st_gid == now.st_gid;
    if (!same && ::fchown(fd, old.st_uid, old.st_gid) != 0 && old.st_gid != now.st_gid &&
        ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) != 0) {
      // The file has another group than the target: it gets no more rights than all other users.
      mode &= ~static_cast<mode_t>(S_IRWXG) | (mode & S_IRWXO) << 3U;
    }
  }
  // Ignored: a file system without permissions refuses, and needs none.
  (void)again([&] { return ::fchmod(fd, mode); });
}

// Flushes the folder: only then is the new name on the disk as well.
Status flush_folder(const fs::path& target) {
  const fs::path folder = folder_of(target);
  const OpenFile file(
      again([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!file || again([&] { return ::fsync(file.get()); }) == 0) return {};
  // Some file systems cannot flush a folder, which is no error.
  if (errno != EIO && errno != ENOSPC && errno != EDQUOT) return {};
  return system_error(target, "is written, but the disk does not confirm it", errno, kSpaceAdvice);
}

}  // namespace

OpenFile::OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<fs::path> resolve_target(const fs::path& target) {
  struct stat facts {};
  // stat() follows links first: links in /proc may lead to files that have no name.
  const bool there = ::stat(target.c_str(), &facts) == 0;
  if (target.filename().empty() || (there && S_ISDIR(facts.st_mode))) {
    return Error{"is a folder", target.string(), "give the name of a file"};
  }
  if (there && !S_ISREG(facts.st_mode)) {
    return Error{"is not a regular file", target.string(), "give the name of a file"};
  }
  fs::path path = target;
  for (int links = 0; ::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode); ++links) {
    std::error_code code;
    const fs::path next = fs::read_symlink(path, code);
    if (code || links == kMostLinks) {
      return system_error(target, "is a link that cannot be followed", code ? code.value() : ELOOP,
                          "give the name of a file");
    }
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  if (::lstat(path.c_str(), &facts) != 0 && errno == ENAMETOOLONG) {
    return system_error(target, "cannot be written", errno, "choose a shorter name");
  }
  if (Status fine = check_folder(folder_of(path)); !fine) return fine.error();
  return path;
}

Result<std::string> temporary_name(const fs::path& target, std::size_t longest) {
  const auto [head, tail] = name_frame(target, longest);
  const auto random = random_text();
  if (!random) {
    return system_error(target, "cannot be written: the system gives no random numbers", errno,
                        "try again");
  }
  return head + *random + tail;
}

TemporaryFile::TemporaryFile(fs::path path, OpenFile file)
    : path_(std::move(path)), file_(std::move(file)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

TemporaryFile::~TemporaryFile() {
  if (path_.empty()) return;
  ::unlink(path_.c_str());
  forget(path_);
}

Result<TemporaryFile> TemporaryFile::create(const fs::path& target) {
  remove_stale(target);
  const fs::path folder = folder_of(target);
  for (int tries = 0;; ++tries) {
    auto name = temporary_name(target, longest_name(folder));
    if (!name) return name.error();
    fs::path path = folder / *name;
    OpenFile file = [&] {
      const std::scoped_lock lock(all().mutex);
      // Register the path first, since that takes memory and may throw: no file is left behind.
      const auto entry = all().paths.insert(path).first;
      OpenFile opened(again([&] {
        return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      }));
      const int code = errno;
      if (!opened) all().paths.erase(entry);
      errno = code;
      return opened;
    }();
    if (!file && (errno != EEXIST || tries >= kMostTries)) {
      return system_error(target, "cannot be written", errno, kSpaceAdvice);
    }
    if (!file) continue;
    TemporaryFile made(std::move(path), std::move(file));
    // Where the file system has no locks, nobody can tell whether this file is stale: it stays.
    const bool taken = !lock_file(made.file_.get(), F_WRLCK) && held_by_another();
    struct stat facts {};
    // Before the file was locked, another process may have taken it for stale and removed it.
    const bool there = !taken && ::fstat(made.file_.get(), &facts) == 0 && facts.st_nlink == 1;
    if (there || tries >= kMostTries) return made;
  }
}

Status TemporaryFile::become(const fs::path& target) {
  struct stat ours {};
  struct stat there {};
  if (::fstat(file_.get(), &ours) != 0 || ::lstat(path_.c_str(), &there) != 0 ||
      ours.st_dev != there.st_dev || ours.st_ino != there.st_ino) {
    return Error{"cannot be written: its temporary file was taken away meanwhile", target.string(),
                 "choose another folder"};
  }
  take_rights(file_.get(), target);
  // fsync() reports a full disk now, before the rename replaces the target.
  if (again([&] { return ::fsync(file_.get()); }) != 0 && errno != EINVAL) {
    return system_error(target, "cannot be written", errno, kSpaceAdvice);
  }
  if (again([&] { return ::rename(path_.c_str(), target.c_str()); }) != 0) {
    return system_error(target, "cannot be replaced", errno, "check the permissions of the folder");
  }
  forget(path_);
  path_.clear();
  // Close, and so unlock, the file: from now on others may open it under its final name.
  file_ = OpenFile();
  return flush_folder(target);
}

PartsFolder::PartsFolder(fs::path path, OpenFile folder)
    : path_(std::move(path)), folder_(std::move(folder)) {}

PartsFolder::PartsFolder(PartsFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), folder_(std::move(other.folder_)) {}

PartsFolder::~PartsFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  forget(path_);
}

Result<PartsFolder> PartsFolder::create(const fs::path& target) {
  remove_stale(target);
  const fs::path folder = folder_of(target);
  for (int tries = 0;; ++tries) {
    auto name = temporary_name(target, longest_name(folder));
    if (!name) return name.error();
    fs::path path = folder / *name;
    const bool done = [&] {
      const std::scoped_lock lock(all().mutex);
      const auto entry = all().paths.insert(path).first;
      if (::mkdir(path.c_str(), 0700) == 0) return true;
      const int code = errno;
      all().paths.erase(entry);
      errno = code;
      return false;
    }();
    if (!done) {
      if (errno == EEXIST && tries < kMostTries) continue;
      return system_error(folder, "cannot be written to", errno, kSpaceAdvice);
    }
    OpenFile file(again(
        [&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }));
    PartsFolder made(std::move(path), std::move(file));
    if (!made.folder_) return system_error(folder, "cannot be written to", errno, kSpaceAdvice);
    const bool taken = again([&] { return ::flock(made.folder_.get(), LOCK_EX | LOCK_NB); }) != 0 &&
                       held_by_another();
    struct stat facts {};
    const bool there = !taken && ::lstat(made.path_.c_str(), &facts) == 0;
    if (there || tries >= kMostTries) return made;
  }
}

void remove_temporaries() {
  // Only a thread that waits for a disk holds the mutex for longer: then give up.
  if (!all().mutex.try_lock_for(std::chrono::milliseconds(100))) return;
  std::error_code ignored;
  for (const fs::path& path : all().paths) {
    // Other threads may still write into a folder; the next write to that target removes the rest.
    for (int tries = 0;
         tries < 3 && fs::remove_all(path, ignored) == static_cast<std::uintmax_t>(-1); ++tries) {
    }
  }
}

}  // namespace aprscope

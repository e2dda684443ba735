#include "core/base/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/regular_file.hpp"

namespace aprscope {
namespace {

Error file_error(const std::filesystem::path& path, const std::string& what,
                 const std::string& advice) {
  return {what, path.string(), advice};
}

// Forces written data to the disk, so that a full disk shows now and not after the rename.
Status flush_to_disk(const std::filesystem::path& path, const std::filesystem::path& target) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = fd >= 0 && ::fsync(fd) == 0;
  const int code = errno;
  if (fd >= 0) ::close(fd);
  if (flushed || code == EINVAL) return {};
  return file_error(target, std::string("cannot be written (") + std::strerror(code) + ")",
                    "free some space or choose another folder");
}

}  // namespace

Status write_atomically(const std::filesystem::path& target,
                        const std::function<Status(const std::filesystem::path&)>& write) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (target.filename().empty() || fs::is_directory(target, code)) {
    return file_error(target, "is a folder", "give the name of a file");
  }
  if (!fs::is_directory(folder, code)) {
    return file_error(folder, "is not an existing folder", "create it or choose another one");
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return file_error(folder, std::string("cannot be written to (") + std::strerror(errno) + ")",
                      "choose another folder or change its permissions");
  }
  static std::atomic<unsigned> counter{0};
  // Keeps the extension, which some libraries look at.
  const fs::path temporary =
      folder / ("." + target.stem().string() + "." + std::to_string(::getpid()) + "." +
                std::to_string(counter++) + ".part" + target.extension().string());
  struct Remover {
    const fs::path& path;
    ~Remover() {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  } remover{temporary};

  if (Status written = write(temporary); !written) return written;
  if (Status flushed = flush_to_disk(temporary, target); !flushed) return flushed;
  fs::rename(temporary, target, code);
  if (code) {
    return file_error(target, "cannot be replaced (" + code.message() + ")",
                      "check the permissions of the folder");
  }
  return {};
}

Status write_text_atomically(const std::filesystem::path& target, std::string_view text) {
  return write_atomically(target, [&](const std::filesystem::path& path) -> Status {
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      return file_error(target, "cannot be written", "free some space or choose another folder");
    }
    return {};
  });
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (state->bytes > limit) {
    return file_error(path, "is too large for this purpose", "choose another file");
  }
  std::string text(state->bytes, '\0');
  const auto got = file->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  if (*got != text.size()) return file_error(path, "was cut off while it was read", "try again");
  return text;
}

}  // namespace aprscope

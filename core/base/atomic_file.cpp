#include "core/base/atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/base/regular_file.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {
namespace {

Error file_error(const std::filesystem::path& path, const std::string& what,
                 const std::string& advice) {
  return {what, path.string(), advice};
}

}  // namespace

Status write_atomically(const std::filesystem::path& target,
                        const std::function<Status(const std::filesystem::path&)>& write) {
  const auto file = resolve_target(target);
  if (!file) return file.error();
  auto temporary = TemporaryFile::create(*file);
  if (!temporary) return temporary.error();
  if (Status written = write(temporary->path()); !written) return written;
  return temporary->become(*file);
}

Status write_text_atomically(const std::filesystem::path& target, std::string_view text) {
  return write_atomically(target, [&](const std::filesystem::path& path) -> Status {
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      const std::string reason = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
      return file_error(target, "cannot be written" + reason,
                        "free some space or choose another folder");
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

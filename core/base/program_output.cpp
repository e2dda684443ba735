#include "core/base/program_output.hpp"

#include <filesystem>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/process.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {

Result<std::string> output_of(const std::vector<std::string>& command, const JobContext& context) {
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  if (failed) return Error{"is no folder for temporary files", "TMPDIR", "set it to one"};
  const auto target = resolve_target(folder / "aprscope-output");
  if (!target) return target.error();
  const auto file = TemporaryFile::create(*target);
  if (!file) return file.error();
  // The shell only leads stdout into the file: all words are its arguments, and none of them a part
  // of what it reads.
  std::vector<std::string> words{"sh", "-c", R"(exec "$@" >"$0")", file->path().string()};
  words.insert(words.end(), command.begin(), command.end());
  if (Status ok = run_program(words, context); !ok) {
    Error error = ok.error();
    if (!error.cancelled()) error.where = command.at(0);
    return error;
  }
  return read_text(file->path());
}

}  // namespace aprscope

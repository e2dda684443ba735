#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace aprscope {

/// Runs `write` on the path of a new, empty file beside `target` and renames that over `target`
/// when it succeeds; `write` may truncate the file, but not replace it. In every other case,
/// exceptions included, the temporary file is removed and `target` is as it was; what a killed
/// process leaves behind is removed when the same target is written the next time. Links are
/// followed, and a file that is replaced keeps its rights. Errors: the folder is missing or not
/// writable, `target` is no regular file, the disk is full, whatever `write` returns.
Status write_atomically(const std::filesystem::path& target,
                        const std::function<Status(const std::filesystem::path&)>& write);

/// Writes a short text to `target` as write_atomically() does, with the same errors.
Status write_text_atomically(const std::filesystem::path& target, std::string_view text);

/// A text file whole; errors name the file. Refuses files above `limit` bytes.
Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit = 64U << 20U);

}  // namespace aprscope

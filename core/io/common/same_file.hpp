#pragma once

#include <filesystem>
#include <string>

namespace aprscope {

/// Whether `input`, as inspect() takes it (a file, or "file.h5:/group/volume"), is read from the
/// file that `output` leads to: by device and number, so that links count, hard ones too. An image
/// that is a folder counts as read from all files in it, also future ones. False if the input does
/// not exist.
bool is_same_file(const std::filesystem::path& output, const std::string& input);

}  // namespace aprscope

#pragma once

#include <string>
#include <string_view>

namespace aprscope {

/// Messages for the person who looks into a problem, on stderr. Users see errors, not logs.
enum class LogLevel { debug, info, warning, error };

/// Writes a line if `level` is at least what the environment variable
/// APRSCOPE_LOG=debug|info|warning|error asks for (warning by default). Thread-safe.
void log(LogLevel level, std::string_view message);

}  // namespace aprscope

#include "core/base/log.hpp"

#include <cstdlib>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "core/base/printable.hpp"

namespace aprscope {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = spdlog::stderr_color_mt("aprscope");
    made->set_pattern("%H:%M:%S.%e %^%l%$ %v");
    const char* wanted = std::getenv("APRSCOPE_LOG");
    made->set_level(wanted != nullptr ? spdlog::level::from_str(wanted) : spdlog::level::warn);
    return made;
  }();
  return *instance;
}

}  // namespace

void log(LogLevel level, std::string_view message) {
  const std::string line = printable_line(message);
  logger().log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace aprscope

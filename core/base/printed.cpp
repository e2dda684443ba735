#include "core/base/printed.hpp"

#include <cstdio>

namespace aprscope {

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

}  // namespace aprscope

#pragma once

#include <string>

namespace aprscope::cli {

/// A number as printf() writes it.
std::string printed(const char* format, double value);

}  // namespace aprscope::cli

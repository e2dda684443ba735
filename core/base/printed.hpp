#pragma once

#include <string>

namespace aprscope {

/// A number as printf() writes it, of 63 characters at most.
std::string printed(const char* format, double value);

}  // namespace aprscope

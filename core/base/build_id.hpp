#pragma once

#include <string>

namespace aprscope {

/// What the linker made of all that this program (or this module of Python) is compiled from: hex
/// digits that differ between builds of different sources. Empty where it left none.
std::string build_id();

}  // namespace aprscope

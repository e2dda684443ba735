#pragma once

#include <string>
#include <utility>

#include "core/base/result.hpp"

namespace aprscope {

/// Why a deconvolution cannot run, and what to do.
inline Error refused_deconvolution(std::string what, std::string advice) {
  return {std::move(what), "deconvolution", std::move(advice)};
}

}  // namespace aprscope

#pragma once

#include "app/cli/shared/commands.hpp"

namespace aprscope::cli {

/// Adds the command "deconvolve", as the functions of commands.hpp add theirs.
void add_deconvolve(CLI::App& app, Chosen& chosen);

}  // namespace aprscope::cli

#pragma once

#include "app/cli/bench/bench.hpp"
#include "app/cli/shared/commands.hpp"

namespace aprscope::cli {

/// Richardson–Lucy with a PSF of 13³ on particles and on pixels: seconds an iteration, and as
/// `bytes` the peak memory of a process that does nothing else.
Status bench_deconvolution(const BenchCase& item, BenchTable& table, Session& session);

/// What its page says beside the table of all benchmarks.
std::string deconvolution_notes(const Json& report);

/// What bench deconvolution runs in processes of their own; not listed.
void add_bench_deconvolution_alone(CLI::App& app, Chosen& chosen);

}  // namespace aprscope::cli

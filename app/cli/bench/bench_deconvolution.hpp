#pragma once

#include "app/cli/bench/bench.hpp"
#include "app/cli/shared/commands.hpp"

namespace aprscope::cli {

/// Times Richardson–Lucy with a PSF of 13³ on particles and on pixels: seconds an iteration, and in
/// `bytes` the peak memory of a process of its own.
Status bench_deconvolution(const BenchCase& item, BenchTable& table, Session& session);

/// The notes on its page, below the table that all benchmarks have.
std::string deconvolution_notes(const Json& report);

/// The hidden command that bench deconvolution runs in processes of their own.
void add_bench_deconvolution_alone(CLI::App& app, Chosen& chosen);

}  // namespace aprscope::cli

#pragma once

#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Topology curves as users measure them, on an image in memory and, natively, on the particles of
/// the input; without an input also on images with known values of each type.
Status bench_topology(const BenchCase& item, BenchTable& table, Session& session);

/// Its results as a page of Markdown, see bench_page().
std::string topology_page(const Json& report, const std::string& command);

}  // namespace aprscope::cli

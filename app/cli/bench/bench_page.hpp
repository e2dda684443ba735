#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aprscope::cli {

/// The first lines of a page of a benchmark: machine, commit, and the command that repeats it.
std::string bench_page_head(const nlohmann::ordered_json& report, const std::string& what,
                            const std::string& command);

/// The report of a benchmark as a page of Markdown: machine, commit, the command that repeats it, a
/// table.
std::string bench_page(const nlohmann::ordered_json& report, const std::string& what,
                       const std::string& command);

}  // namespace aprscope::cli

#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aprscope::cli {

/// The report of `bench cells` on a CPU or GPU as a page of Markdown: its rows, and a comparison
/// with the goals for those that have one. See bench_page().
std::string cells_page(const nlohmann::ordered_json& report, const std::string& command);

}  // namespace aprscope::cli

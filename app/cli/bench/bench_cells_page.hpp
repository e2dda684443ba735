#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aprscope::cli {

/// The report of `bench cells` as a page of Markdown, on a processor or on a GPU: its rows, and how
/// they compare with what is aimed at, where they show that. See bench_page().
std::string cells_page(const nlohmann::ordered_json& report, const std::string& command);

}  // namespace aprscope::cli

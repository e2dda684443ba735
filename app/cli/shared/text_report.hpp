#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aprscope::cli {

/// A report for people: one "name: value" line for each key, sizes and bytes in readable units, and
/// "rows" as a table, and in the end the texts of "metadata" below their titles.
std::string text_report(const nlohmann::ordered_json& report);

}  // namespace aprscope::cli

#include "app/cli/commands/cell_report.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/printed.hpp"

namespace aprscope::cli {
namespace {

const Table& table_of(const Measurement& found, const std::string& id) {
  return *std::find_if(found.tables.begin(), found.tables.end(),
                       [&](const Table& table) { return table.id == id; });
}

// Counts words such as "border" and "leaks" over the rows; a row may have several.
Json counted_flags(const Column& flags) {
  Json counts = Json::object();
  for (const std::string& text : std::get<std::vector<std::string>>(flags.cells)) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(", ", at), text.size());
      Json& count = counts[text.substr(at, end - at)];
      count = count.is_null() ? 1 : count.get<int>() + 1;
      at = end + 2;
    }
  }
  return counts;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json matches_json(const ObjectMatches& one) {
  return {{"matched", one.matched},
          {"precision", number(one.precision)},
          {"recall", number(one.recall)},
          {"f1", number(one.f1)}};
}

}  // namespace

Json cells_json(const Measurement& found) {
  const Table& total = table_of(found, "total");
  Json json = Json::object();
  json["cells"] = std::get<std::vector<std::int64_t>>(total.column("cells")->cells).front();
  const char* const size = total.column("volume") != nullptr ? "volume" : "area";
  json[size] = number(std::get<std::vector<double>>(total.column(size)->cells).front());
  json[std::string(size) + "_unit"] = total.column(size)->unit;
  json["flagged"] = std::get<std::vector<std::int64_t>>(total.column("flagged")->cells).front();
  json["flags"] = counted_flags(*found.tables.front().column("flags"));
  json["notes"] = found.notes;
  return json;
}

std::string cells_text(const Json& cells) {
  const char* const size = cells.contains("volume") ? "volume" : "area";
  const auto count = cells["cells"].get<std::int64_t>();
  std::string text = std::to_string(count) + (count == 1 ? " cell, " : " cells, ");
  text += printed("%.6g", cells[size].get<double>()) + " " +
          cells[std::string(size) + "_unit"].get<std::string>();
  std::string why;
  for (const auto& [flag, n] : cells["flags"].items()) {
    why += (why.empty() ? " (" : ", ") + std::to_string(n.get<int>()) + " " + flag;
  }
  const auto flagged = cells["flagged"].get<std::int64_t>();
  if (flagged == 0) return text + ", none flagged";
  return text + ", " + std::to_string(flagged) + " flagged" + why + (why.empty() ? "" : ")");
}

Json check_json(const CellCheck& check) {
  const auto side = [](const FoundCells& one) {
    return Json{{"cells", one.cells},
                {"volume", number(one.volume)},
                {"leak_radius", one.widest_leak ? number(*one.widest_leak) : Json(nullptr)}};
  };
  return {{"particles", side(check.particles)},
          {"pixels", side(check.pixels)},
          {"volume_unit", check.unit},
          {"leak_radius_unit", check.length_unit},
          {"overlap", number(check.overlap)},
          {"matched", check.matched},
          {"agrees", check.agrees},
          {"finding", check.finding}};
}

std::string check_text(const CellCheck& check) {
  const auto side = [&](const FoundCells& one) {
    std::string text = std::to_string(one.cells) + (one.cells == 1 ? " cell, " : " cells, ") +
                       printed("%.6g ", one.volume) + check.unit;
    if (one.widest_leak) {
      text += printed(", widest leak %.3g ", *one.widest_leak) + check.length_unit;
    }
    return text;
  };
  return side(check.particles) + " on particles; " + side(check.pixels) +
         " on pixels: " + check.finding;
}

Json agreement_json(const LabelAgreement& agreement) {
  return {{"truths", agreement.truths},
          {"found", agreement.found},
          {"mean_best_iou", number(agreement.mean_best_iou)},
          {"large_truths", agreement.large_truths},
          {"mean_best_iou_large", number(agreement.mean_best_iou_large)},
          {"iou_50", matches_json(agreement.at_half)},
          {"iou_75", matches_json(agreement.at_three_quarters)},
          {"variation_of_information", number(agreement.split_bits + agreement.merge_bits)},
          {"split_bits", number(agreement.split_bits)},
          {"merge_bits", number(agreement.merge_bits)}};
}

}  // namespace aprscope::cli

#include "app/cli/bench/bench_cells_page.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "app/cli/bench/bench_page.hpp"
#include "core/base/printed.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

using Json = nlohmann::ordered_json;

// Goals are seconds for an image of this many voxels; for others they are in proportion.
constexpr double kGoalVoxels = 512.0 * 512.0 * 512.0;

// The largest time allowed for some rows. An empty name stands for any.
struct CellTimeGoal {
  const char* of;
  const char* op;
  const char* mode;
  double seconds;
};
constexpr CellTimeGoal kProcessorTimes[] = {
    {"smooth", "label", "6", 0.15},    {"smooth", "label", "26", 0.15},
    {"noise 50 %", "label", "6", 0.6}, {"noise 50 %", "label", "26", 0.6},
    {"", "slider", "merge", 0.1},      {"", "correct", "merge", 0.1},
};
// These are goals for the slowest of all masks.
constexpr CellTimeGoal kDeviceTimes[] = {{"", "labels 6", "", 0.0025},
                                         {"", "labels 26", "", 0.005}};

// Goals for voxels a second on pixels, and for how much faster and smaller sparse particles are.
constexpr double kWatershedRate = 30e6;
constexpr double kFewParticles = 20.0;
constexpr double kTimesAsFast = 10.0;
constexpr double kTimesAsSmall = 5.0;

double number_in(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_number() ? value.get<double>() : 0.0;
}

std::string word_in(const Json& row, const char* key) { return row.at(key).get<std::string>(); }

// Three significant digits, or all digits before the point if there are more.
std::string digits(double value) {
  const char* const format = value >= 100.0  ? "%.0f"
                             : value >= 10.0 ? "%.1f"
                             : value >= 1.0  ? "%.2f"
                                             : "%.3g";
  return printed(format, value);
}

// The scaled number, or an empty text for a missing one.
std::string scaled(double value, double scale) { return value > 0.0 ? digits(value * scale) : ""; }

std::string memory_in(const Json& row) {
  const Json& bytes = row.at("peak_bytes");
  return bytes.is_number() ? format_bytes(bytes.get<std::uint64_t>()) : "";
}

std::string page_row(const Json& row) {
  const double seconds = number_in(row, "seconds_median");
  std::string line = "|";
  for (const std::string& column :
       {word_in(row, "case"), word_in(row, "op"), word_in(row, "stencil"), word_in(row, "mode"),
        scaled(seconds, 1e3), scaled(number_in(row, "seconds_min"), 1e3),
        scaled(number_in(row, "pixels") / seconds, 1e-6),
        scaled(number_in(row, "particles_per_second"), 1e-6),
        scaled(number_in(row, "computational_ratio"), 1.0),
        scaled(number_in(row, "ratio_to_pixels"), 1.0), memory_in(row)}) {
    line += " " + column + " |";
  }
  return line + "\n";
}

// `best`: the value of the best run; 0: none. `most`: the goal is an upper limit, else a lower one.
std::string goal_row(const std::string& what, double goal, double found, double best, bool most) {
  const double reached = most ? goal / found : found / goal;
  return "| " + what + " | " + digits(goal) + " | " + digits(found) + " | " +
         printed("%.0f %%", 100.0 * reached) + " | " + (best > 0.0 ? digits(best) : "") + " |\n";
}

std::string title_of(const Json& row) {
  std::string title = word_in(row, "case");
  for (const char* key : {"op", "stencil", "mode"}) {
    if (const std::string word = word_in(row, key); word != "-") title += ", " + word;
  }
  return title;
}

bool meets(const Json& row, const CellTimeGoal& goal) {
  const auto same = [&](const char* key, const std::string& word) {
    return word.empty() || word_in(row, key) == word;
  };
  return same("case", goal.of) && same("op", goal.op) && same("mode", goal.mode);
}

std::string time_row(const Json& row, double seconds) {
  const double goal = seconds * number_in(row, "pixels") / kGoalVoxels;
  return goal_row(title_of(row) + ", ms", 1e3 * goal, 1e3 * number_in(row, "seconds_median"),
                  1e3 * number_in(row, "seconds_min"), true);
}

std::string goals_on_device(const std::vector<Json>& rows) {
  std::string lines;
  for (const CellTimeGoal& goal : kDeviceTimes) {
    const Json* slowest = nullptr;
    for (const Json& row : rows) {
      if (!meets(row, goal)) continue;
      if (slowest == nullptr ||
          number_in(row, "seconds_median") > number_in(*slowest, "seconds_median")) {
        slowest = &row;
      }
    }
    if (slowest != nullptr) lines += time_row(*slowest, goal.seconds);
  }
  return lines;
}

// The row of the same work on the pixels of the same image.
const Json* on_pixels(const Json& of, const std::vector<Json>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Json& row) {
    return row.at("particles_per_second").is_null() && row.at("case") == of.at("case") &&
           row.at("op") == of.at("op") && row.at("mode") == of.at("mode");
  });
  return found == rows.end() ? nullptr : &*found;
}

std::string goals_of_particles(const Json& row, const std::vector<Json>& rows) {
  if (number_in(row, "computational_ratio") < kFewParticles) return "";
  constexpr std::array<const char*, 3> kFaster{"label", "fill_exterior", "watershed"};
  const std::string op = word_in(row, "op");
  if (std::find(kFaster.begin(), kFaster.end(), op) == kFaster.end()) return "";
  std::string lines = goal_row(title_of(row) + " ÷ pixels", kTimesAsFast,
                               number_in(row, "ratio_to_pixels"), 0.0, false);
  // Goals for memory exist for filling and labels only.
  const Json* pixels = on_pixels(row, rows);
  if (op == kFaster.back() || pixels == nullptr) return lines;
  const double own = number_in(row, "peak_bytes");
  const double theirs = number_in(*pixels, "peak_bytes");
  if (own > 0.0 && theirs > 0.0) {
    lines += goal_row(title_of(row) + ", memory of pixels ÷ memory", kTimesAsSmall, theirs / own,
                      0.0, false);
  }
  return lines;
}

std::string goals_on_processor(const std::vector<Json>& rows) {
  std::string lines;
  for (const Json& row : rows) {
    for (const CellTimeGoal& goal : kProcessorTimes) {
      if (meets(row, goal)) lines += time_row(row, goal.seconds);
    }
    lines += goals_of_particles(row, rows);
    const bool on_particles = !row.at("particles_per_second").is_null();
    if (on_particles || word_in(row, "op") != "watershed") continue;
    const double voxels = 1e-6 * number_in(row, "pixels");
    lines += goal_row(title_of(row) + ", MVoxel/s", 1e-6 * kWatershedRate,
                      voxels / number_in(row, "seconds_median"),
                      voxels / number_in(row, "seconds_min"), false);
  }
  return lines;
}

std::string what_rows_are(bool on_device) {
  const std::string columns =
      "**CR**: pixels ÷ particles. **÷ pixels**: time of the same step on the pixels of the same "
      "image ÷ time. **Memory**: the most that is taken beyond what is given; of a slider, what is "
      "kept between its moves.\n\n";
  if (on_device) {
    return "Masks are on the device, and so are the labels; `from host`: both are the program's. "
           "`sums` measures labels that are there.\n\n" +
           columns;
  }
  return "Rows of masks (`u8`) are functions of the library: components, distances, filling, "
         "leaks. All others are steps as they are asked for, each on data of which nothing is "
         "known "
         "yet, thresholds and noise included: `cells` is the table of what a step found. On pixels "
         "`fill_exterior` also looks for leaks and fills each slice by itself, and the automatic "
         "`watershed` may smooth; on particles neither is done. `slider`: from another value of "
         "*Merge walls up to* or *Depth* to labels that can be drawn. `correct`: from two "
         "neighbouring cells that become one to the new table. `tissue`: cells some 32 pixels wide "
         "between bright walls.\n\n" +
         columns;
}

std::string cell_goals(const std::vector<Json>& rows, bool on_device) {
  const std::string lines = on_device ? goals_on_device(rows) : goals_on_processor(rows);
  if (lines.empty()) return "";
  const std::string with = on_device ? "one H200, of the slowest mask" : "two threads";
  return "\n## Goals\nWhat is aimed at with " + with +
         ", and the median of the runs; on a machine that does other work the best run, too. Times "
         "are aimed at for 512³ voxels, and scaled to the number that there is.\n\n"
         "| what | goal | measured | reached | best run |\n|---|--:|--:|--:|--:|\n" +
         lines;
}

}  // namespace

std::string cells_page(const Json& report, const std::string& command) {
  const bool on_device = report.at("machine").contains("gpu");
  const std::vector<Json> rows(report.at("rows").begin(), report.at("rows").end());
  std::string page = bench_page_head(report, "cells", command) + what_rows_are(on_device) +
                     "| case | what | of | mode | median ms | min ms | MVoxel/s | M particles/s | "
                     "CR | ÷ pixels | memory |\n|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const Json& row : rows) page += page_row(row);
  return page + cell_goals(rows, on_device);
}

}  // namespace aprscope::cli

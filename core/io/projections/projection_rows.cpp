#include <algorithm>
#include <array>

#include "core/io/projections/projection_columns.hpp"

namespace aprscope {
namespace {

// A column that changes what images are, and that is not used wherever it stands.
struct UnusedPhysics {
  const char* label;
  const char* meaning;
  // The value that changes nothing.
  double neutral;
  // What users can do about it.
  const char* instead = "";
};

constexpr std::array<UnusedPhysics, 13> kUnusedPhysics{{
    {"rlnBeamTiltX", "beam tilt", 0.0},
    {"rlnBeamTiltY", "beam tilt", 0.0},
    {"rlnOddZernike", "antisymmetric aberrations", 0.0},
    {"rlnEvenZernike", "symmetric aberrations", 0.0},
    {"rlnMagMat00", "anisotropic magnification", 1.0},
    {"rlnMagMat01", "anisotropic magnification", 0.0},
    {"rlnMagMat10", "anisotropic magnification", 0.0},
    {"rlnMagMat11", "anisotropic magnification", 1.0},
    {"rlnMtfFileName", "the detector's transfer function", 0.0,
     ": sharpening a map divides by it where it is named there"},
    {"rlnCtfDataArePhaseFlipped", "phases that were flipped", 0.0},
    {"scale", "a scale of the image", 1.0},
    {"ctfModel", "a CTF in a further file", 0.0},
    {"CTFModel", "a CTF in a further file", 0.0},
}};

// Whether a value, or one of the values of a vector, is another than the neutral one.
bool changes(std::string_view text, double neutral) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(", "), text.size());
    const std::string_view one = text.substr(0, end);
    if (!one.empty() && one != "None" && one != "null") {
      const auto value = star_number(one);
      if (!value || *value != neutral) return true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

void warn_of_unused(const StarFile& file, const StarTable& table, ProjectionTable& out,
                    std::span<const char* const> used) {
  for (const UnusedPhysics& unused : kUnusedPhysics) {
    if (std::any_of(used.begin(), used.end(),
                    [&](std::string_view label) { return label == unused.label; })) {
      continue;
    }
    const auto column = find_column(table, {unused.label});
    if (!column.there()) continue;
    StarRowReader reader(file, table);
    for (std::size_t i = 0; i < table.row_count(); ++i) {
      reader.move_to(i);
      if (!changes(reader.text(column), unused.neutral)) continue;
      out.warnings.push_back("the column " + column.label + " (" + unused.meaning +
                             ") is not used" + unused.instead);
      break;
    }
  }
}

void warn_of_missing(const StarColumn& column, const std::string& consequence,
                     ProjectionTable& out) {
  if (!column.there()) {
    out.warnings.push_back("there is no column " + column.label + ": " + consequence);
  }
}

Result<const StarTable*> table_of_images(const StarFile& file, const char* label,
                                         const char* preferred, ProjectionTable& out) {
  const StarTable* chosen = nullptr;
  std::size_t others = 0;
  for (const StarTable& table : file.tables) {
    if (!table.column(label) || table.row_count() == 0) continue;
    const bool better = table.name == preferred && chosen != nullptr && chosen->name != preferred;
    others += chosen != nullptr ? 1 : 0;
    if (chosen == nullptr || better) chosen = &table;
  }
  if (chosen == nullptr) {
    return Error{std::string("has no rows with a column ") + label, file.path.string(),
                 "choose the table of the particle images themselves"};
  }
  if (others > 0) {
    out.warnings.push_back("of " + std::to_string(others + 1) + " tables of images " +
                           printable_line("data_" + chosen->name) + " is read");
  }
  return chosen;
}

int half_of(StarRowReader& reader, const StarColumn& column) {
  const double half = reader.number(column, 0.0);
  if (half == 0.0 || half == 1.0 || half == 2.0) return static_cast<int>(half);
  reader.complain("its " + column.label + " is neither 1 nor 2");
  return 0;
}

Result<ProjectionRows> read_projection_rows(const StarFile& file, const JobContext& context) {
  const bool relion =
      std::any_of(file.tables.begin(), file.tables.end(), [](const StarTable& table) {
        return std::any_of(table.labels.begin(), table.labels.end(),
                           [](const std::string& label) { return label.starts_with("rln"); });
      });
  auto rows = relion ? read_relion(file, context) : read_xmipp(file, context);
  if (!rows) return rows;
  rows->table.path = file.path;
  rows->sides.resize(rows->table.optics.size(), 0);
  return rows;
}

}  // namespace aprscope

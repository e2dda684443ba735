#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "core/io/projections/projection_columns.hpp"

namespace aprscope {
namespace {

// Columns read of optics groups; in tables without these the tilts of rows are read, too.
constexpr const char* kFlipped = "rlnCtfDataArePhaseFlipped";
constexpr std::array kOfGroups{"rlnBeamTiltX",   "rlnBeamTiltY", "rlnOddZernike",
                               "rlnEvenZernike", "rlnMagMat00",  "rlnMagMat01",
                               "rlnMagMat10",    "rlnMagMat11",  kFlipped};
constexpr std::array kOfRows{"rlnBeamTiltX", "rlnBeamTiltY"};

// A tilt in mrad: 0 without the column; NaN, and a complaint, where it is no number.
double milliradians(StarRowReader& reader, const StarColumn& column) {
  return column.there() ? reader.number(column, kUnknown) : 0.0;
}

// [a,b,c], with or without blanks; what is no number there is NaN, and a complaint.
std::vector<double> list_of(StarRowReader& reader, const StarColumn& column) {
  std::vector<double> values;
  std::string_view text = reader.text(column);
  if (text.empty() || text == "None" || text == "null") return values;
  const bool bracketed = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  if (bracketed) text = text.substr(1, text.size() - 2);
  bool sound = bracketed;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(", "), text.size());
    if (end > 0) {
      const auto value = star_number(text.substr(0, end));
      sound = sound && value && std::isfinite(*value);
      values.push_back(value.value_or(kUnknown));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (sound) return values;
  if (!bracketed) values.push_back(kUnknown);
  reader.complain("its " + column.label + " is not a list of finite numbers (" +
                  printable_line(utf8_prefix(reader.text(column), 40)) + ")");
  return values;
}

// The columns of a group's aberrations.
class AberrationColumns {
 public:
  explicit AberrationColumns(const StarTable& table) : table_(table) {}
  void read(StarRowReader& reader, OpticsGroup& group) const {
    group.beam_tilt_x = milliradians(reader, column("rlnBeamTiltX"));
    group.beam_tilt_y = milliradians(reader, column("rlnBeamTiltY"));
    group.odd_zernike = list_of(reader, column("rlnOddZernike"));
    group.even_zernike = list_of(reader, column("rlnEvenZernike"));
    constexpr std::array kEntries{"rlnMagMat00", "rlnMagMat01", "rlnMagMat10", "rlnMagMat11"};
    for (std::size_t i = 0; i < kEntries.size(); ++i) {
      const StarColumn entry = column(kEntries[i]);
      if (entry.there()) group.magnification[i] = reader.number(entry, kUnknown);
    }
  }

 private:
  [[nodiscard]] StarColumn column(const char* label) const { return find_column(table_, {label}); }
  const StarTable& table_;
};

// data_optics of RELION 3.1 and later: which of ProjectionTable::optics a group's number is.
Result<std::map<std::int64_t, std::uint32_t>> read_optics(const StarFile& file,
                                                          const StarTable& table,
                                                          ProjectionRows& out) {
  const auto number = find_column(table, {"rlnOpticsGroup"});
  const auto name = find_column(table, {"rlnOpticsGroupName"});
  const auto voltage = find_column(table, {"rlnVoltage"});
  const auto aberration = find_column(table, {"rlnSphericalAberration"});
  const auto contrast = find_column(table, {"rlnAmplitudeContrast"});
  const auto pixel = find_column(table, {"rlnImagePixelSize"});
  const auto side = find_column(table, {"rlnImageSize"});
  const auto dimensions = find_column(table, {"rlnImageDimensionality"});
  const auto premultiplied = find_column(table, {"rlnCtfDataAreCtfPremultiplied"});
  const auto flipped = find_column(table, {kFlipped});
  const AberrationColumns aberrations(table);
  std::map<std::int64_t, std::uint32_t> numbers;
  StarRowReader reader(file, table);
  for (std::size_t i = 0; i < table.row_count(); ++i) {
    reader.move_to(i);
    OpticsGroup group;
    const double id = reader.number(number, static_cast<double>(i + 1));
    group.name = name.there() ? std::string(reader.text(name)) : std::to_string(i + 1);
    group.voltage_kv = reader.number(voltage, kUnknown);
    group.spherical_aberration_mm = reader.number(aberration, kUnknown);
    group.amplitude_contrast = reader.number(contrast, kUnknown);
    group.pixel_size = reader.number(pixel, kUnknown);
    group.premultiplied = reader.number(premultiplied, 0.0) != 0.0;
    group.phase_flipped = reader.number(flipped, 0.0) != 0.0;
    aberrations.read(reader, group);
    const double pixels = reader.number(side, 0.0);
    if (reader.number(dimensions, 2.0) != 2.0) {
      return Error{
          "is a table of volumes, not of images (line " + std::to_string(reader.line()) + ")",
          file.path.string(), "choose a table of 2-D images"};
    }
    const std::string line = " (line " + std::to_string(reader.line()) + ")";
    if (!reader.why().empty()) {
      out.table.warnings.push_back("of optics group " + printable_line(group.name) + " " +
                                   reader.why() + line);
    }
    if (!(group.pixel_size > 0.0)) group.pixel_size = kUnknown;
    const bool fits = std::abs(id) < 1e15 && pixels >= 0.0 && pixels < 1e9;
    if (!fits ||
        !numbers.emplace(static_cast<std::int64_t>(id), static_cast<std::uint32_t>(i)).second) {
      return Error{"has optics groups that cannot be told from each other" + line,
                   file.path.string(), "give each its own rlnOpticsGroup"};
    }
    out.table.optics.push_back(std::move(group));
    out.sides.push_back(static_cast<std::int64_t>(pixels));
  }
  return numbers;
}

std::string relion_name(const StarFile& file, bool optics) {
  if (!optics) return "RELION 3.0 STAR";
  const std::string_view head = std::string_view(file.text).substr(0, 4096);
  if (head.find("# version 50") != std::string_view::npos) return "RELION 5 STAR";
  if (head.find("# version 40") != std::string_view::npos) return "RELION 4 STAR";
  return "RELION 3.1 STAR";
}

}  // namespace

Result<ProjectionRows> read_relion(const StarFile& file, const JobContext& context) {
  ProjectionRows out;
  ProjectionTable& result = out.table;
  const auto chosen = table_of_images(file, "rlnImageName", "particles", result);
  if (!chosen) return chosen.error();
  const StarTable& table = **chosen;
  const StarTable* optics = file.table("optics");
  if (optics != nullptr && optics->row_count() == 0) optics = nullptr;
  result.format = relion_name(file, optics != nullptr);
  std::map<std::int64_t, std::uint32_t> groups;
  const auto group_column = find_column(table, {"rlnOpticsGroup"});
  if (optics != nullptr) {
    auto read = read_optics(file, *optics, out);
    if (!read) return read.error();
    groups = *std::move(read);
    if (!group_column.there() && groups.size() > 1) {
      return Error{
          "has several optics groups and no column rlnOpticsGroup that says which image "
          "is of which",
          file.path.string(), "write the table again with the program that made it"};
    }
    warn_of_unused(file, *optics, result, kOfGroups);
    // As in RELION, optics groups override what rows say.
    warn_of_unused(file, table, result);
  } else {
    warn_of_unused(file, table, result, kOfRows);
  }

  const auto image = find_column(table, {"rlnImageName"});
  const auto rot = find_column(table, {"rlnAngleRot"});
  const auto tilt = find_column(table, {"rlnAngleTilt"});
  const auto psi = find_column(table, {"rlnAnglePsi"});
  const auto x_angstrom = find_column(table, {"rlnOriginXAngst"});
  const auto y_angstrom = find_column(table, {"rlnOriginYAngst"});
  const auto x_pixels = find_column(table, {"rlnOriginX"});
  const auto y_pixels = find_column(table, {"rlnOriginY"});
  const auto flip = find_column(table, {"rlnIsFlip"});
  const auto half = find_column(table, {"rlnRandomSubset"});
  const auto defocus_u = find_column(table, {"rlnDefocusU"});
  const auto defocus_v = find_column(table, {"rlnDefocusV"});
  const auto defocus_angle = find_column(table, {"rlnDefocusAngle"});
  const auto phase = find_column(table, {"rlnPhaseShift"});
  const auto scale = find_column(table, {"rlnCtfScalefactor"});
  const auto b_factor = find_column(table, {"rlnCtfBfactor"});
  const auto voltage = find_column(table, {"rlnVoltage"});
  const auto aberration = find_column(table, {"rlnSphericalAberration"});
  const auto contrast = find_column(table, {"rlnAmplitudeContrast"});
  const auto tilt_x = find_column(table, {"rlnBeamTiltX"});
  const auto tilt_y = find_column(table, {"rlnBeamTiltY"});
  const auto pixel = find_column(table, {"rlnImagePixelSize", "rlnPixelSize"});
  const auto detector = find_column(table, {"rlnDetectorPixelSize"});
  const auto magnification = find_column(table, {"rlnMagnification"});
  result.shifts_in_angstrom = x_angstrom.there() || y_angstrom.there();
  const StarColumn& x = result.shifts_in_angstrom ? x_angstrom : x_pixels;
  const StarColumn& y = result.shifts_in_angstrom ? y_angstrom : y_pixels;
  result.has_angles = rot.there() || tilt.there() || psi.there();
  for (const StarColumn* column : {&rot, &tilt, &psi, &x, &y}) {
    warn_of_missing(*column, "it is taken as 0", result);
  }
  warn_of_missing(defocus_u, "the CTF is not known", result);

  StackNames names(result);
  OpticsOfRows own_optics(result);
  const Status read =
      read_rows(file, table, result, context, [&](StarRowReader& in, Projection& row) {
        names.put(in.text(image), in, row);
        row.rot = in.number(rot, 0.0);
        row.tilt = in.number(tilt, 0.0);
        row.psi = in.number(psi, 0.0);
        row.shift_x = in.number(x, 0.0);
        row.shift_y = in.number(y, 0.0);
        row.mirrored = in.number(flip, 0.0) != 0.0;
        row.half = half_of(in, half);
        row.defocus_u = in.number(defocus_u, kUnknown);
        row.defocus_v = defocus_v.there() ? in.number(defocus_v, kUnknown) : row.defocus_u;
        row.defocus_angle = in.number(defocus_angle, 0.0);
        row.phase_shift = in.number(phase, 0.0);
        row.ctf_scale = in.number(scale, 1.0);
        row.ctf_b_factor = in.number(b_factor, 0.0);
        if (optics != nullptr) {
          const double id = in.number(group_column, static_cast<double>(groups.begin()->first));
          const auto found =
              std::abs(id) < 1e15 ? groups.find(static_cast<std::int64_t>(id)) : groups.end();
          if (found == groups.end()) {
            in.complain("its optics group is not in data_optics");
          } else {
            row.optics = found->second;
          }
          return;
        }
        double size = in.number(pixel, kUnknown);
        if (!pixel.there() && detector.there() && magnification.there()) {
          // The pixel size of the detector is in µm.
          size = in.number(detector, kUnknown) * 1e4 / in.number(magnification, kUnknown);
        }
        if (!(size > 0.0) || !std::isfinite(size)) size = kUnknown;
        row.optics = own_optics.group(in.number(voltage, kUnknown), in.number(aberration, kUnknown),
                                      in.number(contrast, kUnknown), size, milliradians(in, tilt_x),
                                      milliradians(in, tilt_y));
      });
  if (!read) return read.error();
  return out;
}

}  // namespace aprscope

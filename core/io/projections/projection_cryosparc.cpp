#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "core/io/projections/npy_table.hpp"
#include "core/io/projections/projection_columns.hpp"

namespace aprscope {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

struct UnusedField {
  const char* name;
  const char* meaning;
  // The value that changes nothing.
  double neutral;
};

constexpr std::array<UnusedField, 8> kUnused{{
    {"ctf/tilt_A", "beam tilt", 0.0},
    {"ctf/trefoil_A", "trefoil", 0.0},
    {"ctf/tetra_A", "tetrafoil", 0.0},
    {"ctf/shift_A", "a shift of the CTF", 0.0},
    {"ctf/anisomag", "anisotropic magnification", 0.0},
    {"ctf/scale", "a scale of the CTF", 1.0},
    {"blob/sign", "images of inverted contrast", 1.0},
    {"alignments3D/alpha", "a scale of each image", 1.0},
}};

// ZYZ angles in degrees whose from_euler() is the transpose of the rotation about the vector by its
// length: cryoSPARC turns the map, from_euler() has the axes of the image in the map's frame.
std::array<double, 3> angles_of(double x, double y, double z) {
  const double angle = std::sqrt(x * x + y * y + z * z);
  // A = cos·1 − sin·[u]× + (1 − cos) u uᵀ (Rodrigues), written with what has no division by 0.
  const double s = angle > 1e-12 ? std::sin(angle) / angle : 1.0;
  const double half = angle > 1e-12 ? std::sin(angle / 2.0) / (angle / 2.0) : 1.0;
  const double c = 0.5 * half * half;
  const double cosine = std::cos(angle);
  const double a02 = c * x * z - s * y;
  const double a12 = c * y * z + s * x;
  const double a20 = c * x * z + s * y;
  const double a21 = c * y * z - s * x;
  const double a22 = cosine + c * z * z;
  const double sine = std::hypot(a20, a21);
  const double tilt = std::atan2(sine, a22);
  if (sine < 1e-9) {
    // Seen along the axis rot and psi turn about the same line.
    const double a00 = cosine + c * x * x;
    const double a01 = c * x * y + s * z;
    return {std::atan2(a22 > 0.0 ? a01 : -a01, a22 > 0.0 ? a00 : -a00) * kDegrees, tilt * kDegrees,
            0.0};
  }
  return {std::atan2(a21, a20) * kDegrees, tilt * kDegrees, std::atan2(a12, -a02) * kDegrees};
}

class Reader {
 public:
  Reader(const NpyTable& table, ProjectionRows& out)
      : table_(table), out_(out), optics_(out.table) {
    const auto field = [&](const char* name) { return table.field(name); };
    path_ = field("blob/path");
    index_ = field("blob/idx");
    shape_ = field("blob/shape");
    pixel_ = field("blob/psize_A");
    pose_ = field("alignments3D/pose");
    shift_ = field("alignments3D/shift");
    shift_pixel_ = field("alignments3D/psize_A");
    split_ = field("alignments3D/split");
    voltage_ = field("ctf/accel_kv");
    aberration_ = field("ctf/cs_mm");
    contrast_ = field("ctf/amp_contrast");
    u_ = field("ctf/df1_A");
    v_ = field("ctf/df2_A");
    angle_ = field("ctf/df_angle_rad");
    phase_ = field("ctf/phase_shift_rad");
    b_factor_ = field("ctf/bfactor");
  }

  [[nodiscard]] Status check(const std::string& where) const {
    const auto lacks = [&](const NpyField* field, std::size_t count) {
      return field == nullptr || field->count < count;
    };
    if (lacks(path_, 1) || lacks(index_, 1)) {
      return Error{"has no fields blob/path and blob/idx, which name its images", where,
                   "choose the .cs file of the particles themselves, not a passthrough"};
    }
    return {};
  }

  void warn_of_missing_fields() const {
    const auto missing = [&](const NpyField* field, const char* name, const char* consequence) {
      if (field != nullptr) return;
      out_.table.warnings.push_back(std::string("there is no field ") + name + ": " + consequence);
    };
    out_.table.has_angles = pose_ != nullptr;
    missing(pose_, "alignments3D/pose", "all angles are taken as 0");
    missing(shift_, "alignments3D/shift", "shifts are taken as 0");
    missing(u_, "ctf/df1_A", "the CTF is not known");
  }

  // Adds a row; `number` counts from 1.
  void add(std::span<const std::uint8_t> bytes, std::int64_t number) {
    why_.clear();
    bytes_ = bytes;
    Projection row;
    row.line = number;
    put_image(row);
    const auto angles = angles_of(value(pose_, 0, 0.0), value(pose_, 1, 0.0), value(pose_, 2, 0.0));
    row.rot = angles[0];
    row.tilt = angles[1];
    row.psi = angles[2];
    const double size = pixel_ != nullptr ? npy_number(*pixel_, bytes) : kUnknown;
    // Pixels of what was aligned, which may have been binned.
    const double aligned = shift_pixel_ != nullptr ? npy_number(*shift_pixel_, bytes) : kUnknown;
    const double ratio = size > 0.0 && aligned > 0.0 ? aligned / size : 1.0;
    row.shift_x = value(shift_, 0, 0.0) * ratio;
    row.shift_y = value(shift_, 1, 0.0) * ratio;
    row.half = half();
    row.defocus_u = value(u_, 0, kUnknown);
    row.defocus_v = v_ != nullptr ? value(v_, 0, kUnknown) : row.defocus_u;
    row.defocus_angle = value(angle_, 0, 0.0) * kDegrees;
    row.phase_shift = value(phase_, 0, 0.0) * kDegrees;
    row.ctf_b_factor = value(b_factor_, 0, 0.0);
    row.optics = optics_.group(value(voltage_, 0, kUnknown), value(aberration_, 0, kUnknown),
                               value(contrast_, 0, kUnknown),
                               size > 0.0 && std::isfinite(size) ? size : kUnknown);
    put_side(row.optics);
    warn_of_unused_fields();
    if (!why_.empty()) {
      std::string why = kNoReason;
      if (out_.table.unusable.size() < kMostReasons) {
        why = why_ + " (row " + std::to_string(number) + ")";
      }
      out_.table.unusable.push_back({number - 1, std::move(why), RowTrouble::number});
    }
    out_.table.rows.push_back(row);
  }

  // If all rows are of one set, these are no halves.
  void finish() const {
    if (halves_[0] && halves_[1]) return;
    for (Projection& row : out_.table.rows) row.half = 0;
  }

 private:
  void complain(const std::string& what) {
    if (why_.empty()) why_ = what;
  }

  double value(const NpyField* field, std::size_t which, double missing) {
    if (field == nullptr) return missing;
    const double found = npy_number(*field, bytes_, which);
    if (std::isfinite(found)) return found;
    complain("its " + printable_line(utf8_prefix(field->name, 60)) + " is not a finite number");
    return missing;
  }

  void put_image(Projection& row) {
    std::string name = npy_text(*path_, bytes_);
    // cryoSPARC marks paths of imported data with ">".
    if (name.starts_with('>')) name.erase(0, 1);
    if (name.empty()) complain("its blob/path is empty");
    const double index = value(index_, 0, 0.0);
    if (index < 0.0 || index > 1e12) {
      complain("its blob/idx is no number of an image");
    } else {
      row.image = static_cast<std::int64_t>(index);
    }
    const auto [found, is_new] =
        stacks_.emplace(name, static_cast<std::uint32_t>(out_.table.stacks.size()));
    if (is_new) out_.table.stacks.emplace_back(name);
    row.stack = found->second;
  }

  int half() {
    const double split = value(split_, 0, -1.0);
    if (split != 0.0 && split != 1.0) return 0;
    halves_[split == 0.0 ? 0 : 1] = true;
    return split == 0.0 ? 1 : 2;
  }

  void put_side(std::uint32_t group) {
    out_.sides.resize(out_.table.optics.size(), 0);
    if (shape_ == nullptr || out_.sides[group] != 0) return;
    const double side = npy_number(*shape_, bytes_);
    if (side > 0.0 && side < 1e9) out_.sides[group] = static_cast<std::int64_t>(side);
  }

  void warn_of_unused_fields() {
    for (std::size_t i = 0; i < kUnused.size(); ++i) {
      const NpyField* const field = warned_[i] ? nullptr : table_.field(kUnused[i].name);
      for (std::size_t k = 0; field != nullptr && !warned_[i] && k < field->count; ++k) {
        if (npy_number(*field, bytes_, k) == kUnused[i].neutral) continue;
        warned_[i] = true;
        out_.table.warnings.push_back(std::string("the field ") + kUnused[i].name + " (" +
                                      kUnused[i].meaning + ") is not used");
      }
    }
  }

  const NpyTable& table_;
  ProjectionRows& out_;
  OpticsOfRows optics_;
  const NpyField *path_, *index_, *shape_, *pixel_, *pose_, *shift_, *shift_pixel_, *split_,
      *voltage_, *aberration_, *contrast_, *u_, *v_, *angle_, *phase_, *b_factor_;
  std::map<std::string, std::uint32_t, std::less<>> stacks_;
  std::array<bool, 2> halves_{};
  std::array<bool, kUnused.size()> warned_{};
  std::span<const std::uint8_t> bytes_;
  std::string why_;
};

}  // namespace

Result<ProjectionRows> read_cryosparc(const std::string& path, const JobContext& context) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto table = read_npy_table(*file);
  if (!table) return table.error();
  ProjectionRows out;
  out.table.path = path;
  out.table.format = "cryoSPARC CS";
  Reader reader(*table, out);
  if (Status ok = reader.check(path); !ok) return ok.error();
  if (table->rows == 0) {
    return Error{"has no rows", path, "choose the .cs file of the particles"};
  }
  const auto count = static_cast<std::uint64_t>(table->rows);
  const std::uint64_t bytes =
      count * (sizeof(Projection) + sizeof(UnusableRow)) + kMostReasons * 128;
  if (Status fits = check_memory(bytes, path); !fits) return fits.error();
  reader.warn_of_missing_fields();
  out.table.rows.reserve(count);
  // A few megabytes at a time.
  const std::size_t at_once =
      std::clamp<std::size_t>((std::size_t{4} << 20U) / table->row_bytes, 1, kRowsBetween);
  std::vector<std::uint8_t> block(at_once * table->row_bytes);
  for (std::uint64_t first = 0; first < count; first += at_once) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(first) / static_cast<double>(count), "reading");
    const std::size_t rows = std::min<std::uint64_t>(at_once, count - first);
    const std::size_t wanted = rows * table->row_bytes;
    const auto got = file->read_at(table->begin + first * table->row_bytes, block.data(), wanted);
    if (!got) return got.error();
    if (*got < wanted) {
      return Error{"became shorter while it was read", path, "open it again"};
    }
    for (std::size_t i = 0; i < rows; ++i) {
      reader.add(std::span(block).subspan(i * table->row_bytes, table->row_bytes),
                 static_cast<std::int64_t>(first + i) + 1);
    }
  }
  reader.finish();
  return out;
}

}  // namespace aprscope

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"
#include "core/io/em/mrc_write.hpp"

namespace aprscope {
namespace {

std::string text_of(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

// Characters that separate the values of a row.
constexpr const char* kBlanks = " \t\r\f\v";

// Whether a value in these quotes would end before its end: at a quote before a blank.
bool ends_early(const std::string& text, char quote) {
  for (std::size_t at = text.find(quote); at != std::string::npos; at = text.find(quote, at + 1)) {
    if (at + 1 < text.size() &&
        std::string_view(kBlanks).find(text[at + 1]) != std::string_view::npos)
      return true;
  }
  return false;
}

// A text as one value: in quotes where it needs them.
std::string value_of(const std::string& text) {
  if (text.empty()) return "\"\"";
  if (text.find_first_of(std::string(kBlanks) + "#'\"[") == std::string::npos) return text;
  // A text that was read as one value of a file never needs both kinds of quotes.
  const char quote = ends_early(text, '"') ? '\'' : '"';
  return quote + text + quote;
}

template <class Item>
struct Column {
  const char* label;
  std::function<std::string(const Item&)> text;
};

template <class Item>
void put_loop(std::string& out, const char* block, const std::vector<Column<Item>>& columns) {
  out += std::string("\n# version 30001\n\ndata_") + block + "\n\nloop_\n";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out += std::string("_") + columns[i].label + " #" + std::to_string(i + 1) + "\n";
  }
}

template <class Item>
void put_row(std::string& out, const std::vector<Column<Item>>& columns, const Item& item) {
  for (const auto& column : columns) {
    if (&column != &columns.front()) out += ' ';
    out += column.text(item);
  }
  out += '\n';
}

std::string list_text(const std::vector<double>& values) {
  std::string out = "[";
  for (const double value : values) out += (out.size() > 1 ? "," : "") + text_of(value);
  return out + "]";
}

// Adds columns of aberrations that any group has; groups without them get neutral values.
void add_aberrations(const ProjectionTable& table, std::vector<Column<OpticsGroup>>& columns) {
  const auto any = [&](const auto& is) {
    return std::any_of(table.optics.begin(), table.optics.end(), is);
  };
  const auto add = [&](const char* label, double OpticsGroup::*member) {
    columns.push_back(
        {label, [member](const OpticsGroup& group) { return text_of(group.*member); }});
  };
  if (any([](const OpticsGroup& g) { return g.beam_tilt_x != 0.0 || g.beam_tilt_y != 0.0; })) {
    add("rlnBeamTiltX", &OpticsGroup::beam_tilt_x);
    add("rlnBeamTiltY", &OpticsGroup::beam_tilt_y);
  }
  const auto add_list = [&](const char* label, std::vector<double> OpticsGroup::*member) {
    std::size_t most = 0;
    for (const OpticsGroup& group : table.optics) most = std::max(most, (group.*member).size());
    if (most == 0) return;
    columns.push_back({label, [member, most](const OpticsGroup& group) {
                         // RELION reads no empty list.
                         const auto& values = group.*member;
                         return list_text(values.empty() ? std::vector<double>(most) : values);
                       }});
  };
  add_list("rlnOddZernike", &OpticsGroup::odd_zernike);
  add_list("rlnEvenZernike", &OpticsGroup::even_zernike);
  if (!any([](const OpticsGroup& g) { return g.magnification != OpticsGroup().magnification; })) {
    return;
  }
  constexpr std::array kEntries{"rlnMagMat00", "rlnMagMat01", "rlnMagMat10", "rlnMagMat11"};
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    columns.push_back(
        {kEntries[i], [i](const OpticsGroup& group) { return text_of(group.magnification[i]); }});
  }
}

std::string optics_text(const ProjectionTable& table) {
  const auto known = [&](double OpticsGroup::*member) {
    return std::all_of(table.optics.begin(), table.optics.end(),
                       [&](const OpticsGroup& group) { return std::isfinite(group.*member); });
  };
  std::size_t number = 0;
  std::vector<Column<OpticsGroup>> columns{
      {"rlnOpticsGroup", [&](const OpticsGroup&) { return std::to_string(++number); }},
      {"rlnOpticsGroupName", [](const OpticsGroup& group) { return value_of(group.name); }}};
  // RELION reads no table without a voltage, an aberration and an amplitude contrast, also where
  // there is no CTF: then, and only then, usual values stand for those that nobody knows.
  const bool without_ctf = std::all_of(
      table.rows.begin(), table.rows.end(),
      [](const Projection& row) { return !row.enabled || !std::isfinite(row.defocus_u); });
  const auto add = [&](const char* label, double OpticsGroup::*member, double usual) {
    if (!known(member) && !(without_ctf && std::isfinite(usual))) return;
    columns.push_back({label, [member, usual](const OpticsGroup& group) {
                         const double value = group.*member;
                         return text_of(std::isfinite(value) ? value : usual);
                       }});
  };
  add("rlnVoltage", &OpticsGroup::voltage_kv, 300.0);
  add("rlnSphericalAberration", &OpticsGroup::spherical_aberration_mm, 2.7);
  add("rlnAmplitudeContrast", &OpticsGroup::amplitude_contrast, 0.1);
  add("rlnImagePixelSize", &OpticsGroup::pixel_size, std::numeric_limits<double>::quiet_NaN());
  columns.push_back(
      {"rlnImageSize", [&](const OpticsGroup&) { return std::to_string(table.side); }});
  columns.push_back(
      {"rlnImageDimensionality", [](const OpticsGroup&) { return std::string("2"); }});
  columns.push_back({"rlnCtfDataAreCtfPremultiplied", [](const OpticsGroup& group) {
                       return std::string(group.premultiplied ? "1" : "0");
                     }});
  if (std::any_of(table.optics.begin(), table.optics.end(),
                  [](const OpticsGroup& group) { return group.phase_flipped; })) {
    columns.push_back({"rlnCtfDataArePhaseFlipped", [](const OpticsGroup& group) {
                         return std::string(group.phase_flipped ? "1" : "0");
                       }});
  }
  add_aberrations(table, columns);
  std::string out;
  put_loop(out, "optics", columns);
  for (const OpticsGroup& group : table.optics) put_row(out, columns, group);
  return out;
}

std::vector<std::string> stack_names(const std::filesystem::path& path,
                                     const ProjectionTable& table) {
  std::vector<std::string> names;
  std::error_code code;
  const auto folder = std::filesystem::absolute(path, code).parent_path();
  for (const auto& stack : table.stacks) {
    const auto absolute = std::filesystem::absolute(stack, code);
    const auto relative = absolute.lexically_relative(folder);
    const bool below = !relative.empty() && *relative.begin() != "..";
    names.push_back(below ? relative.string() : absolute.string());
  }
  return names;
}

}  // namespace

Status write_star(const std::filesystem::path& path, const ProjectionTable& table) {
  return with_memory_errors(path.string(), [&]() -> Status {
    const auto any = [&](const auto& is) {
      return std::any_of(table.rows.begin(), table.rows.end(),
                         [&](const Projection& row) { return row.enabled && is(row); });
    };
    const auto all = [&](const auto& is) {
      return !any([&](const Projection& row) { return !is(row); });
    };
    if (!any([](const Projection&) { return true; })) {
      return Error{"cannot be written: no image is enabled", path.string(), "enable some"};
    }
    const std::vector<std::string> names = stack_names(path, table);
    // The pixel size is written where all groups have one, and only then can origins be in Å.
    const bool angstrom =
        std::all_of(table.optics.begin(), table.optics.end(),
                    [](const OpticsGroup& group) { return std::isfinite(group.pixel_size); });
    const auto shift = [&, angstrom](const Projection& row, double pixels) {
      return text_of(angstrom ? pixels * table.optics[row.optics].pixel_size : pixels);
    };
    std::vector<Column<Projection>> columns{
        {"rlnImageName",
         [&](const Projection& row) {
           std::string number = std::to_string(row.image + 1);
           if (number.size() < 6) number.insert(0, 6 - number.size(), '0');
           return value_of(number + "@" + names[row.stack]);
         }},
        {"rlnOpticsGroup", [](const Projection& row) { return std::to_string(row.optics + 1); }},
        {angstrom ? "rlnOriginXAngst" : "rlnOriginX",
         [&](const Projection& row) { return shift(row, row.shift_x); }},
        {angstrom ? "rlnOriginYAngst" : "rlnOriginY",
         [&](const Projection& row) { return shift(row, row.shift_y); }}};
    const auto add = [&](const char* label, double Projection::*member) {
      columns.push_back({label, [member](const Projection& row) { return text_of(row.*member); }});
    };
    add("rlnAngleRot", &Projection::rot);
    add("rlnAngleTilt", &Projection::tilt);
    add("rlnAnglePsi", &Projection::psi);
    if (any([](const Projection& row) { return row.half != 0; })) {
      columns.push_back(
          {"rlnRandomSubset", [](const Projection& row) { return std::to_string(row.half); }});
    }
    if (any([](const Projection& row) { return row.mirrored; })) {
      columns.push_back({"rlnIsFlip", [](const Projection& row) {
                           return std::string(row.mirrored ? "1" : "0");
                         }});
    }
    if (all([](const Projection& row) {
          return std::isfinite(row.defocus_u) && std::isfinite(row.defocus_v);
        })) {
      add("rlnDefocusU", &Projection::defocus_u);
      add("rlnDefocusV", &Projection::defocus_v);
      add("rlnDefocusAngle", &Projection::defocus_angle);
      add("rlnPhaseShift", &Projection::phase_shift);
      add("rlnCtfScalefactor", &Projection::ctf_scale);
      add("rlnCtfBfactor", &Projection::ctf_b_factor);
    }
    std::string out = optics_text(table);
    put_loop(out, "particles", columns);
    for (const Projection& row : table.rows) {
      if (row.enabled) put_row(out, columns, row);
    }
    return write_text_atomically(path, out);
  });
}

}  // namespace aprscope

// PSFs as the command line writes them.
#include <array>
#include <charconv>

#include "core/operations/deconvolve/psf_parameters.hpp"

namespace aprscope {
namespace {

struct Kind {
  const char* name;
  const char* parameter;
};
constexpr std::array kKinds{Kind{"gaussian", "gaussian"},
                            Kind{"born-wolf", "born_wolf"},
                            Kind{"born_wolf", "born_wolf"},
                            Kind{"gibson-lanni", "gibson_lanni"},
                            Kind{"gibson_lanni", "gibson_lanni"},
                            Kind{"file", "file"},
                            Kind{"beads", "beads"}};

constexpr const char* kAdvice =
    "write for example gaussian:sigma=2,size=13, born-wolf:na=1.4,wavelength=500,n=1.518, "
    "gibson-lanni:na=1.2,depth=10,ns=1.33, file:psf.tif or beads:image.tif,at=z/x/y;z/x/y";

std::string full_name(const std::string& key) {
  if (key == "n") return "n_immersion";
  if (key == "ns") return "n_sample";
  if (key == "lambda") return "wavelength";
  if (key == "unit") return "psf_sigma_unit";
  if (key == "at") return "psf_beads";
  if (key == "centre") return "psf_center";
  for (const char* short_name :
       {"sigma", "sigma_unit", "size", "voxel", "background", "center", "resample"}) {
    if (key == short_name) return "psf_" + key;
  }
  return key;
}

const ParameterSpec* find(const std::vector<ParameterSpec>& specs, const std::string& id) {
  for (const ParameterSpec& spec : specs) {
    if (spec.id == id) return &spec;
  }
  return nullptr;
}

// The pieces between commas; a piece without "=" belongs to the one before (a vector, or a path).
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  std::string::size_type start = 0;
  while (start <= text.size()) {
    const auto end = std::min(text.find(',', start), text.size());
    const std::string piece = text.substr(start, end - start);
    if (!out.empty() && piece.find('=') == std::string::npos) {
      out.back() += "," + piece;
    } else {
      out.push_back(piece);
    }
    start = end + 1;
  }
  return out;
}

bool read_index(const std::string& text, std::int64_t& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

}  // namespace

Result<std::vector<Index3>> positions_from_text(const std::string& text) {
  std::vector<Index3> positions;
  std::string::size_type start = 0;
  while (start < text.size()) {
    const auto end = std::min(text.find(';', start), text.size());
    const std::string piece = text.substr(start, end - start);
    const auto first = piece.find('/');
    const auto second = first == std::string::npos ? first : piece.find('/', first + 1);
    Index3 p;
    if (second == std::string::npos || !read_index(piece.substr(0, first), p.z) ||
        !read_index(piece.substr(first + 1, second - first - 1), p.x) ||
        !read_index(piece.substr(second + 1), p.y)) {
      return Error{"\"" + piece + "\" is no position", "beads",
                   "write z/x/y in pixels from 0, several with ; between them"};
    }
    positions.push_back(p);
    start = end + 1;
  }
  if (positions.empty()) {
    return Error{"names no bead", "beads", "write their positions as at=z/x/y;z/x/y"};
  }
  return positions;
}

std::string positions_to_text(const std::vector<Index3>& positions) {
  std::string text;
  for (const Index3& p : positions) {
    text += (text.empty() ? "" : ";") + std::to_string(p.z) + "/" + std::to_string(p.x) + "/" +
            std::to_string(p.y);
  }
  return text;
}

Result<std::map<std::string, ParameterValue>> parse_psf_spec(const std::string& spec) {
  const std::string where = "PSF " + spec;
  const auto colon = std::min(spec.find(':'), spec.size());
  const std::string name = spec.substr(0, colon);
  std::map<std::string, ParameterValue> values;
  for (const Kind& kind : kKinds) {
    if (name == kind.name) values["psf"] = std::string(kind.parameter);
  }
  if (values.empty()) return Error{"\"" + name + "\" is no kind of PSF", where, kAdvice};
  const std::string kind = std::get<std::string>(values["psf"]);
  std::vector<std::string> arguments;
  if (colon < spec.size()) arguments = pieces(spec.substr(colon + 1));
  if (kind == "file" || kind == "beads") {
    if (arguments.empty() || arguments.front().empty()) {
      return Error{"names no file", where, "write " + name + ":PATH"};
    }
    values["psf_file"] = arguments.front();
    arguments.erase(arguments.begin());
  }
  const std::vector<ParameterSpec> specs = psf_parameters();
  for (const std::string& argument : arguments) {
    const auto equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{"\"" + argument + "\" is not of the form name=value", where, kAdvice};
    }
    const std::string id = full_name(argument.substr(0, equals));
    const ParameterSpec* parameter = find(specs, id);
    if (parameter == nullptr || id == "psf" || id == "psf_file" ||
        !psf_parameter_counts(kind, id)) {
      return Error{name + " has no \"" + argument.substr(0, equals) + "\"", where, kAdvice};
    }
    auto value = value_from_text(*parameter, argument.substr(equals + 1));
    if (!value) {
      Error error = value.error();
      error.where = where;
      return error;
    }
    values[id] = *std::move(value);
  }
  if (kind == "beads") {
    const auto at = values.find("psf_beads");
    const auto read =
        positions_from_text(at == values.end() ? "" : std::get<std::string>(at->second));
    if (!read) return read.error();
  }
  return values;
}

}  // namespace aprscope

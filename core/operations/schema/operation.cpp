#include "core/operations/schema/operation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

std::string number(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string join(const std::vector<std::string>& words, const char* between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

std::string range_text(const ParameterSpec& spec) {
  std::string text = number(spec.minimum) + " to " + number(spec.maximum);
  if (!spec.unit.empty()) text += " " + spec.unit;
  return text;
}

Error parameter_error(const ParameterSpec& spec, std::string what, std::string advice) {
  return {"parameter " + spec.id + " " + std::move(what), "", std::move(advice)};
}

Status check_number(const ParameterSpec& spec, double value) {
  if (!std::isfinite(value)) return parameter_error(spec, "is not a finite number", "");
  if (value < spec.minimum || value > spec.maximum) {
    return parameter_error(spec, "is " + number(value) + ", outside its range",
                           "use " + range_text(spec));
  }
  if (spec.odd && !(value == 0.0 && spec.minimum == 0.0) &&
      (value != std::floor(value) || std::fmod(value, 2.0) != 1.0)) {
    return parameter_error(spec, "is " + number(value) + ", not a whole odd number",
                           "use 3, 5, 7 …");
  }
  return {};
}

const char* type_name(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "a whole number";
    case ParameterType::real:
      return "a number";
    case ParameterType::choice:
      return "a word";
    case ParameterType::vector3:
      return "one number, or three in the order z, x, y";
    case ParameterType::stencil:
      return "a stencil";
    case ParameterType::text:
      return "a text";
  }
  return "";
}

bool has_type(ParameterType type, const ParameterValue& value) {
  switch (type) {
    case ParameterType::boolean:
      return std::holds_alternative<bool>(value);
    case ParameterType::integer:
      return std::holds_alternative<std::int64_t>(value);
    case ParameterType::real:
      return std::holds_alternative<double>(value);
    case ParameterType::choice:
    case ParameterType::text:
      return std::holds_alternative<std::string>(value);
    case ParameterType::vector3:
      return std::holds_alternative<Vector>(value);
    case ParameterType::stencil:
      return std::holds_alternative<Stencil>(value);
  }
  return false;
}

Status check_value(const ParameterSpec& spec, const ParameterValue& value) {
  if (!has_type(spec.type, value)) {
    return parameter_error(spec, std::string("must be ") + type_name(spec.type), "");
  }
  switch (spec.type) {
    case ParameterType::integer:
      return check_number(spec, static_cast<double>(std::get<std::int64_t>(value)));
    case ParameterType::real:
      return check_number(spec, std::get<double>(value));
    case ParameterType::vector3:
      for (const double component : std::get<Vector>(value)) {
        if (Status ok = check_number(spec, component); !ok) return ok;
      }
      return {};
    case ParameterType::choice: {
      const auto& word = std::get<std::string>(value);
      if (std::find(spec.choices.begin(), spec.choices.end(), word) != spec.choices.end()) {
        return {};
      }
      return parameter_error(spec, "is \"" + word + "\"", "use " + join(spec.choices, ", "));
    }
    case ParameterType::stencil: {
      Status ok = check(std::get<Stencil>(value));
      if (ok) return ok;
      Error error = ok.error();
      error.where = "parameter " + spec.id;
      return error;
    }
    case ParameterType::boolean:
    case ParameterType::text:
      return {};
  }
  return {};
}

bool read_number(const std::string& text, double& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto read = std::from_chars(begin, end, value);
  return read.ec == std::errc{} && read.ptr == end;
}

Result<ParameterValue> vector_from_text(const ParameterSpec& spec, const std::string& text) {
  std::vector<double> numbers;
  std::string::size_type start = 0;
  while (start <= text.size()) {
    auto end = text.find_first_of(",x", start);
    if (end == std::string::npos) end = text.size();
    double value = 0.0;
    if (!read_number(text.substr(start, end - start), value)) break;
    numbers.push_back(value);
    if (end == text.size()) {
      if (numbers.size() == 1) return ParameterValue{Vector{value, value, value}};
      if (numbers.size() == 3) return ParameterValue{Vector{numbers[0], numbers[1], numbers[2]}};
      break;
    }
    start = end + 1;
  }
  return parameter_error(spec, "is \"" + text + "\"",
                         std::string("give ") + type_name(ParameterType::vector3));
}

std::string stencil_text(const Stencil& stencil) {
  std::string text = number(static_cast<double>(stencil.size.z)) + "x" +
                     number(static_cast<double>(stencil.size.x)) + "x" +
                     number(static_cast<double>(stencil.size.y)) + " stencil";
  if (!stencil.name.empty()) text += " " + stencil.name;
  return text;
}

// Words may be written as options are: held-out for held_out.
std::string word_of(const ParameterSpec& spec, const std::string& text) {
  std::string word = text;
  std::replace(word.begin(), word.end(), '-', '_');
  return std::find(spec.choices.begin(), spec.choices.end(), word) != spec.choices.end() ? word
                                                                                         : text;
}

}  // namespace

const ParameterSpec* OperationSchema::parameter(const std::string& wanted) const {
  for (const ParameterSpec& spec : parameters) {
    if (spec.id == wanted) return &spec;
  }
  return nullptr;
}

Result<Operation> complete(const Operation& operation) {
  const OperationSchema* schema = find_schema(operation.id);
  if (schema == nullptr) {
    std::vector<std::string> known;
    for (const OperationSchema* s : operation_schemas()) known.push_back(s->id);
    return Error{"there is no operation \"" + operation.id + "\"", "", "use " + join(known, ", ")};
  }
  Operation whole{operation.id, {}};
  for (const ParameterSpec& spec : schema->parameters) {
    whole.parameters.emplace(spec.id, spec.default_value);
  }
  for (const auto& [id, value] : operation.parameters) {
    const ParameterSpec* spec = schema->parameter(id);
    if (spec == nullptr) {
      std::vector<std::string> known;
      for (const ParameterSpec& s : schema->parameters) known.push_back(s.id);
      return Error{operation.id + " has no parameter \"" + id + "\"", "",
                   "use " + join(known, ", ")};
    }
    if (Status ok = check_value(*spec, value); !ok) {
      Error error = ok.error();
      error.where = operation.id + (error.where.empty() ? "" : ", " + error.where);
      return error;
    }
    whole.parameters[id] = value;
  }
  return whole;
}

std::string to_text(const ParameterValue& value) {
  struct Visitor {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return number(v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const Vector& v) const {
      return number(v[0]) + "," + number(v[1]) + "," + number(v[2]);
    }
    std::string operator()(const Stencil& v) const { return stencil_text(v); }
  };
  return std::visit(Visitor{}, value);
}

Result<ParameterValue> value_from_text(const ParameterSpec& spec, const std::string& text) {
  const auto wrong = [&] {
    return parameter_error(spec, "is \"" + text + "\"",
                           std::string("give ") + type_name(spec.type));
  };
  double value = 0.0;
  switch (spec.type) {
    case ParameterType::boolean:
      for (const char* yes : {"true", "on", "yes", "1"}) {
        if (text == yes) return ParameterValue{true};
      }
      for (const char* no : {"false", "off", "no", "0"}) {
        if (text == no) return ParameterValue{false};
      }
      return wrong();
    case ParameterType::integer:
      if (!read_number(text, value) || value != std::floor(value) || std::abs(value) > 1e15) {
        return wrong();
      }
      return ParameterValue{static_cast<std::int64_t>(value)};
    case ParameterType::real:
      if (!read_number(text, value)) return wrong();
      return ParameterValue{value};
    case ParameterType::choice:
      return ParameterValue{word_of(spec, text)};
    case ParameterType::text:
      return ParameterValue{text};
    case ParameterType::vector3:
      return vector_from_text(spec, text);
    case ParameterType::stencil:
      return wrong();
  }
  return wrong();
}

std::string describe(const Operation& operation) {
  const OperationSchema* schema = find_schema(operation.id);
  const auto whole = complete(operation);
  if (schema == nullptr || !whole) return operation.id;
  std::string numbers;
  std::string words;
  for (const ParameterSpec& spec : schema->parameters) {
    const ParameterValue& value = whole->parameters.at(spec.id);
    const std::string unit = spec.id + "_unit";
    if (schema->counts && !schema->counts(*whole, spec.id)) continue;
    if (spec.described == Described::changed && value == spec.default_value) continue;
    switch (spec.type) {
      case ParameterType::boolean:
        if (value == spec.default_value && spec.described != Described::always) break;
        words += std::string(", ") + (std::get<bool>(value) ? "" : "no ") + spec.id;
        break;
      case ParameterType::choice:
        // The unit of a number follows the number.
        if (schema->parameter(spec.id.substr(0, spec.id.find("_unit"))) != nullptr &&
            spec.id.find("_unit") != std::string::npos) {
          break;
        }
        words += ", " + spec.lead + (spec.lead.empty() ? "" : " ") + std::get<std::string>(value);
        break;
      case ParameterType::stencil:
        numbers += " " + to_text(value);
        break;
      case ParameterType::text:
        if (value == spec.default_value) break;
        words += ", " + spec.id + " \"" + std::get<std::string>(value) + "\"";
        break;
      default:
        numbers += " " + spec.id + "=" + to_text(value);
        if (schema->parameter(unit) != nullptr &&
            std::get<std::string>(whole->parameters.at(unit)) == "physical") {
          numbers += " physical";
        } else if (spec.unit == "px") {
          numbers += " px";
        }
    }
  }
  return operation.id + numbers + words;
}

}  // namespace aprscope

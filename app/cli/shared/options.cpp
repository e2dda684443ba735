#include "app/cli/shared/options.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/schema/schema_builder.hpp"

namespace aprscope::cli {
namespace {

std::string help_text(const ParameterSpec& spec) {
  std::string text = spec.help;
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : "; ") + fact; };
  if (spec.type == ParameterType::choice) {
    std::string words;
    for (const std::string& word : spec.choices) words += (words.empty() ? "" : " | ") + word;
    add(words);
  } else if (spec.type != ParameterType::boolean && spec.type != ParameterType::text) {
    add(to_text(spec.minimum) + " to " + to_text(spec.maximum) +
        (spec.unit.empty() ? "" : " " + spec.unit));
  }
  if (spec.type != ParameterType::text) add("default " + to_text(spec.default_value));
  return facts.empty() ? text : text + " (" + facts + ")";
}

}  // namespace

void wrong_usage(const std::string& option, const std::string& what) {
  throw CLI::ValidationError(option, what);
}

std::vector<double> numbers_from(const std::string& option, const std::string& text,
                                 std::size_t count) {
  std::vector<double> numbers;
  const ParameterSpec any = schema::real(option, "");
  std::string::size_type start = 0;
  while (start <= text.size()) {
    const auto end = std::min(text.find(',', start), text.size());
    const auto value = value_from_text(any, text.substr(start, end - start));
    if (!value || !std::isfinite(std::get<double>(*value))) break;
    numbers.push_back(std::get<double>(*value));
    if (end == text.size()) {
      if (numbers.size() == count) return numbers;
      break;
    }
    start = end + 1;
  }
  wrong_usage(option, "\"" + text + "\" is not " + std::to_string(count) +
                          (count == 1 ? " number" : " numbers with commas between them"));
}

std::vector<double> voxel_steps_from(const std::string& option, const std::string& text) {
  constexpr double kLeast = 1e-9;
  constexpr double kMost = 1e9;
  std::vector<double> steps = numbers_from(option, text, 3);
  for (const double step : steps) {
    if (!(step >= kLeast && step <= kMost)) {
      wrong_usage(option, "\"" + text + "\" is not three sizes from 1e-9 to 1e9");
    }
  }
  return steps;
}

std::function<std::string(const std::string&)> number_from_to(double least, double most) {
  return [=](const std::string& text) -> std::string {
    const ParameterSpec any = schema::real("", "");
    const auto value = value_from_text(any, text);
    const double number = value ? std::get<double>(*value) : std::nan("");
    if (number >= least && number <= most) return {};
    return "\"" + text + "\" is not a number from " + to_text(ParameterValue{least}) + " to " +
           to_text(ParameterValue{most});
  };
}

Region region_from(const std::string& option, const std::string& text) {
  std::string flat = text;
  std::replace(flat.begin(), flat.end(), ':', ',');
  const bool shaped = std::count(text.begin(), text.end(), ':') == 3;
  const auto n = shaped ? numbers_from(option, flat, 6) : std::vector<double>(6, -1.0);
  std::int64_t v[6];
  for (std::size_t i = 0; i < 6; ++i) {
    const bool end = i % 2 != 0;
    if (n[i] < 0.0 || n[i] > 1e6 || n[i] != std::floor(n[i]) || (end && n[i] <= n[i - 1])) {
      wrong_usage(option,
                  "\"" + text + "\" is not Z0:Z1,X0:X1,Y0:Y1 in whole pixels, each Z0 < Z1");
    }
    v[i] = static_cast<std::int64_t>(n[i]);
  }
  return {{v[0], v[2], v[4]}, {v[1], v[3], v[5]}};
}

Size3 size_from(const std::string& option, const std::string& text) {
  const auto n = numbers_from(option, text, 3);
  for (const double v : n) {
    if (v < 1.0 || v > 1e6 || v != std::floor(v)) {
      wrong_usage(option, "\"" + text + "\" is not a size in whole pixels");
    }
  }
  return {static_cast<std::int64_t>(n[0]), static_cast<std::int64_t>(n[1]),
          static_cast<std::int64_t>(n[2])};
}

std::string option_name(const std::string& parameter_id) {
  std::string name = "--" + parameter_id;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void SchemaOptions::share(Value& value, const OperationSchema& schema, const ParameterSpec& spec) {
  std::string text = value.option->get_description() + "; " + schema.label + ": ";
  text += spec.help == value.help ? "the same" : spec.help;
  if (spec.default_value != value.default_value) {
    text += " (default " + to_text(spec.default_value) + ")";
  }
  value.option->description(text);
}

void SchemaOptions::add_to(CLI::App& command, const std::string& operation_id,
                           const std::vector<std::string>& leave_out,
                           const std::string& positional) {
  schemas_.push_back(find_schema(operation_id));
  for (const ParameterSpec& spec : schemas_.back()->parameters) {
    if (std::find(leave_out.begin(), leave_out.end(), spec.id) != leave_out.end()) continue;
    Value& value = values_[spec.id];
    if (value.option != nullptr) {
      share(value, *schemas_.back(), spec);
      continue;
    }
    value.help = spec.help;
    value.default_value = spec.default_value;
    std::string name = option_name(spec.id);
    if (spec.type == ParameterType::boolean) {
      for (const std::string& other : spec.aliases) {
        const std::string option = option_name(other);
        name += "," + option + ",!--no-" + option.substr(2);
      }
      name += ",!--no-" + option_name(spec.id).substr(2);
      value.option = command.add_flag(name, value.flag, help_text(spec));
    } else {
      if (spec.id == positional) name += "," + spec.id;
      value.option = command.add_option(name, value.text, help_text(spec));
      const bool vector = spec.type == ParameterType::vector3;
      value.option->type_name(spec.type == ParameterType::choice ? "WORD"
                              : spec.type == ParameterType::text ? "TEXT"
                              : vector                           ? "Z,X,Y"
                                                                 : "NUMBER");
    }
  }
}

bool SchemaOptions::given(const std::string& id) const {
  const auto found = values_.find(id);
  return found != values_.end() && found->second.option->count() > 0;
}

std::vector<std::string> SchemaOptions::all_given() const {
  std::vector<std::string> ids;
  for (const auto& [id, value] : values_) {
    if (value.option->count() > 0) ids.push_back(id);
  }
  return ids;
}

Operation SchemaOptions::given_of(const std::string& operation_id) const {
  Operation operation{operation_id, {}};
  const OperationSchema& schema = *find_schema(operation_id);
  for (const auto& [id, value] : values_) {
    const ParameterSpec* const spec = schema.parameter(id);
    if (value.option->count() == 0 || spec == nullptr) continue;
    if (spec->type == ParameterType::boolean) {
      operation.parameters[id] = value.flag;
    } else {
      operation.parameters[id] =
          or_wrong_usage(option_name(id), value_from_text(*spec, value.text));
    }
  }
  return operation;
}

Operation SchemaOptions::operation() const {
  return or_wrong_usage("option", complete(given_of(schemas_.front()->id)));
}

}  // namespace aprscope::cli

#include "app/cli/shared/slurm_script.hpp"

#include <charconv>
#include <map>
#include <regex>
#include <sstream>

#include "core/base/printable.hpp"

namespace aprscope::cli {
namespace {

struct SlurmKey {
  /// The form of its values, for messages.
  const char* form;
  const char* example;
};

const std::map<std::string, SlurmKey>& slurm_keys() {
  constexpr const char* kName = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}";
  static const std::map<std::string, SlurmKey> keys{
      {"partition", {kName, "short"}},
      {"account", {kName, "lab"}},
      {"qos", {kName, "normal"}},
      {"constraint", {"[A-Za-z0-9_][A-Za-z0-9_.&|*\\[\\]-]{0,99}", "avx512"}},
      {"time", {"[0-9]{1,6}(:[0-9]{1,2}){0,2}|[0-9]{1,4}-[0-9]{1,2}(:[0-9]{1,2}){0,2}", "2:00:00"}},
      {"mem", {"[0-9]{1,9}[KMGTkmgt]?", "8G"}},
      {"gpus", {"([A-Za-z][A-Za-z0-9_.-]{0,49}:)?[1-9][0-9]{0,3}", "1"}},
      {"cpus", {"[1-9][0-9]{0,3}", "8"}},
      {"limit", {"[1-9][0-9]{0,4}", "50"}}};
  return keys;
}

std::string known_keys() {
  std::string text;
  for (const auto& [key, form] : slurm_keys()) {
    text += (text.empty() ? "" : ", ") + key + "=" + form.example;
  }
  return text;
}

int number_of(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Status set(SlurmOptions& options, const std::string& key, const std::string& value) {
  const auto known = slurm_keys().find(key);
  if (known == slurm_keys().end()) {
    return Error{"is no option of a job", key, "there are " + known_keys()};
  }
  if (!std::regex_match(value, std::regex(known->second.form))) {
    return Error{"cannot be \"" + value + "\"", key,
                 "write it as " + key + "=" + known->second.example};
  }
  if (key == "partition") options.partition = value;
  if (key == "account") options.account = value;
  if (key == "qos") options.qos = value;
  if (key == "constraint") options.constraint = value;
  if (key == "time") options.time = value;
  if (key == "mem") options.mem = value;
  if (key == "gpus") options.gpus = value;
  if (key == "cpus") options.cpus = number_of(value);
  if (key == "limit") options.limit = number_of(value);
  return {};
}

void directive(std::string& script, const std::string& option, const std::string& value) {
  if (!value.empty()) script += "#SBATCH --" + option + "=" + value + "\n";
}

// The lines of a script that both jobs need: where and how to run.
void where_to_run(std::string& script, const SlurmOptions& options) {
  directive(script, "partition", options.partition);
  directive(script, "account", options.account);
  directive(script, "qos", options.qos);
}

std::string begin_in(const std::string& folder) {
  return "cd " + shell_word(folder) + " || exit 1\n";
}

std::string list_of(const char* name, const std::vector<std::string>& words) {
  std::string text = std::string(name) + "=(\n";
  for (const std::string& word : words) text += "  " + shell_word(word) + "\n";
  return text + ")\n";
}

}  // namespace

Result<SlurmOptions> slurm_options(const std::string& text) {
  SlurmOptions options;
  const auto colon = text.find(':');
  if (text.substr(0, colon) != "slurm") {
    return Error{"is no scheduler that jobs are submitted to", text, "write slurm, or use --part"};
  }
  if (colon == std::string::npos) return options;
  std::istringstream rest(text.substr(colon + 1));
  for (std::string one; std::getline(rest, one, ',');) {
    const auto equals = one.find('=');
    const std::string value = equals == std::string::npos ? "" : one.substr(equals + 1);
    if (Status ok = set(options, one.substr(0, equals), value); !ok) return ok.error();
  }
  return options;
}

std::string shell_word(const std::string& text) {
  const bool plain = printable(text) == text;
  std::string word = plain ? "'" : "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!plain && (byte < 0x20U || byte >= 0x7FU)) {
      // Always three octal digits, so that a digit after the escape does not belong to it.
      word += '\\';
      for (const unsigned shift : {6U, 3U, 0U})
        word += static_cast<char>('0' + (byte >> shift & 7U));
    } else if (c == '\'') {
      word += plain ? "'\\''" : "\\'";
    } else if (c == '\\' && !plain) {
      word += "\\\\";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string array_script(const SlurmJob& job) {
  const SlurmOptions& options = job.options;
  std::string script = "#!/bin/bash\n#SBATCH --job-name=aprscope\n";
  directive(script, "array",
            "1-" + std::to_string(job.parts) +
                (options.limit > 0 ? "%" + std::to_string(options.limit) : ""));
  where_to_run(script, options);
  directive(script, "constraint", options.constraint);
  directive(script, "time", options.time);
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
  directive(script, "mem",
            !options.mem.empty()
                ? options.mem
                : std::to_string((job.memory_bytes + kMegabyte - 1) / kMegabyte) + "M");
  if (options.cpus > 0) directive(script, "cpus-per-task", std::to_string(options.cpus));
  if (!options.gpus.empty()) directive(script, "gres", "gpu:" + options.gpus);
  script +=
      "# Each task runs the files of one part. To run task 3 alone again: sbatch --array=3.\n";
  script += begin_in(job.folder);
  script += list_of("command", job.command) + list_of("inputs", job.inputs) +
            list_of("options", job.more);
  script +=
      "exec \"${command[@]}\" \"${inputs[@]}\" \"${options[@]}\" \\\n  --part "
      "\"$SLURM_ARRAY_TASK_ID/" +
      std::to_string(job.parts) +
      "\" --threads \"${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-0}}\"\n";
  return script;
}

std::string merge_script(const SlurmJob& job, const std::vector<std::string>& tables,
                         const std::string& csv) {
  std::string script = "#!/bin/bash\n#SBATCH --job-name=aprscope-merge\n";
  where_to_run(script, job.options);
  directive(script, "mem", "1024M");
  script += begin_in(job.folder) + list_of("parts", tables);
  script += "exec " + shell_word(job.command.front()) + " batch merge \"${parts[@]}\" -o " +
            shell_word(csv) + "\n";
  return script;
}

}  // namespace aprscope::cli

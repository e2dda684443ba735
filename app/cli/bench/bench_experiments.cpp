#include "app/cli/bench/experiment.hpp"
#include "core/base/atomic_file.hpp"

namespace aprscope::cli {
namespace {

std::string repeat_command(const ExperimentOptions& options) {
  std::string command = "aprscope-cli bench deconvolution";
  for (const std::string& name : options.names) command += " --experiment " + name;
  for (const std::string& method : options.methods) command += " --method " + method;
  command += " --seed " + std::to_string(options.seed);
  if (options.iterations > 0) command += " --iterations " + std::to_string(options.iterations);
  if (options.curve != ExperimentOptions().curve) {
    command += " --curve " + std::to_string(options.curve);
  }
  return command;
}

}  // namespace

const std::vector<std::string>& experiment_names() {
  static const std::vector<std::string> names{"cylinders", "microtubules"};
  return names;
}

const std::vector<std::string>& experiment_methods() {
  static const std::vector<std::string> methods{
      "pixels",     "pixels-padded", "apr",        "apr-full",    "apr-near-3",
      "apr-near-5", "apr-near-7",    "apr-near-9", "apr-near-11", "apr-lean",
      "apr-11",     "apr-21",        "apr-41",     "apr-41-far"};
  return methods;
}

Status bench_experiments(const ExperimentOptions& options, Session& session) {
  Json& report = session.report();
  report["machine"] = measure_machine(session).facts;
  report["rows"] = Json::array();
  for (const std::string& name : options.names) {
    Status done = name == "cylinders" ? cylinders_experiment(options, session, report)
                                      : microtubules_experiment(options, session, report);
    if (!done) return done;
  }
  if (options.page.empty()) return {};
  return write_text_atomically(options.page, experiment_page(report, repeat_command(options)));
}

}  // namespace aprscope::cli

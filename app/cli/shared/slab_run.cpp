#include "app/cli/shared/slab_run.hpp"

#include <functional>
#include <string>
#include <utility>

#include "app/cli/shared/options.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::cli {

void add_memory_option(CLI::App& command, std::uint64_t& memory, const std::string& verb) {
  command
      .add_option("--memory", memory,
                  verb +
                      " an .apr slab by slab within this much memory, as 4GB, if it does not "
                      "fit; what cannot be done so is refused. Without it, within what is free")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("SIZE");
}

namespace {

// Says that the CPU does it, where the user asked for another device: once, also for many parts.
std::function<void()> telling_of_cpu(const Session& session, const std::string& reason) {
  return [&session, reason, said = false]() mutable {
    const Backend& asked = session.backend();
    if (asked.id() == "cpu" || std::exchange(said, true)) return;
    session.context().moved({asked.id(), "cpu", cpu_backend()->name(), reason});
  };
}

constexpr const char* kOfSeries =
    "of several channels and time points goes from an .apr to an .apr";
constexpr const char* kTooLarge = "what does not fit into memory is worked on by the CPU";

}  // namespace

Result<std::optional<SlabExecution>> run_in_slabs(SlabCommand command, Session& session) {
  const auto info = inspect_input(command.input, session.context());
  if (!info) return info.error();
  SlabRun& run = command.run;
  run.hooks.ranks = session.ranks();
  if (run.hooks.ranks != nullptr) run.on_this_host = run.hooks.ranks->place().local_count;
  run.voxel = [&](const VoxelSize& of_file) { return chosen_voxel_size(command.input, of_file); };
  run.begins = telling_of_cpu(
      session, run.hooks.ranks != nullptr ? "several processes share it on the CPU" : kTooLarge);
  auto done = session.timed(command.name.c_str(), [&] {
    return execute_in_slabs(command.steps, *info, {command.input.channel, command.input.time}, run,
                            command.output,
                            command.stops ? session.context() : unstoppable(session.context()));
  });
  if (!done || !*done) return done;
  Json& report = session.report();
  report["size"] = to_json((*done)->size);
  report["voxel_size"] = to_json((*done)->voxel);
  report["particles"] = (*done)->particles;
  report["slabs"] = (*done)->steps.back().slabs;
  report["slices_around"] = (*done)->steps.back().around;
  if (command.steps.size() > 1) report["step_seconds"] = (*done)->seconds;
  describe_output(command.output, session);
  return done;
}

std::uint64_t memory_to_check(const std::vector<Operation>& steps, const std::string& input,
                              const std::string& output, std::uint64_t memory) {
  const bool in_slabs = has_apr_ending(input) && has_apr_ending(output) && can_run_in_slabs(steps);
  return in_slabs ? 0 : memory;
}

void check_memory_of_series(const SeriesOptions& series, const std::string& input,
                            const std::string& output, std::uint64_t memory) {
  if (!series.given() || memory == 0) return;
  if (!has_apr_ending(input) || !has_apr_ending(output)) wrong_usage("--memory", kOfSeries);
}

Status run_series_in_slabs(const SeriesOptions& series, const SlabCommand& command,
                           Session& session) {
  // The input that a recipe names is known no sooner.
  if (!has_apr_ending(command.input.path)) {
    return Error{std::string("is no .apr, and --memory ") + kOfSeries, command.input.path,
                 "leave it out"};
  }
  const auto info = inspect_input(command.input, session.context());
  if (!info) return info.error();
  const auto parts = selections_of(series, command.input, *info);
  if (!parts) return parts.error();
  SlabRun run = command.run;
  run.begins = telling_of_cpu(session, kTooLarge);
  if (!command.input.voxel_size.empty()) {
    run.voxel = [&](const VoxelSize& of_file) { return chosen_voxel_size(command.input, of_file); };
  }
  const auto done = session.timed(command.name.c_str(), [&] {
    return apply_to_parts(command.steps, *info, *parts, run, session.backend(), command.output,
                          session.context());
  });
  if (!done) return done.error();
  std::vector<std::uint64_t> particles;
  for (const AppliedPart& one : *done) particles.push_back(one.particles);
  describe_series(*parts, particles, command.output, session);
  for (std::size_t i = 0; i < done->size(); ++i) {
    const std::int64_t slabs = (*done)[i].slabs;
    if (slabs > 0) session.report()["parts"][i]["slabs"] = slabs;
  }
  return {};
}

}  // namespace aprscope::cli

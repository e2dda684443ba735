#pragma once

#include <functional>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/shared/session.hpp"

namespace aprscope::cli {

/// The work that a parsed command line asks for; filled in by the command that was named.
struct Chosen {
  std::function<Status(Session&)> run;
  /// An interrupt does not end the work at once: it continues until its result can be kept.
  bool keeps_on_interrupt = false;
  /// Whether processes started by mpirun share the work; if not, each does all of it. Called before
  /// they connect, and only if there are several; none: they do not share it.
  std::function<bool()> is_shared;
};

/// Each adds one command to the application. When it is named, it checks its arguments (throwing
/// CLI::ValidationError, which is wrong usage) and leaves the work to do in `chosen`.
void add_info(CLI::App& app, Chosen& chosen);
void add_synth(CLI::App& app, Chosen& chosen);
void add_convert(CLI::App& app, Chosen& chosen);
void add_reconstruct(CLI::App& app, Chosen& chosen);
void add_filter(CLI::App& app, Chosen& chosen);
void add_psf(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_makers(CLI::App& app, Chosen& chosen);
void add_cells(CLI::App& app, Chosen& chosen);
void add_measures(CLI::App& app, Chosen& chosen);
void add_stitch(CLI::App& app, Chosen& chosen);
void add_render(CLI::App& app, Chosen& chosen);
void add_run(CLI::App& app, Chosen& chosen);
void add_batch(CLI::App& app, Chosen& chosen);
void add_bench(CLI::App& app, Chosen& chosen);

}  // namespace aprscope::cli

#include "app/cli/app.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>

#include "app/cli/bench/bench_deconvolution.hpp"
#include "app/cli/commands/deconvolve.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/interrupt.hpp"
#include "app/cli/shared/options.hpp"
#include "core/base/memory_end.hpp"
#include "core/base/memory_error.hpp"
#include "core/base/printable.hpp"
#include "core/base/system.hpp"
#include "core/io/formats.hpp"
#include "core/pipeline/device_names.hpp"
#include "core/ranks/launch.hpp"
#include "gpu/engines/devices.hpp"

namespace aprscope::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

// Prints a message as one line on stderr, even if it contains line breaks.
void complain(const std::string& message) {
  std::fprintf(stderr, "aprscope-cli: %s\n", printable_line(message).c_str());
}

int fail(const Error& error) {
  complain(error.message());
  return kFailed;
}

bool is_device(const std::string& name) {
  if (name == "auto" || name == "cpu") return true;
  return named_gpus(name).has_value();
}

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_flag("--json", options.json, "Print one JSON object on stdout");
  app.add_flag("--quiet", options.quiet, "Print nothing but errors and --json");
  app.add_flag("--force", options.force, "Let an output replace a file that it is made from");
  app.add_option("--ome-zarr", options.ome_zarr,
                 "Version of .zarr outputs: 0.4 (default) or 0.5, which takes few files")
      ->type_name("VERSION")
      ->transform(CLI::CheckedTransformer(std::map<std::string, OmeZarrVersion>{
          {"0.4", OmeZarrVersion::v04}, {"0.5", OmeZarrVersion::v05}}))
      ->option_text("VERSION");
  app.add_option("--tiff-packing", options.tiff_packing,
                 "How images are packed in .tif outputs: deflate (default), zstd, which ImageJ "
                 "does not open, "
                 "or none")
      ->type_name("WORD")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, TiffPacking>{{"deflate", TiffPacking::deflate},
                                             {"zstd", TiffPacking::zstd},
                                             {"none", TiffPacking::none}}))
      ->option_text("WORD");
  app.add_option("--device", options.device,
                 "auto | cpu | cuda:N | cuda:0,1 | cuda:all (default auto)")
      ->type_name("DEVICE")
      ->check([](const std::string& name) {
        return is_device(name) ? ""
                               : name +
                                     " is not a device; use auto, cpu, cuda:N, several as "
                                     "cuda:0,1, or cuda:all";
      });
  app.add_option("--threads", options.threads, "Threads to use; 0 = all cores (default)")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
}

// Whether this host computes. Not if the job is submitted to a cluster, which has its own devices.
bool computes_here(const CLI::App& app) {
  return app.get_subcommand("run")->count("--submit") == 0;
}

// The device to use. For "auto" with several processes on a host, they take its GPUs by turns.
Result<ChosenBackend> choose_for(const GlobalOptions& options) {
  const std::size_t gpus = options.ranks != nullptr ? gpu_inventory().devices.size() : 0;
  if (options.device == "auto" && gpus > 0) {
    const auto mine = static_cast<std::size_t>(options.ranks->place().local_rank) % gpus;
    const int index = gpu_inventory().devices[mine].index;
    if (auto chosen = choose_backend("cuda:" + std::to_string(index))) return chosen;
  }
  return choose_backend(options.device);
}

// Processes that may run on the same processors share them.
int threads_for_this_process(const GlobalOptions& options) {
  if (options.threads > 0 || options.ranks == nullptr) return options.threads;
  return std::max(1, thread_count() / std::max(1, options.ranks->place().sharing));
}

// The reason of a SIGTERM: mpirun and srun send it to all processes when one ends, or on Ctrl-C.
Error ended_by_launcher() {
  return {"ended by mpirun or srun: another process has ended, or the job was cancelled", "", "",
          ErrorKind::cancelled};
}

// Runs the chosen command. Covers all that can fail before the session could report how it ended.
Status do_chosen(const Chosen& chosen, GlobalOptions& options, const CLI::App& app,
                 const std::stop_token& stop, std::unique_ptr<Session>& session) {
  set_thread_count(threads_for_this_process(options));
  const auto backend = computes_here(app) ? choose_for(options) : choose_backend("cpu");
  if (!backend) return backend.error();
  options.device_reason = backend->reason;
  options.has_gpu = !gpu_inventory().devices.empty();
  // Tells why it is not a GPU if the user chose a device, or if the machine has a GPU.
  const bool helper = options.ranks != nullptr && !options.ranks->is_first();
  if ((app.count("--device") > 0 || options.has_gpu) && !options.quiet && !helper &&
      !backend->reason.empty()) {
    complain("computing on the CPU: " + backend->reason);
  }
  session = std::make_unique<Session>(options, backend->backend, stop);
  return chosen.run(*session);
}

// Runs the command with other processes. If it fails, the others are told, or they would wait.
Status do_shared(const Chosen& chosen, GlobalOptions& options, const CLI::App& app,
                 const std::stop_token& stop, std::unique_ptr<Session>& session) {
  Status done;
  try {
    done = with_memory_errors("this process",
                              [&] { return do_chosen(chosen, options, app, stop, session); });
  } catch (const std::exception& error) {
    done = Error{error.what(), "", "please report this with the command you gave"};
  }
  return options.ranks->part(done);
}

int work(int argc, char** argv) {
  const Launch launch = launch_of_this_process();
  InterruptWatcher interrupt(launch.count > 1 ? ended_by_launcher() : cancelled_error());
  CLI::App app{"Adaptive Particle Representations of 3-D images: convert, filter, compare, render.",
               "aprscope-cli"};
  GlobalOptions options;
  Chosen chosen;
  add_global_options(app, options);
  app.footer("Reads " + format_list() + ".");
  app.set_version_flag("--version", APRSCOPE_VERSION);
  app.require_subcommand(1);
  // Lets the global options follow the command too.
  app.fallthrough();
  add_info(app, chosen);
  add_synth(app, chosen);
  add_convert(app, chosen);
  add_reconstruct(app, chosen);
  add_filter(app, chosen);
  add_psf(app, chosen);
  add_deconvolve(app, chosen);
  add_compare(app, chosen);
  add_stitch(app, chosen);
  add_makers(app, chosen);
  add_cells(app, chosen);
  add_measures(app, chosen);
  add_render(app, chosen);
  add_run(app, chosen);
  add_batch(app, chosen);
  add_bench(app, chosen);
  add_bench_deconvolution_alone(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    complain(std::string(error.what()) + " (see --help)");
    return kWrongUsage;
  }

  std::unique_ptr<Ranks> ranks;
  if (launch.count > 1) {
    if (chosen.is_shared && chosen.is_shared()) {
      // Only the first process writes to the terminal and reports how the job ended.
      if (launch.rank > 0) interrupt.be_quiet();
      auto connected = connect_ranks(launch);
      if (!connected) return launch.rank > 0 ? kFailed : fail(connected.error());
      ranks = *std::move(connected);
      options.ranks = ranks.get();
    } else if (launch.rank == 0 && !options.quiet) {
      // Processes may run different commands, if a script that mpirun or srun started calls this.
      complain(unshared_sentence(launch.count));
    }
  }
  if (chosen.keeps_on_interrupt) interrupt.be_patient();
  std::unique_ptr<Session> session;
  const auto work_on = ranks ? do_shared : do_chosen;
  const Status done = work_on(chosen, options, app, interrupt.token(), session);
  if (launch.rank > 0 && ranks) return kDone;
  interrupt.settle();
  if (session) session->clear_progress();
  if (!done) return fail(done.error().cancelled() ? interrupt.reason() : done.error());
  if (!session->finish()) {
    return fail({"cannot be written", "standard output", "check where it is redirected to"});
  }
  return kDone;
}

}  // namespace

int run(int argc, char** argv) {
  end_with_a_sentence_without_memory("aprscope-cli");
  try {
    if (!cpu_supported()) {
      return fail({"this processor lacks AVX2, FMA or BMI2", cpu_name(),
                   "use a machine built since about 2013"});
    }
    return work(argc, argv);
  } catch (const std::bad_alloc&) {
    // There may be no memory for a message either.
    std::fputs("aprscope-cli: does not fit into memory; close other programs or use smaller data\n",
               stderr);
    return kFailed;
  } catch (const std::exception& error) {
    return fail({error.what(), "", "please report this with the command you gave"});
  }
}

}  // namespace aprscope::cli

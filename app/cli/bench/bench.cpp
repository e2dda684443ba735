#include "app/cli/bench/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "app/cli/bench/bench_cells.hpp"
#include "app/cli/bench/bench_cells_page.hpp"
#include "app/cli/bench/bench_deconvolution.hpp"
#include "app/cli/bench/bench_page.hpp"
#include "app/cli/bench/bench_projections.hpp"
#include "app/cli/bench/bench_reconstruction.hpp"
#include "app/cli/bench/bench_topology.hpp"
#include "app/cli/bench/experiment.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/options.hpp"
#include "core/apr/structure/tile.hpp"
#include "core/base/atomic_file.hpp"
#include "core/image/synthetic.hpp"

namespace aprscope::cli {
namespace {

Result<Data> tiled(Data data, const BenchOptions& options, const std::string& path) {
  if (options.tile_to == 0) return data;
  const auto* apr = std::get_if<Apr>(&data);
  if (apr == nullptr) {
    return Error{"is a pixel image, and only an APR can be tiled", path, "leave --tile-to out"};
  }
  const Size3& size = apr->access->size();
  const std::int64_t largest = std::max({size.z, size.x, size.y});
  if (options.tile_to % largest != 0) {
    return Error{"cannot be tiled from " + std::to_string(largest) + " to " +
                     std::to_string(options.tile_to),
                 path, "use a power of two times its size"};
  }
  auto tiles = tile(*apr, static_cast<int>(options.tile_to / largest));
  if (!tiles) return tiles.error();
  return Data{*std::move(tiles)};
}

Result<BenchCase> file_case(const std::string& path, const BenchOptions& options,
                            Session& session) {
  InputOptions input;
  input.path = path;
  auto data = load_input(input, session);
  if (!data) return data.error();
  auto larger = tiled(*std::move(data), options, path);
  if (!larger) return larger.error();
  std::string name = std::filesystem::path(path).stem().string();
  if (options.tile_to > 0) name += "@" + std::to_string(options.tile_to);
  return BenchCase{std::move(name), *std::move(larger)};
}

Result<BenchCase> synthetic_case(const BenchOptions& options, Session& session) {
  SyntheticOptions synthetic;
  synthetic.size = options.size;
  auto volume = make_synthetic(options.kind, synthetic, session.context());
  if (!volume) return volume.error();
  return BenchCase{options.kind, *std::move(volume)};
}

// The command that repeats this run; names of files without their folders.
std::string repeat_command(const BenchOptions& options, const std::string& device) {
  std::string command = "aprscope-cli bench " + options.what;
  for (const std::string& path : options.inputs) {
    command += " --input " + std::filesystem::path(path).filename().string();
  }
  if (options.inputs.empty()) {
    command += " --kind " + options.kind + " --size " + std::to_string(options.size.z) + "," +
               std::to_string(options.size.x) + "," + std::to_string(options.size.y);
  }
  if (options.tile_to > 0) command += " --tile-to " + std::to_string(options.tile_to);
  command += " --repeats " + std::to_string(options.repeats);
  if (device != "cpu") command += " --device " + device;
  if (options.dense) command += " --dense";
  return command;
}

struct Benchmark {
  const char* name;
  Status (*cpu)(const BenchCase&, BenchTable&, Session&);
  /// Null: the benchmark runs on the CPU, whatever the device.
  Status (*gpu)(const BenchCase&, BenchTable&, Session&);
};
constexpr Benchmark kBenchmarks[] = {
    {"convolution", bench_convolution, bench_gpu},
    {"conversion", bench_conversion, bench_gpu_conversion},
    {"deconvolution", bench_deconvolution, bench_gpu_deconvolution},
    {"raycast", bench_raycast, nullptr},
    {"io", bench_io, nullptr},
    {"topology", bench_topology, bench_gpu_topology},
    {"cells", bench_cells, bench_gpu_cells},
    {"projections", bench_projections, bench_gpu_projections},
    {"reconstruction", bench_reconstruction, bench_reconstruction},
};

const Benchmark* find_benchmark(const std::string& name) {
  for (const Benchmark& b : kBenchmarks) {
    if (name == b.name) return &b;
  }
  return nullptr;
}

std::string benchmark_names(const char* between, const char* last) {
  std::string names;
  for (const Benchmark& b : kBenchmarks) {
    if (!names.empty()) names += &b == std::end(kBenchmarks) - 1 ? last : between;
    names += b.name;
  }
  return names;
}

// Stands in the help above the formats that are read, as a list like that of options.
std::string metrics_of_the_report() {
  return "Metrics of the report:\n"
         "  ratio_to_pixels             Seconds of the same work on pixels, measured in the same "
         "run, ÷ seconds\n"
         "  fraction_of_limit           Shortest possible time ÷ seconds. The shortest possible "
         "time is that for the bytes that must be moved or for the products that must be added, "
         "whichever is longer, at the rates measured in the same run\n"
         "  effective_gb_per_second     Bytes of the f32 pixel image ÷ seconds\n";
}

std::string page_of(const std::string& what, const Json& report, const std::string& command,
                    bool on_gpu) {
  if (what == "cells") return cells_page(report, command);
  if (what == "topology" && !on_gpu) return topology_page(report, command);
  return bench_page(report, what, command);
}

Status bench(const BenchOptions& options, Session& session) {
  if (options.what == "conversion") {
    for (const std::string& path : options.inputs) {
      const auto info = inspect(path);
      if (!info) return info.error();
      if (info->is_apr) {
        return Error{"is an APR already", path, "benchmark the conversion of pixel images"};
      }
    }
  }
  const Benchmark& chosen = *find_benchmark(options.what);
  const bool cuda = session.backend().id().rfind("cuda:", 0) == 0;
  const bool on_gpu = cuda && chosen.gpu != nullptr;
  Machine machine = measure_machine(session);
  if (on_gpu) {
    if (Status known = add_gpu_facts(machine, session); !known) return known;
  }
  BenchTable table(session, std::move(machine), options);
  const auto run = on_gpu ? chosen.gpu : chosen.cpu;
  // Cases are made one after the other, so that only one is in memory.
  const std::size_t count = std::max<std::size_t>(1, options.inputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto item = options.inputs.empty() ? synthetic_case(options, session)
                                             : file_case(options.inputs[i], options, session);
    if (!item) return item.error();
    if (Status done = run(*item, table, session); !done) return done;
  }
  if (!options.page.empty()) {
    const std::string command = repeat_command(options, session.backend().id());
    std::string page = page_of(options.what, session.report(), command, on_gpu);
    if (options.what == "deconvolution" && !on_gpu) page += deconvolution_notes(session.report());
    return write_text_atomically(options.page, page);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const Dataset>> apr_of(const BenchCase& item, Session& session) {
  Apr apr;
  if (const auto* given = std::get_if<Apr>(&item.data)) {
    apr = *given;
  } else {
    auto made =
        session.backend().run({"convert", {}}, *Dataset::create(item.data), session.context());
    if (!made) return made.error();
    apr = std::get<Apr>(*std::move(made));
  }
  const auto field = apr.main_field();
  if (!field) {
    return Error{"has no particle values", item.name, "open a file with a particle field"};
  }
  apr.fields = {std::make_shared<const Field>(Field{field->name, field->to_float()})};
  apr.tree_fields.clear();
  return Dataset::create(std::move(apr));
}

Result<std::shared_ptr<const Dataset>> image_of(const BenchCase& item, Session& session) {
  if (std::holds_alternative<Volume>(item.data)) return Dataset::create(item.data);
  auto image =
      session.backend().run({"reconstruct", {}}, *Dataset::create(item.data), session.context());
  if (!image) return image.error();
  return Dataset::create(*std::move(image));
}

void add_bench(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "bench", "Measure how fast this machine computes, on pixels and on particles");
  command->footer(metrics_of_the_report);
  auto options = std::make_shared<BenchOptions>();
  auto experiments = std::make_shared<ExperimentOptions>();
  auto size = std::make_shared<std::string>();
  command->add_option("WHAT", options->what, benchmark_names(" | ", " | "))
      ->required()
      ->check([](const std::string& what) -> std::string {
        if (find_benchmark(what) != nullptr) return "";
        return what + " is not a benchmark; use " + benchmark_names(", ", " or ");
      });
  command
      ->add_option("--input", options->inputs,
                   "File to measure on, may be repeated (default: a synthetic image)")
      ->type_name("FILE");
  command->add_option("--kind", options->kind, "Kind of the synthetic image (default cells)")
      ->check(CLI::IsMember(synthetic_kinds()));
  command->add_option("--size", *size, "Size of the synthetic image (default 128,256,256)")
      ->type_name("Z,X,Y");
  command->add_option("--tile-to", options->tile_to, "Repeat each APR up to this size")
      ->check(CLI::Range(2, 65536))
      ->type_name("N");
  command->add_option("--repeats", options->repeats, "Timed runs of each row (default 5)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--page", options->page, "Also write the results as a page of Markdown")
      ->type_name("FILE.md");
  command->add_flag("--dense", options->dense, "Also a dense stencil of 13x13x13 (slow on pixels)");
  command
      ->add_option("--experiment", experiments->names,
                   "With deconvolution: a paper's experiment, may be repeated")
      ->check(CLI::IsMember(experiment_names()));
  command->add_option("--seed", experiments->seed, "Seed of an experiment (default 1)");
  command->add_option("--iterations", experiments->iterations, "Iterations of an experiment")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--curve", experiments->curve,
                   "Iterations of the cylinders' error curve (default 500), 0: none")
      ->check(CLI::Range(0, 100000));
  command
      ->add_option("--method", experiments->methods,
                   "Only these methods of an experiment, may be repeated")
      ->check(CLI::IsMember(experiment_methods()));
  command->callback([options, experiments, size, &chosen] {
    if (!experiments->names.empty()) {
      if (options->what != "deconvolution") wrong_usage("--experiment", "goes with deconvolution");
      experiments->page = options->page;
      chosen.run = [experiments](Session& session) {
        return bench_experiments(*experiments, session);
      };
      return;
    }
    if (!size->empty()) options->size = size_from("--size", *size);
    if (options->tile_to > 0 && options->inputs.empty()) {
      wrong_usage("--tile-to", "needs --input with an .apr");
    }
    chosen.run = [options](Session& session) { return bench(*options, session); };
  });
}

}  // namespace aprscope::cli

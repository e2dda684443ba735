#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/session.hpp"
#include "core/filter/stencil_pyramid.hpp"

namespace aprscope::cli {

struct BenchOptions {
  std::string what;
  std::vector<std::string> inputs;
  std::string kind = "cells";
  Size3 size{128, 256, 256};
  std::int64_t tile_to = 0;
  int repeats = 5;
  bool dense = false;
  std::string page;
};

/// The data of a benchmark: its name, and either an image or an APR.
struct BenchCase {
  std::string name;
  Data data;
};

/// The machine, with its limits as measured in this run: copying memory, multiplying and adding.
struct Machine {
  Json facts = Json::object();
  double copy_bytes_per_second = 0.0;
  double multiply_adds_per_second = 0.0;
};
Machine measure_machine(const Session& session);
/// Adds the session's GPU; rates then are relative to its copy rate. Errors: there is no GPU.
Status add_gpu_facts(Machine& machine, const Session& session);

/// One line of the table. Rates are relative to the fastest possible: `moved` counts the bytes that
/// must be read and written at least, `products` the multiply–adds needed at least;
/// fraction_of_limit is the time for the slower of both, at the machine's limits, ÷ seconds.
struct Row {
  std::string name;
  std::string op;
  std::string stencil;
  std::string mode;
  std::uint64_t particles = 0;
  std::uint64_t pixels = 0;
  std::uint64_t bytes = 0;
  std::uint64_t moved = 0;
  /// Median seconds of the same work on pixels in this run; 0: it was not run on pixels.
  double pixel_seconds = 0.0;
  std::uint64_t products = 0;
  /// Peak memory of the work beyond its input; none: not measured.
  std::optional<std::uint64_t> peak_bytes{};
};

/// Collects rows into the report.
class BenchTable {
 public:
  BenchTable(Session& session, Machine machine, const BenchOptions& options);

  [[nodiscard]] const BenchOptions& options() const { return options_; }

  struct Times {
    double median = 0.0;
    double minimum = 0.0;
  };
  /// Runs `work` once to warm up and then `repeats` times. `before` runs before each of these and
  /// is not timed. Errors: those of both, cancelled.
  Result<Times> measure(const std::function<Status()>& work,
                        const std::function<Status()>& before = {}) const;
  void add(const Row& row, const Times& times);
  [[nodiscard]] int repeats() const { return options_.repeats; }

 private:
  Session& session_;
  Machine machine_;
  BenchOptions options_;
};

/// The case as an APR with f32 values / as an image.
Result<std::shared_ptr<const Dataset>> apr_of(const BenchCase& item, Session& session);
Result<std::shared_ptr<const Dataset>> image_of(const BenchCase& item, Session& session);

/// The number of multiply–adds for all particles, each with the stencil of its level.
std::uint64_t products_of(const AprAccess& access, const StencilPyramid& pyramid);
/// A stencil of n³ with a sharp core in a wide halo: symmetric, but not separable.
Stencil symmetric_stencil(std::int64_t n);

/// Adds what somebody at the window waits for, on the session's device: after an edit of a
/// Gaussian, its three slices through a point, from the operation to their coloured pixels; and
/// when it is applied, the whole result in memory.
Status bench_window(const BenchCase& item, BenchTable& table, Session& session);

Status bench_convolution(const BenchCase& item, BenchTable& table, Session& session);
/// As bench_convolution(), on the session's GPU with resident data, timed by events on the device.
Status bench_gpu(const BenchCase& item, BenchTable& table, Session& session);
Status bench_gpu_conversion(const BenchCase& item, BenchTable& table, Session& session);
Status bench_gpu_deconvolution(const BenchCase& item, BenchTable& table, Session& session);
/// For an APR, measures its particles and its pixels; of an image, only the size matters.
Status bench_gpu_topology(const BenchCase& item, BenchTable& table, Session& session);
/// Of the image, only the size matters.
Status bench_gpu_cells(const BenchCase& item, BenchTable& table, Session& session);
Status bench_conversion(const BenchCase& item, BenchTable& table, Session& session);
Status bench_raycast(const BenchCase& item, BenchTable& table, Session& session);
Status bench_io(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli

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

/// What a benchmark runs on: a name, and the image or the APR of it.
struct BenchCase {
  std::string name;
  Data data;
};

/// What this machine is, with its limits measured now: copying memory, multiplying and adding.
struct Machine {
  Json facts = Json::object();
  double copy_bytes_per_second = 0.0;
  double multiply_adds_per_second = 0.0;
};
Machine measure_machine(const Session& session);
/// Adds what the session's GPU is; rates then are relative to its copy rate. Errors: it has none.
Status add_gpu_facts(Machine& machine, const Session& session);

/// One line of the table. Rates are relative to the fastest possible: `moved` is what the work must
/// read and write at the least, `products` what it must multiply and add; fraction_of_limit is how
/// long the slower of both would take ÷ seconds.
struct Row {
  std::string name;
  std::string op;
  std::string stencil;
  std::string mode;
  std::uint64_t particles = 0;
  std::uint64_t pixels = 0;
  std::uint64_t bytes = 0;
  std::uint64_t moved = 0;
  /// Median seconds of the same work on pixels in this run; 0 = there is none.
  double pixel_seconds = 0.0;
  std::uint64_t products = 0;
  /// The most memory that it takes beyond what it is given; none: not looked at.
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
  /// Runs `work` once to warm up and then `repeats` times; before each of them, without being
  /// timed, `before`. Errors: of both, cancelled.
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

/// Multiply–adds at all particles with the stencil of their level, as it is applied.
std::uint64_t products_of(const AprAccess& access, const StencilPyramid& pyramid);
/// A sharp core in a wide halo of n³: symmetric, but no product of factors.
Stencil symmetric_stencil(std::int64_t n);

Status bench_convolution(const BenchCase& item, BenchTable& table, Session& session);
/// The same on the session's GPU, timed by events on the device, everything resident.
Status bench_gpu(const BenchCase& item, BenchTable& table, Session& session);
Status bench_gpu_conversion(const BenchCase& item, BenchTable& table, Session& session);
Status bench_gpu_deconvolution(const BenchCase& item, BenchTable& table, Session& session);
/// Of an APR, its particles and pixels; of an image, only how large it is.
Status bench_gpu_topology(const BenchCase& item, BenchTable& table, Session& session);
/// Only how large the image is matters.
Status bench_gpu_cells(const BenchCase& item, BenchTable& table, Session& session);
Status bench_conversion(const BenchCase& item, BenchTable& table, Session& session);
Status bench_raycast(const BenchCase& item, BenchTable& table, Session& session);
Status bench_io(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli

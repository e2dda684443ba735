#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/bench_rate.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Bytes read plus bytes written per second by all threads together: the best of several copies of
// arrays that are larger than any cache.
double copy_rate() {
  constexpr std::size_t kBytes = std::size_t{128} << 20U;
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes, 2);
  const auto threads = static_cast<std::size_t>(thread_count());
  double best = 1e30;
  for (int i = 0; i < 7; ++i) {
    const auto start = Clock::now();
    parallel_for(
        static_cast<std::int64_t>(threads), static_cast<int>(threads), [&](std::int64_t item) {
          const auto part = static_cast<std::size_t>(item);
          const std::size_t begin = kBytes / threads * part;
          const std::size_t end = part + 1 == threads ? kBytes : kBytes / threads * (part + 1);
          std::memcpy(to.data() + begin, from.data() + begin, end - begin);
        });
    best = std::min(best, seconds_since(start));
  }
  return 2.0 * static_cast<double>(kBytes) / best;
}

// Multiply–adds per second of all threads together, the best of several runs.
double arithmetic_rate() {
  constexpr std::int64_t kRounds = 4'000'000;
  const int threads = thread_count();
  double best = 0.0;
  for (int i = 0; i < 5; ++i) {
    std::atomic<std::int64_t> done{0};
    std::atomic<float> results{0.0F};
    const auto start = Clock::now();
    parallel_for(threads, threads, [&](std::int64_t) {
      float result = 0.0F;
      done += multiply_adds(kRounds, &result);
      results += result;
    });
    // Adds the sums, which are 0, so that the compiler cannot remove the work.
    best = std::max(best, static_cast<double>(done.load()) / seconds_since(start) +
                              static_cast<double>(results.load()));
  }
  return best;
}

}  // namespace

Machine measure_machine(const Session& session) {
  Machine machine;
  machine.copy_bytes_per_second = copy_rate();
  machine.facts["cpu"] = cpu_name();
  machine.facts["cores"] = std::thread::hardware_concurrency();
  machine.facts["copy_gb_per_second"] = machine.copy_bytes_per_second / 1e9;
  machine.multiply_adds_per_second = arithmetic_rate();
  machine.facts["multiply_adds_g_per_second"] = machine.multiply_adds_per_second / 1e9;
  machine.facts["device"] = session.backend().name();
  machine.facts["commit"] = APRSCOPE_COMMIT;
  return machine;
}

BenchTable::BenchTable(Session& session, Machine machine, const BenchOptions& options)
    : session_(session), machine_(std::move(machine)), options_(options) {
  session_.report()["machine"] = machine_.facts;
  session_.report()["rows"] = Json::array();
}

Result<BenchTable::Times> BenchTable::measure(const std::function<Status()>& work,
                                              const std::function<Status()>& before) const {
  const auto make_ready = [&]() -> Status { return before ? before() : Status(); };
  if (Status ready = make_ready(); !ready) return ready.error();
  if (Status warm = work(); !warm) return warm.error();
  std::vector<double> seconds;
  for (int i = 0; i < options_.repeats; ++i) {
    if (session_.context().stop_requested()) return cancelled_error();
    if (Status ready = make_ready(); !ready) return ready.error();
    const auto start = Clock::now();
    if (Status done = work(); !done) return done.error();
    seconds.push_back(seconds_since(start));
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t half = seconds.size() / 2;
  const double median =
      seconds.size() % 2 == 1 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]);
  return Times{median, seconds.front()};
}

void BenchTable::add(const Row& row, const Times& times) {
  const auto per_second = [&](double amount) { return amount / times.median; };
  const auto particles = static_cast<double>(row.particles);
  const double least =
      std::max(static_cast<double>(row.moved) / machine_.copy_bytes_per_second,
               static_cast<double>(row.products) / machine_.multiply_adds_per_second);
  auto json = Json::object();
  json["case"] = row.name;
  json["op"] = row.op;
  json["stencil"] = row.stencil;
  json["mode"] = row.mode;
  json["seconds_median"] = times.median;
  json["seconds_min"] = times.minimum;
  json["repeats"] = options_.repeats;
  json["pixels"] = row.pixels;
  json["particles_per_second"] = row.particles > 0 ? Json(per_second(particles)) : Json(nullptr);
  json["computational_ratio"] =
      row.particles > 0 ? Json(static_cast<double>(row.pixels) / particles) : Json(nullptr);
  json["effective_gb_per_second"] = per_second(static_cast<double>(row.pixels) * 4e-9);
  json["ratio_to_pixels"] =
      row.pixel_seconds > 0.0 ? Json(row.pixel_seconds / times.median) : Json(nullptr);
  json["fraction_of_limit"] =
      row.moved > 0 || row.products > 0 ? Json(per_second(least)) : Json(nullptr);
  json["bytes"] = row.bytes;
  json["peak_bytes"] = row.peak_bytes ? Json(*row.peak_bytes) : Json(nullptr);
  session_.report()["rows"].push_back(std::move(json));
}

}  // namespace aprscope::cli

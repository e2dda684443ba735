#include "app/cli/bench/bench_page.hpp"

#include "core/base/printed.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

using Json = nlohmann::ordered_json;

// A number of a row, scaled and formatted; empty if the row has no such number.
std::string number(const Json& row, const char* key, double scale, const char* format) {
  const Json& value = row.at(key);
  return value.is_number() ? printed(format, value.get<double>() * scale) : "";
}

std::string fact(const Json& machine, const char* key, const char* format) {
  return machine.contains(key) ? printed(format, machine.at(key).get<double>()) : "?";
}

}  // namespace

std::string bench_page_head(const Json& report, const std::string& what,
                            const std::string& command) {
  const Json& machine = report.at("machine");
  std::string page = "# Benchmark: " + what + "\n\n";
  page += "Measured on " + machine.at("cpu").get<std::string>() + " (" +
          machine.at("device").get<std::string>() + ", " +
          std::to_string(machine.at("cores").get<unsigned>()) + " cores), commit `" +
          machine.at("commit").get<std::string>() + "`. In the same run: copying memory " +
          fact(machine, "copy_gb_per_second", "%.1f") + " GB/s (read + written), " +
          fact(machine, "multiply_adds_g_per_second", "%.0f") +
          " G multiply–adds of floats a second. Seconds depend on the machine and on what else it "
          "does; compare ratios within one run.\n\n";
  if (machine.contains("gpu")) {
    const Json& gpu = machine.at("gpu");
    page += "GPU: " + gpu.at("name").get<std::string>() + ", " +
            fact(gpu, "multiprocessors", "%.0f") + " multiprocessors, highest clocks " +
            fact(gpu, "core_clock_mhz", "%.0f") + " MHz (cores) and " +
            fact(gpu, "memory_clock_mhz", "%.0f") + " MHz (memory), driver for CUDA " +
            gpu.at("driver_cuda").get<std::string>() + ", CUDA runtime " +
            gpu.at("runtime_cuda").get<std::string>() + "; its memory copies " +
            fact(gpu, "copy_gb_per_second", "%.0f") +
            " GB/s, and its limits are the ones below. Times are between events on the device, "
            "or by the clock of the host where a row ends there; transfers are left out unless the "
            "row is one or ends on the host, trees are included, and what a call has to prepare in "
            "rows `filter`.\n\n";
  }
  return page + "Repeat with\n```sh\n" + command + "\n```\n";
}

std::string bench_page(const Json& report, const std::string& what, const std::string& command) {
  std::string page = bench_page_head(report, what, command);
  page +=
      "**÷ pixels**: time of the same filter on the pixels of the same image ÷ time. **Limit**: "
      "time for the bytes that must be moved at the least, or for the products that must be "
      "added, whichever is longer, at the rates above ÷ time. Products are those of the scheme "
      "that "
      "is used: three passes where a stencil separates; one for all weights that are mirror images "
      "of each other, whose additions are not counted; none for transforms. **GB/s**: bytes of the "
      "float pixel image ÷ time.\n\n";
  page +=
      "| case | what | stencil | mode | median ms | min ms | M particles/s | GB/s | ÷ pixels | "
      "limit | memory |\n|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const Json& row : report.at("rows")) {
    page += "| " + row.at("case").get<std::string>() + " | " + row.at("op").get<std::string>() +
            " | " + row.at("stencil").get<std::string>() + " | " +
            row.at("mode").get<std::string>() + " | " + number(row, "seconds_median", 1e3, "%.3f") +
            " | " + number(row, "seconds_min", 1e3, "%.3f") + " | " +
            number(row, "particles_per_second", 1e-6, "%.0f") + " | " +
            number(row, "effective_gb_per_second", 1.0, "%.2f") + " | " +
            number(row, "ratio_to_pixels", 1.0, "%.2f") + " | " +
            number(row, "fraction_of_limit", 100.0, "%.0f %%") + " | " +
            format_bytes(row.at("bytes").get<std::uint64_t>()) + " |\n";
  }
  return page;
}

}  // namespace aprscope::cli

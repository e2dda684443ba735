#include "app/cli/bench/bench_topology.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "app/cli/bench/bench_page.hpp"
#include "core/base/parallel.hpp"
#include "core/base/printed.hpp"

namespace aprscope::cli {
namespace {

// Images with values from 0 to 1: noise whose values never repeat, waves of a smooth image on an
// empty background, and a camera's offset with its noise.
float noise(const Index3&, std::mt19937_64& random) {
  return static_cast<float>(static_cast<double>(random() >> 11U) * 0x1p-53);
}
float smooth(const Index3& at, std::mt19937_64&) {
  const auto z = static_cast<float>(at.z);
  const auto x = static_cast<float>(at.x);
  const auto y = static_cast<float>(at.y);
  const float wave =
      std::sin(0.031F * z) * std::cos(0.023F * x + 0.01F * z) * std::sin(0.017F * y + 0.5F) +
      0.4F * std::sin(0.05F * x + 0.03F * y);
  return std::max(0.0F, wave) / 1.5F;
}
float camera(const Index3&, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  float sum = 0.0F;
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<float>(bits >> (16 * i) & 0xFFFFU);
  return 0.1F + 0.005F * (sum / 65536.0F - 2.0F);
}
using Values = float (*)(const Index3&, std::mt19937_64&);

// The image in type T. A camera's noise covers as many grey values in 8 bits as in 12.
template <class T>
Volume image_of_values(const Size3& size, Values values) {
  Pixels<T> pixels(size);
  std::mt19937_64 random(1);
  std::size_t i = 0;
  float scale = 1.0F;
  if constexpr (std::is_integral_v<T>) {
    scale = static_cast<float>(std::numeric_limits<T>::max());
    if (values == camera && sizeof(T) == 1) scale *= 8.0F;
  }
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        pixels.values[i++] = static_cast<T>(values({z, x, y}, random) * scale);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

// The image as 16-bit integers, if its values are integers in their range.
Volume narrowed(const Volume& volume) {
  const auto* reals = std::get_if<Pixels<float>>(&volume.pixels);
  const auto whole = [](float v) { return v >= 0.0F && v <= 65535.0F && v == std::floor(v); };
  if (reals == nullptr || !std::ranges::all_of(reals->values, whole)) return volume;
  Pixels<std::uint16_t> pixels(reals->size);
  std::ranges::transform(reals->values, pixels.values.begin(),
                         [](float v) { return static_cast<std::uint16_t>(v); });
  Volume out;
  out.voxel = volume.voxel;
  out.pixels = std::move(pixels);
  return out;
}

const char* type_of(const Volume& volume) {
  static const char* const kTypes[] = {"u8", "u16", "f32"};
  const bool byte = std::holds_alternative<Pixels<std::uint8_t>>(volume.pixels);
  const bool real = std::holds_alternative<Pixels<float>>(volume.pixels);
  return kTypes[byte ? 0 : real ? 2 : 1];
}

// Only reads the values: the time of reading is the least that counting takes.
std::uint64_t read_all(const Volume& volume) {
  std::atomic<std::uint64_t> sum{0};
  std::visit(
      [&](const auto& pixels) {
        const auto* const from = pixels.values.data();
        const auto words = static_cast<std::int64_t>(pixels.values.size() * sizeof(*from) / 8);
        parallel_stretches(words, thread_count(), [&](std::int64_t begin, std::int64_t end, int) {
          const auto* const bytes = reinterpret_cast<const char*>(from);
          std::uint64_t part = 0;
          for (std::int64_t i = begin; i < end; ++i) {
            std::uint64_t word = 0;
            __builtin_memcpy(&word, bytes + 8 * i, 8);
            part += word;
          }
          sum += part;
        });
      },
      volume.pixels);
  return sum;
}

Result<BenchTable::Times> time_operation(const Dataset& data, const char* construction,
                                         BenchTable& table, Session& session) {
  const Operation operation{"topology", {{"construction", std::string(construction)}}};
  return table.measure([&]() -> Status {
    const auto found = session.backend().measure(operation, data, session.context());
    return found ? Status() : found.error();
  });
}

// The median in seconds for the closed construction.
Result<double> bench_image(const std::string& name, const Volume& volume, BenchTable& table,
                           Session& session) {
  const auto data = Dataset::create(volume);
  Row row;
  row.name = name;
  row.stencil = type_of(volume);
  row.pixels = static_cast<std::uint64_t>(data->size().count());
  row.bytes = volume.bytes();
  row.op = "read";
  row.mode = "-";
  std::uint64_t sum = 0;
  const auto read = table.measure([&]() -> Status {
    sum += read_all(volume);
    return {};
  });
  if (!read) return read.error();
  // Uses the sum, so that the compiler cannot remove the work.
  if (sum != std::numeric_limits<std::uint64_t>::max()) table.add(row, *read);
  row.op = "pixels";
  double seconds = 0.0;
  for (const char* construction : {"v", "t"}) {
    const auto times = time_operation(*data, construction, table, session);
    if (!times) return times.error();
    row.mode = construction;
    table.add(row, *times);
    seconds = times->median;
  }
  return seconds;
}

template <class T>
Status bench_values(const char* name, Values values, const Size3& size, BenchTable& table,
                    Session& session) {
  const auto done = bench_image(name, image_of_values<T>(size, values), table, session);
  return done ? Status() : done.error();
}

Status bench_all_values(const Size3& size, BenchTable& table, Session& session) {
  const std::pair<const char*, Values> all[] = {
      {"noise", noise}, {"smooth", smooth}, {"camera", camera}};
  for (const auto& [name, values] : all) {
    if (Status s = bench_values<std::uint8_t>(name, values, size, table, session); !s) return s;
    if (Status s = bench_values<std::uint16_t>(name, values, size, table, session); !s) return s;
    if (Status s = bench_values<float>(name, values, size, table, session); !s) return s;
  }
  return {};
}

std::string cell(const Json& row, const char* key, double scale, const char* format) {
  const Json& value = row.at(key);
  return value.is_number() && value.get<double>() > 0.0
             ? printed(format, value.get<double>() * scale)
             : "";
}

// Goals with two threads: 10⁹ voxels a second with AVX-512 (a third of that without), or multiples
// of the time for the pixels of the same image.
struct Goal {
  const char* of;
  const char* type;
  double rate;
};
constexpr Goal kRates[] = {
    {"noise", "u8", 1.0}, {"smooth", "u8", 1.5}, {"noise", "u16", 0.6}, {"smooth", "u16", 1.2}};

std::string goal_line(const std::string& what, double goal, double found, double best) {
  return "| " + what + " | " + printed("%.2f", goal) + " | " + printed("%.2f", found) + " | " +
         printed("%.0f %%", 100.0 * found / goal) + " | " +
         (best > 0.0 ? printed("%.2f", best) : "") + " |\n";
}

// The goal of a row of the closed construction.
std::string goal_of(const Json& row, bool wide_vectors) {
  const std::string name = row.at("case").get<std::string>();
  const std::string type = row.at("stencil").get<std::string>();
  if (row.at("mode").get<std::string>() != "t") return "";
  if (row.at("op").get<std::string>() == "particles") {
    const double ratio = row.at("computational_ratio").get<double>();
    if (ratio < 3.0) return "";
    return goal_line(name + ", particles ÷ pixels", ratio >= 20.0 ? 10.0 : 1.0,
                     row.at("ratio_to_pixels").get<double>(), 0.0);
  }
  for (const Goal& goal : kRates) {
    if (name != goal.of || type != goal.type) continue;
    const double rate = row.at("effective_gb_per_second").get<double>() * 0.25;
    const double faster =
        row.at("seconds_median").get<double>() / row.at("seconds_min").get<double>();
    return goal_line(name + ", " + type + ", GVox/s", wide_vectors ? goal.rate : goal.rate / 3.0,
                     rate, rate * faster);
  }
  return "";
}

std::string goals(const Json& report) {
  const std::string device = report.at("machine").at("device").get<std::string>();
  const bool wide_vectors = device.find("AVX-512") != std::string::npos;
  std::string lines;
  for (const Json& row : report.at("rows")) lines += goal_of(row, wide_vectors);
  return lines.empty() ? ""
                       : "\n## Goals\nWhat is aimed at with two threads, and the median of the "
                         "runs; on a machine "
                         "that does other work the best run, too.\n\n| what | goal | measured | "
                         "reached | best run "
                         "|\n|---|--:|--:|--:|--:|\n" +
                             lines;
}

}  // namespace

Status bench_topology(const BenchCase& item, BenchTable& table, Session& session) {
  if (table.options().inputs.empty()) {
    if (Status s = bench_all_values(table.options().size, table, session); !s) return s;
  }
  const auto image = image_of(item, session);
  if (!image) return image.error();
  const auto pixels = bench_image(item.name, narrowed((*image)->volume()), table, session);
  if (!pixels) return pixels.error();
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  Row row;
  row.name = item.name;
  row.op = "particles";
  row.stencil = "f32";
  row.particles = (*apr)->apr().access->count();
  row.pixels = static_cast<std::uint64_t>((*apr)->size().count());
  row.bytes = (*apr)->apr().bytes();
  row.pixel_seconds = *pixels;
  for (const char* construction : {"v", "t"}) {
    const auto times = time_operation(**apr, construction, table, session);
    if (!times) return times.error();
    row.mode = construction;
    table.add(row, *times);
  }
  return {};
}

std::string topology_page(const Json& report, const std::string& command) {
  std::string page = bench_page_head(report, "topology", command);
  page +=
      "Times are of the whole measurement as it is asked for: values to levels, strata of all "
      "kinds "
      "(Euler characteristic and Minkowski functionals at once), curves and table. `read` only "
      "adds "
      "up the image. **CR**: pixels ÷ particles. **÷ pixels**: time on the pixels of the same "
      "image "
      "÷ time.\n\n"
      "| case | type | what | construction | median ms | min ms | GVox/s | M particles/s | CR | ÷ "
      "pixels |\n|---|---|---|---|--:|--:|--:|--:|--:|--:|\n";
  for (const Json& row : report.at("rows")) {
    page += "| " + row.at("case").get<std::string>() + " | " +
            row.at("stencil").get<std::string>() + " | " + row.at("op").get<std::string>() + " | " +
            row.at("mode").get<std::string>() + " | " + cell(row, "seconds_median", 1e3, "%.2f") +
            " | " + cell(row, "seconds_min", 1e3, "%.2f") + " | " +
            cell(row, "effective_gb_per_second", 0.25, "%.2f") + " | " +
            cell(row, "particles_per_second", 1e-6, "%.0f") + " | " +
            cell(row, "computational_ratio", 1.0, "%.1f") + " | " +
            cell(row, "ratio_to_pixels", 1.0, "%.2f") + " |\n";
  }
  return page + goals(report);
}

}  // namespace aprscope::cli

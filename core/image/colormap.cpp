#include "core/image/colormap.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

using Rgb = std::array<double, 3>;

std::array<std::uint8_t, 4> to_bytes(const Rgb& color) {
  std::array<std::uint8_t, 4> out{0, 0, 0, 255};
  for (std::size_t c = 0; c < 3; ++c) {
    out[c] = static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(color[c], 0.0, 1.0)));
  }
  return out;
}

// Polynomials of degree 6 fitted to matplotlib's perceptual maps (fits by M. Zucker, CC0).
ColorTable from_polynomial(const std::array<Rgb, 7>& coefficients) {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double t = static_cast<double>(i) / 255.0;
    Rgb color{};
    for (std::size_t k = coefficients.size(); k-- > 0;) {
      for (std::size_t c = 0; c < 3; ++c) color[c] = color[c] * t + coefficients[k][c];
    }
    table[i] = to_bytes(color);
  }
  return table;
}

// Linear between knots that are evenly spaced.
ColorTable from_knots(const std::vector<Rgb>& knots) {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double at = static_cast<double>(i) / 255.0 * static_cast<double>(knots.size() - 1);
    const auto k = std::min(static_cast<std::size_t>(at), knots.size() - 2);
    const double f = at - static_cast<double>(k);
    Rgb color{};
    for (std::size_t c = 0; c < 3; ++c) color[c] = knots[k][c] * (1 - f) + knots[k + 1][c] * f;
    table[i] = to_bytes(color);
  }
  return table;
}

// Sixteen hues that neighbours in the list tell apart, for the levels of particles.
ColorTable level_steps() {
  const std::vector<Rgb> hues{
      {0.16, 0.16, 0.22}, {0.27, 0.20, 0.40}, {0.30, 0.30, 0.62}, {0.20, 0.45, 0.75},
      {0.16, 0.60, 0.72}, {0.20, 0.70, 0.55}, {0.45, 0.78, 0.35}, {0.75, 0.82, 0.25},
      {0.97, 0.80, 0.22}, {0.98, 0.62, 0.20}, {0.95, 0.42, 0.22}, {0.86, 0.25, 0.30},
      {0.74, 0.18, 0.45}, {0.85, 0.45, 0.70}, {0.93, 0.70, 0.85}, {1.00, 0.93, 0.97}};
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = to_bytes(hues[i / 16]);
  return table;
}

const std::map<std::string, ColorTable>& tables() {
  static const std::map<std::string, ColorTable> all{
      {"grey", from_knots({{0, 0, 0}, {1, 1, 1}})},
      {"green", from_knots({{0, 0, 0}, {0.05, 0.75, 0.2}, {0.85, 1, 0.85}})},
      {"magenta", from_knots({{0, 0, 0}, {0.8, 0.1, 0.7}, {1, 0.87, 1}})},
      {"cyan", from_knots({{0, 0, 0}, {0.05, 0.65, 0.75}, {0.85, 1, 1}})},
      {"cividis", from_knots({{0, 0.13, 0.30},
                              {0.25, 0.30, 0.42},
                              {0.49, 0.48, 0.47},
                              {0.73, 0.68, 0.42},
                              {1.0, 0.92, 0.27}})},
      {"diverging", from_knots({{0.02, 0.19, 0.38},
                                {0.26, 0.58, 0.76},
                                {0.97, 0.97, 0.97},
                                {0.84, 0.38, 0.30},
                                {0.40, 0.0, 0.12}})},
      {"levels", level_steps()},
      {"viridis", from_polynomial({{{0.2777273, 0.0054073, 0.3340998},
                                    {0.1050930, 1.4046135, 1.3845902},
                                    {-0.3308618, 0.2148476, 0.0950952},
                                    {-4.6342305, -5.7991010, -19.3324410},
                                    {6.2282699, 14.1799334, 56.6905526},
                                    {4.7763850, -13.7451454, -65.3530326},
                                    {-5.4354559, 4.6458526, 26.3124352}}})},
      {"magma", from_polynomial({{{-0.0021365, -0.0007497, -0.0053861},
                                  {0.2516605, 0.6775232, 2.4940266},
                                  {8.3537173, -3.5777195, 0.3144679},
                                  {-27.6687331, 14.2647308, -13.6492132},
                                  {52.1761398, -27.9436061, 12.9441694},
                                  {-50.7685254, 29.0465828, 4.2341530},
                                  {18.6557051, -11.4897735, -5.6019615}}})},
      {"inferno", from_polynomial({{{0.0002189, 0.0016510, -0.0194809},
                                    {0.1065134, 0.5639564, 3.9327124},
                                    {11.6024931, -3.9728540, -15.9423941},
                                    {-41.7039961, 17.4363989, 44.3541452},
                                    {77.1629357, -33.4023589, -81.8073093},
                                    {-71.3194282, 32.6260643, 73.2095199},
                                    {25.1311262, -12.2426690, -23.0703250}}})}};
  return all;
}

// Tables that users brought. They are never changed or removed, so that references stay good.
struct AddedTables {
  std::mutex mutex;
  std::map<std::string, ColorTable> tables;
};
AddedTables& added() {
  static AddedTables all;
  return all;
}

}  // namespace

const std::vector<std::string>& colormap_names() {
  static const std::vector<std::string> names{"grey",  "viridis", "magma", "inferno",   "cividis",
                                              "green", "magenta", "cyan",  "diverging", "levels"};
  return names;
}

const ColorTable& colormap(const std::string& name) {
  if (const auto found = tables().find(name); found != tables().end()) return found->second;
  const std::scoped_lock lock(added().mutex);
  const auto found = added().tables.find(name);
  return found != added().tables.end() ? found->second : tables().at("grey");
}

std::string add_colormap(const std::string& name, const ColorTable& table) {
  const std::scoped_lock lock(added().mutex);
  std::string free = name;
  for (int number = 2;; ++number) {
    const auto first = tables().find(free);
    if (first != tables().end() && first->second == table) return free;
    if (first == tables().end()) {
      const auto [at, is_new] = added().tables.try_emplace(free, table);
      if (is_new || at->second == table) return free;
    }
    free = name + " " + std::to_string(number);
  }
}

std::vector<std::string> added_colormaps() {
  const std::scoped_lock lock(added().mutex);
  std::vector<std::string> names;
  for (const auto& [name, table] : added().tables) names.push_back(name);
  return names;
}

std::vector<std::uint8_t> apply_colormap(std::span<const float> values, const Contrast& contrast,
                                         const ColorTable& table,
                                         std::array<std::uint8_t, 4> nan_color) {
  std::vector<std::uint8_t> rgba(values.size() * 4);
  // The gamma curve over 4096 steps: a power a pixel would cost more than all the rest.
  std::vector<std::array<std::uint8_t, 4>> curve(4096);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double t = std::pow(static_cast<double>(i) / 4095.0, contrast.gamma);
    curve[i] = table[static_cast<std::size_t>(std::lround(255.0 * t))];
  }
  const bool step = !(contrast.high > contrast.low);
  const auto low = static_cast<float>(contrast.low);
  const float scale = step ? 0.0F : static_cast<float>(4095.0 / (contrast.high - contrast.low));
  const auto n = static_cast<std::int64_t>(values.size());
  parallel_for(n, n > 65536 ? thread_count() : 1, [&](std::int64_t i) {
    const float v = values[static_cast<std::size_t>(i)];
    const auto* color = nan_color.data();
    if (!std::isnan(v)) {
      const float t =
          step ? (v > low ? 4095.0F : 0.0F) : std::clamp((v - low) * scale, 0.0F, 4095.0F);
      // t ≥ 0, and lround() would be a call a pixel.
      color =
          curve[static_cast<std::size_t>(t + 0.5F)].data();  // NOLINT(bugprone-incorrect-roundings)
    }
    std::copy(color, color + 4, rgba.begin() + i * 4);
  });
  return rgba;
}

}  // namespace aprscope

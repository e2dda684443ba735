#include "core/data/paired.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

namespace aprscope {
namespace {

// Where the last bar of a histogram ends; it is as wide as the bar before it.
double end_of_bars(const std::vector<double>& xs) {
  return xs.size() < 2 ? xs.back() : xs.back() + (xs.back() - xs[xs.size() - 2]);
}

// The value of a line of a curve at any x.
double value_at(const Curve& curve, const CurveLine& line, double x) {
  const std::vector<double>& xs = curve.x.values;
  if (curve.shape == CurveShape::steps_before) {
    const auto at = std::lower_bound(xs.begin(), xs.end(), x);
    return at == xs.end() ? 0.0 : line.values[static_cast<std::size_t>(at - xs.begin())];
  }
  const auto after = std::upper_bound(xs.begin(), xs.end(), x);
  // Between points of a straight line there are values, and beyond its ends none.
  const double outside = curve.shape == CurveShape::straight ? std::nan("") : 0.0;
  if (after == xs.begin()) return outside;
  const auto i = static_cast<std::size_t>(after - xs.begin()) - 1;
  // Beyond the last bar a histogram is 0; a curve of level sets keeps its last value.
  if (curve.shape == CurveShape::steps && curve.in_table.empty() && x >= end_of_bars(xs))
    return 0.0;
  if (curve.shape == CurveShape::steps || xs[i] == x) return line.values[i];
  if (after == xs.end()) return outside;
  const double part = (x - xs[i]) / (xs[i + 1] - xs[i]);
  return (1.0 - part) * line.values[i] + part * line.values[i + 1];
}

CurveLine line_of(const Curve& curve, const std::vector<double>& xs, std::string id,
                  const std::string& label) {
  const CurveLine& from = curve.ys.front();
  CurveLine line{std::move(id), label, from.unit, {}};
  line.values.reserve(xs.size());
  for (const double x : xs) line.values.push_back(value_at(curve, from, x));
  return line;
}

std::string unit_of(const Curve& curve) {
  const std::string& unit = curve.ys.front().unit;
  return unit.empty() ? "none" : unit;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// A table of both lines and their difference; `note` gets its largest value and the area.
Table differences(const Curve& both, std::string& note) {
  const CurveLine& a = both.ys[0];
  const CurveLine& b = both.ys[1];
  std::vector<double> difference;
  double largest = 0.0;
  double at = 0.0;
  double area = 0.0;
  for (std::size_t i = 0; i < both.x.values.size(); ++i) {
    const double d = b.values[i] - a.values[i];
    difference.push_back(d);
    if (std::abs(d) > largest) {
      largest = std::abs(d);
      at = both.x.values[i];
    }
    // The interval of x that ends (steps_before) or begins (else) at this point.
    const std::size_t from = both.shape == CurveShape::steps_before ? i - 1 : i;
    if (from < both.x.values.size() && from + 1 < both.x.values.size() && !std::isnan(d)) {
      area += std::abs(d) * (both.x.values[from + 1] - both.x.values[from]);
    }
  }
  note = both.label + ": " +
         (largest == 0.0 ? std::string("no difference")
                         : "differs by up to " + number(largest) + " (at " + number(at) +
                               "), area between the curves " + number(area));
  Table table = table_of(both);
  table.id = both.id + "_pair";
  table.label = both.label + ", both";
  table.columns.push_back({"difference", "Difference", a.unit, std::move(difference)});
  return table;
}

Curve beside(const Curve& a, const std::string& a_name, const Curve& b, const std::string& b_name) {
  Curve both = a;
  both.x.values.clear();
  std::set_union(a.x.values.begin(), a.x.values.end(), b.x.values.begin(), b.x.values.end(),
                 std::back_inserter(both.x.values));
  both.ys = {line_of(a, both.x.values, "first", a_name),
             line_of(b, both.x.values, "second", b_name)};
  both.in_table.clear();
  return both;
}

}  // namespace

Measurement paired(const Measurement& first, const Measurement& second) {
  Measurement out = first;
  const std::string other = second.name == first.name ? second.name + " (second)" : second.name;
  out.curves.clear();
  out.tables.clear();
  for (const Curve& a : first.curves) {
    const auto b = std::find_if(second.curves.begin(), second.curves.end(),
                                [&](const Curve& c) { return c.id == a.id; });
    // Curves of several lines are left out: it would not be clear which lines belong together.
    if (b == second.curves.end() || a.ys.size() != 1 || b->ys.size() != 1) continue;
    if (a.x.unit != b->x.unit) {
      out.notes.push_back(a.label + ": units of " + a.x.label +
                          " differ, set the voxel sizes to compare");
      continue;
    }
    if (a.ys.front().unit != b->ys.front().unit) {
      out.notes.push_back(a.label + ": units differ (" + unit_of(a) + " and " + unit_of(*b) +
                          "), set the voxel sizes to compare");
      continue;
    }
    Curve both = beside(a, first.name, *b, other);
    if (!a.in_table.empty()) {
      std::string note;
      out.tables.push_back(differences(both, note));
      both.in_table = out.tables.back().id;
      out.notes.push_back(std::move(note));
    }
    out.curves.push_back(std::move(both));
  }
  out.tables.insert(out.tables.end(), first.tables.begin(), first.tables.end());
  for (Table table : second.tables) {
    table.id += "_second";
    table.label += ", " + other;
    out.tables.push_back(std::move(table));
  }
  out.name = first.name + " and " + other;
  return out;
}

}  // namespace aprscope

#include "core/data/curve.hpp"

namespace aprscope {

std::uint64_t Curve::bytes() const {
  std::uint64_t sum = x.values.size() * sizeof(double);
  for (const CurveLine& y : ys) sum += y.values.size() * sizeof(double);
  return sum;
}

Table table_of(const Curve& curve) {
  Table table;
  table.id = curve.id;
  table.label = curve.label;
  table.columns.push_back({curve.x.id, curve.x.label, curve.x.unit, curve.x.values});
  for (const CurveLine& y : curve.ys) table.columns.push_back({y.id, y.label, y.unit, y.values});
  return table;
}

}  // namespace aprscope

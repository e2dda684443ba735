#include "core/data/measurement.hpp"

namespace aprscope {

std::uint64_t Measurement::bytes() const {
  std::uint64_t sum = 0;
  for (const Curve& curve : curves) sum += curve.bytes();
  for (const Table& table : tables) sum += table.bytes();
  return sum;
}

std::vector<Table> all_tables(const Measurement& measurement) {
  std::vector<Table> all;
  for (const Curve& curve : measurement.curves) {
    if (curve.in_table.empty()) all.push_back(table_of(curve));
  }
  all.insert(all.end(), measurement.tables.begin(), measurement.tables.end());
  return all;
}

}  // namespace aprscope

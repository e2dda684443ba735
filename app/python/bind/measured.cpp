#include "app/python/bind/measured.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/arrays.hpp"
#include "app/python/bind/bind.hpp"
#include "app/python/bind/errors.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/measurement_write.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

using Found = std::shared_ptr<const Measurement>;

nb::object cells_of(const Column& column, const Found& found) {
  if (const auto* words = std::get_if<std::vector<std::string>>(&column.cells)) {
    nb::list list;
    for (const std::string& word : *words) list.append(python_text(word));
    return list;
  }
  const nb::capsule owner = owner_of(found);
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return view_of(whole->data(), {whole->size()}, owner);
  }
  const auto& numbers = std::get<std::vector<double>>(column.cells);
  return view_of(numbers.data(), {numbers.size()}, owner);
}

nb::list tables_in(const Measured& measured) {
  nb::list tables;
  for (const Table& table : measured.found->tables) {
    nb::list columns;
    for (const Column& column : table.columns) {
      columns.append(nb::make_tuple(python_text(column.id), python_text(column.label),
                                    python_text(column.unit), cells_of(column, measured.found)));
    }
    tables.append(nb::make_tuple(python_text(table.id), python_text(table.label), columns));
  }
  return tables;
}

nb::tuple line_of(const CurveLine& line, const Found& found) {
  return nb::make_tuple(python_text(line.id), python_text(line.label), python_text(line.unit),
                        view_of(line.values.data(), {line.values.size()}, owner_of(found)));
}

nb::list curves_in(const Measured& measured) {
  nb::list curves;
  for (const Curve& curve : measured.found->curves) {
    nb::list ys;
    for (const CurveLine& y : curve.ys) ys.append(line_of(y, measured.found));
    nb::list marks;
    for (const CurveMark& mark : curve.marks) {
      marks.append(nb::make_tuple(mark.x, python_text(mark.words)));
    }
    curves.append(nb::make_tuple(python_text(curve.id), python_text(curve.label),
                                 line_of(curve.x, measured.found), ys, marks));
  }
  return curves;
}

nb::list words_of(const std::vector<std::string>& words) {
  nb::list list;
  for (const std::string& word : words) list.append(python_text(word));
  return list;
}

// Writes the same files as `aprscope-cli` does, and returns their names.
nb::list save_measured(const Measured& measured, const nb::bytes& path) {
  const std::vector<Found> all{measured.found};
  const auto files = table_files(all, std::string(path.c_str(), path.size()));
  or_throw(write_tables(files));
  nb::list names;
  for (const TableFile& file : files) names.append(python_text(file.path.string()));
  return names;
}

void save_csv(const Table& table, const nb::bytes& path) {
  or_throw(write_text_atomically(std::string(path.c_str(), path.size()), to_csv(table)));
}

void save_table(const Measured& measured, std::size_t index, const nb::bytes& path) {
  save_csv(measured.found->tables.at(index), path);
}

void save_curve(const Measured& measured, std::size_t index, const nb::bytes& path) {
  save_csv(table_of(measured.found->curves.at(index)), path);
}

}  // namespace

void bind_measured(nb::module_& module) {
  nb::class_<Measured>(module, "Measured", "What was measured.")
      .def_prop_ro("name", [](const Measured& m) { return python_text(m.found->name); })
      .def_prop_ro("history", [](const Measured& m) { return words_of(m.found->history); })
      .def_prop_ro("notes", [](const Measured& m) { return words_of(m.found->notes); });
  module.def("tables", tables_in, "measured"_a);
  module.def("curves", curves_in, "measured"_a);
  module.def("save_measured", save_measured, "measured"_a, "path"_a);
  module.def("save_table", save_table, "measured"_a, "index"_a, "path"_a);
  module.def("save_curve", save_curve, "measured"_a, "index"_a, "path"_a);
}

}  // namespace aprscope::python

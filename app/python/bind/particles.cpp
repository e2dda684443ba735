// The structure of particles and their fields as arrays, parts of the reconstructed image, and
// particles made of arrays.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/arrays.hpp"
#include "app/python/bind/bind.hpp"
#include "app/python/bind/call.hpp"
#include "app/python/bind/held.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/particles/particle_words.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

using HostArray = nb::ndarray<nb::ro, nb::c_contig, nb::ndim<1>, nb::device::cpu>;
template <class T>
using ListOf = nb::ndarray<const T, nb::c_contig, nb::ndim<1>, nb::device::cpu>;

nb::object field_view(const std::shared_ptr<const Field>& field) {
  return std::visit(
      [&](const auto& values) { return view_of(values.data(), {values.size()}, owner_of(field)); },
      field->values);
}

nb::object field_in(const Held& held, const std::string& name) {
  const Apr& apr = held.data->apr();
  const auto field = name.empty() ? apr.main_field() : apr.field(name);
  if (!field) {
    throw ErrorThrown({name.empty() ? "has no values" : "has no field \"" + name + "\"", apr.name,
                       "choose one of apr.fields"});
  }
  return field_view(field);
}

nb::list fields_in(const Held& held) {
  nb::list names;
  for (const auto& field : held.data->apr().fields) names.append(python_text(field->name));
  return names;
}

nb::object y_in(const Held& held) {
  const auto& access = held.data->apr().access;
  const auto y = access->particles().y();
  return view_of(y.data(), {y.size()}, owner_of(access));
}

nb::object xz_end_in(const Held& held) {
  const auto& access = held.data->apr().access;
  const auto ends = access->particles().xz_end();
  return view_of(ends.data(), {ends.size()}, owner_of(access));
}

// By level: (level, cells in z, x, y, first row in xz_end, first particle, last particle + 1).
nb::list levels_in(const Held& held) {
  const LinearAccess& cells = held.data->apr().access->particles();
  nb::list levels;
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const Size3& grid = cells.grid(level);
    const ParticleRange range = cells.level(level);
    levels.append(nb::make_tuple(level, nb::make_tuple(grid.z, grid.x, grid.y),
                                 cells.first_row(level), range.begin, range.end));
  }
  return levels;
}

nb::object region_of(const Held& held, const std::array<std::int64_t, 3>& begin,
                     const std::array<std::int64_t, 3>& end, const std::string& mode_word) {
  const ReconstructionMode mode = schema::value_of(kReconstructionModes, mode_word);
  const Region region{{begin[0], begin[1], begin[2]}, {end[0], end[1], end[2]}};
  return array_of(computed<AnyPixels>([data = held.data, mode, region](
                                          const JobContext& context,
                                          BesideJob& /*self*/) -> Result<AnyPixels> {
    const Apr& apr = data->apr();
    std::span<const float> tree;
    if (mode == ReconstructionMode::smooth) tree = data->values().tree_mean();
    auto pixels = reconstruct(*apr.access, data->values().particles(), tree, mode, region, context);
    if (!pixels) return pixels.error();
    // As the operation does: interpolated values and levels do not have the type of the field.
    const auto field = apr.main_field();
    if (!field || mode != ReconstructionMode::constant) return AnyPixels(*std::move(pixels));
    return typed_as(*field, *std::move(pixels));
  }));
}

nb::object level_of(const Held& held, int level) {
  return array_of(
      computed<AnyPixels>([data = held.data, level](const JobContext& context,
                                                    BesideJob& /*self*/) -> Result<AnyPixels> {
        const Apr& apr = data->apr();
        auto pixels = reconstruct_at_level(*apr.access, data->values().particles(),
                                           data->values().tree_mean(), level, context);
        if (!pixels) return pixels.error();
        return AnyPixels(*std::move(pixels));
      }));
}

template <class T>
bool take(const HostArray& array, FieldValues& values) {
  if (array.dtype() != nb::dtype<T>()) return false;
  const auto* const first = static_cast<const T*>(array.data());
  values = std::vector<T>(first, first + array.size());
  return true;
}

FieldValues values_of(const HostArray& array) {
  FieldValues values;
  const bool known = take<std::uint8_t>(array, values) || take<std::uint16_t>(array, values) ||
                     take<std::uint32_t>(array, values) || take<std::uint64_t>(array, values) ||
                     take<std::int8_t>(array, values) || take<std::int16_t>(array, values) ||
                     take<std::int32_t>(array, values) || take<std::int64_t>(array, values) ||
                     take<float>(array, values) || take<double>(array, values);
  if (!known) {
    throw ErrorThrown({"has values of a type that particles are not kept in", "particles",
                       "give whole numbers, float32 or float64"});
  }
  return values;
}

Status one_each(const FieldValues& values, std::uint64_t count) {
  const std::size_t given = std::visit([](const auto& all) { return all.size(); }, values);
  if (given == count) return {};
  return Error{
      std::to_string(given) + " values are given for " + std::to_string(count) + " particles",
      "particles", "give one each, in the order of y"};
}

Held apr_of(const std::array<std::int64_t, 3>& shape, const ListOf<std::uint16_t>& y,
            const ListOf<std::uint64_t>& xz_end, const HostArray& particles,
            const std::array<double, 3>& voxel, const std::string& unit, const std::string& name) {
  const Size3 size{shape[0], shape[1], shape[2]};
  const std::vector<std::uint16_t> rows(y.data(), y.data() + y.size());
  const std::vector<std::uint64_t> ends(xz_end.data(), xz_end.data() + xz_end.size());
  auto values = values_of(particles);
  Apr apr;
  apr.voxel = {voxel[0], voxel[1], voxel[2], unit};
  apr.name = name;
  apr.history = {"particles from Python"};
  auto made = computed<Apr>([=](const JobContext& /*context*/, BesideJob& /*self*/) -> Result<Apr> {
    auto cells = LinearAccess::create(size, finest_level(size), 1, finest_level(size), rows, ends);
    if (!cells) return cells.error();
    auto access = AprAccess::create(*std::move(cells));
    if (!access) return access.error();
    if (Status ok = one_each(values, (*access)->count()); !ok) return ok.error();
    Apr whole = apr;
    whole.access = *std::move(access);
    whole.fields = {std::make_shared<const Field>(Field{"particles", values})};
    return whole;
  });
  return {Dataset::create(std::move(made))};
}

// Particles with the same structure and other values.
Held with_particles(const Held& held, const HostArray& particles) {
  Apr apr = held.data->apr();
  auto values = values_of(particles);
  or_throw(one_each(values, apr.access->count()));
  const auto main = apr.main_field();
  apr.fields = {std::make_shared<const Field>(
      Field{main ? main->name : std::string("particles"), std::move(values)})};
  apr.tree_fields.clear();
  apr.history.emplace_back("values from Python");
  return {Dataset::create(std::move(apr)), held.path};
}

}  // namespace

void bind_particles(nb::module_& module) {
  module.def("field", field_in, "held"_a, "name"_a);
  module.def("fields", fields_in, "held"_a);
  module.def("y", y_in, "held"_a);
  module.def("xz_end", xz_end_in, "held"_a);
  module.def("levels", levels_in, "held"_a);
  module.def(
      "cr", [](const Held& held) { return held.data->apr().access->computational_ratio(); },
      "held"_a);
  module.def(
      "count", [](const Held& held) { return held.data->apr().access->count(); }, "held"_a);
  module.def("region", region_of, "held"_a, "begin"_a, "end"_a, "mode"_a);
  module.def("level", level_of, "held"_a, "level"_a);
  module.def("apr_of", apr_of, "shape"_a, "y"_a, "xz_end"_a, "particles"_a, "voxel"_a, "unit"_a,
             "name"_a);
  module.def("with_particles", with_particles, "held"_a, "particles"_a);
}

}  // namespace aprscope::python

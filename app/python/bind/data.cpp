// Properties of an image or of particles, and its values as arrays that share its memory.
#include <cstdint>
#include <string>
#include <variant>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/arrays.hpp"
#include "app/python/bind/bind.hpp"
#include "app/python/bind/errors.hpp"
#include "app/python/bind/held.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

std::size_t extent(std::int64_t n) { return static_cast<std::size_t>(n); }

nb::tuple shape_of(const Held& held) {
  const Size3 size = held.data->size();
  return nb::make_tuple(size.z, size.x, size.y);
}

nb::tuple voxel_of(const Held& held) {
  const VoxelSize& voxel = held.data->voxel();
  return nb::make_tuple(voxel.z, voxel.x, voxel.y);
}

const char* dtype_of(const Held& held) {
  if (!held.data->is_apr()) return held.data->volume().dtype();
  const auto field = held.data->apr().main_field();
  return field ? field->dtype() : "";
}

std::string channel_of(const Held& held) {
  return held.data->is_apr() ? held.data->apr().channel : held.data->volume().channel;
}

nb::list history_of(const Held& held) {
  nb::list lines;
  if (held.data->is_apr()) {
    for (const std::string& line : held.data->apr().history) lines.append(python_text(line));
  }
  return lines;
}

nb::object pixels_in(const Held& held) {
  const auto volume = held.data->shared_volume();
  const Size3 size = held.data->size();
  return std::visit(
      [&](const auto& pixels) {
        return view_of(pixels.values.data(), {extent(size.z), extent(size.x), extent(size.y)},
                       owner_of(volume));
      },
      volume->pixels);
}

nb::object labels_in(const Held& held) {
  const auto& labels = held.data->labels();
  if (!labels) return nb::none();
  const nb::capsule owner = owner_of(labels);
  if (held.data->is_apr()) return view_of(labels->values.data(), {labels->values.size()}, owner);
  const Size3 size = held.data->size();
  return view_of(labels->values.data(), {extent(size.z), extent(size.x), extent(size.y)}, owner);
}

// Copies labels from an array of whole numbers, without the interpreter's lock (GIL).
Labels labels_of(const nb::ndarray<const std::uint32_t, nb::c_contig, nb::device::cpu>& array) {
  Labels labels;
  const std::uint32_t* const first = array.data();
  const nb::gil_scoped_release others_run;
  labels.values.assign(first, first + array.size());
  for (const std::uint32_t label : labels.values) labels.largest = std::max(labels.largest, label);
  return labels;
}

Held with_labels_of_array(
    const Held& held,
    const nb::ndarray<const std::uint32_t, nb::c_contig, nb::device::cpu>& array) {
  const std::uint64_t wanted = held.data->is_apr()
                                   ? held.data->apr().access->count()
                                   : static_cast<std::uint64_t>(held.data->size().count());
  if (array.size() != wanted) {
    throw ErrorThrown({"has " + std::to_string(array.size()) + " labels for " +
                           std::to_string(wanted) +
                           (held.data->is_apr() ? " particles" : " pixels"),
                       "labels", "give one each"});
  }
  auto labels = std::make_shared<const Labels>(labels_of(array));
  return {held.data->with_labels(std::move(labels), "labels from Python"), held.path};
}

Held image_of(const InputArray& array, const std::array<double, 3>& voxel, const std::string& unit,
              const std::string& name) {
  Volume volume;
  volume.pixels = pixels_of(array);
  volume.voxel = {voxel[0], voxel[1], voxel[2], unit};
  volume.name = name;
  return {Dataset::create(std::move(volume))};
}

Held with_voxel(const Held& held, const std::array<double, 3>& voxel, const std::string& unit) {
  return {Dataset::create(with_voxel_size(*held.data, {voxel[0], voxel[1], voxel[2], unit})),
          held.path};
}

}  // namespace

void bind_data(nb::module_& module) {
  nb::class_<Held>(module, "Held", "An image, or particles.")
      .def_prop_ro("is_apr", [](const Held& held) { return held.data->is_apr(); })
      .def_prop_ro("shape", shape_of)
      .def_prop_ro("voxel", voxel_of)
      .def_prop_ro("unit", [](const Held& held) { return python_text(held.data->voxel().unit); })
      .def_prop_ro("name", [](const Held& held) { return python_text(held.data->name()); })
      .def_prop_ro("path", [](const Held& held) { return python_text(held.path); })
      .def_prop_ro("channel", [](const Held& held) { return python_text(channel_of(held)); })
      .def_prop_ro("dtype", dtype_of)
      .def_prop_ro("history", history_of)
      .def_prop_ro("nbytes", [](const Held& held) { return held.data->bytes(); })
      .def_prop_ro("labels", labels_in)
      .def_prop_ro("pixels", pixels_in);
  module.def("image_of", image_of, "array"_a, "voxel"_a, "unit"_a, "name"_a);
  module.def("with_voxel", with_voxel, "held"_a, "voxel"_a, "unit"_a);
  module.def("with_labels", with_labels_of_array, "held"_a, "labels"_a);
}

}  // namespace aprscope::python

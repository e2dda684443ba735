#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "core/image/volume.hpp"

namespace aprscope::python {

/// Any array that NumPy can show, in C order.
using InputArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// What keeps memory alive as long as an array shows it.
template <class T>
nanobind::capsule owner_of(std::shared_ptr<const T> held) {
  auto kept = std::make_unique<std::shared_ptr<const T>>(std::move(held));
  nanobind::capsule owner(kept.get(), [](void* pointer) noexcept {
    delete static_cast<std::shared_ptr<const T>*>(pointer);  // NOLINT: that is what a capsule is
  });
  static_cast<void>(kept.release());
  return owner;
}

/// The values where they lie, which nobody may write to.
template <class T>
nanobind::object view_of(const T* values, std::initializer_list<std::size_t> shape,
                         const nanobind::handle& owner) {
  using View = nanobind::ndarray<nanobind::numpy, const T>;
  return nanobind::cast(View(values, shape, owner));
}

/// Pixels that nobody else has, as an array that may be written to.
nanobind::object array_of(AnyPixels pixels);

/// Pixels of an array of 2 or 3 dimensions (z, x, y; one slice where there are 2), which are
/// copied. Throws ErrorThrown: another number of dimensions or type.
AnyPixels pixels_of(const InputArray& array);

}  // namespace aprscope::python

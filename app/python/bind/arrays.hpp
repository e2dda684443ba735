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

/// Any array that NumPy supports, in C order.
using InputArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// A capsule that keeps an object alive as long as an array uses its memory.
template <class T>
nanobind::capsule owner_of(std::shared_ptr<const T> held) {
  auto kept = std::make_unique<std::shared_ptr<const T>>(std::move(held));
  nanobind::capsule owner(kept.get(), [](void* pointer) noexcept {
    delete static_cast<std::shared_ptr<const T>*>(pointer);  // NOLINT: that is what a capsule is
  });
  static_cast<void>(kept.release());
  return owner;
}

/// A read-only array of values, without a copy.
template <class T>
nanobind::object view_of(const T* values, std::initializer_list<std::size_t> shape,
                         const nanobind::handle& owner) {
  using View = nanobind::ndarray<nanobind::numpy, const T>;
  return nanobind::cast(View(values, shape, owner));
}

/// A writable array that takes over the pixels; nobody else may hold them.
nanobind::object array_of(AnyPixels pixels);

/// Copies the pixels of an array of 2 or 3 dimensions (z, x, y; with 2, a single slice). Throws
/// ErrorThrown: another number of dimensions, or an unsupported type.
AnyPixels pixels_of(const InputArray& array);

}  // namespace aprscope::python

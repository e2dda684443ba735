#include "app/python/bind/arrays.hpp"

#include <cstdint>
#include <variant>

#include "app/python/bind/errors.hpp"

namespace nb = nanobind;

namespace aprscope::python {
namespace {

template <class T>
Pixels<T> copied(const InputArray& array, const Size3& size) {
  const auto* const first = static_cast<const T*>(array.data());
  const nb::gil_scoped_release others_run;
  Pixels<T> pixels;
  pixels.size = size;
  pixels.values.assign(first, first + size.count());
  return pixels;
}

}  // namespace

nb::object array_of(AnyPixels pixels) {
  return std::visit(
      [](auto& image) -> nb::object {
        using Image = std::decay_t<decltype(image)>;
        using Value = typename decltype(image.values)::value_type;
        auto kept = std::make_unique<Image>(std::move(image));
        const Size3 size = kept->size;
        Value* const values = kept->values.data();
        const nb::capsule owner(kept.get(), [](void* pointer) noexcept {
          delete static_cast<Image*>(pointer);  // NOLINT: that is what a capsule is
        });
        static_cast<void>(kept.release());
        return nb::cast(nb::ndarray<nb::numpy, Value>(
            values,
            {static_cast<std::size_t>(size.z), static_cast<std::size_t>(size.x),
             static_cast<std::size_t>(size.y)},
            owner));
      },
      pixels);
}

AnyPixels pixels_of(const InputArray& array) {
  const std::size_t n = array.ndim();
  if (n != 2 && n != 3) {
    throw ErrorThrown({"has " + std::to_string(n) + (n == 1 ? " dimension" : " dimensions"),
                       "array", "give an image of z, x, y, or one slice of x, y"});
  }
  const auto extent = [&](std::size_t i) { return static_cast<std::int64_t>(array.shape(i)); };
  const Size3 size{n == 3 ? extent(0) : 1, extent(n - 2), extent(n - 1)};
  if (size.count() == 0) throw ErrorThrown({"has no pixels", "array", "give an image of some"});
  if (array.dtype() == nb::dtype<std::uint8_t>()) return copied<std::uint8_t>(array, size);
  if (array.dtype() == nb::dtype<std::uint16_t>()) return copied<std::uint16_t>(array, size);
  if (array.dtype() == nb::dtype<float>()) return copied<float>(array, size);
  throw ErrorThrown({"has values of a type that images are not kept in", "array",
                     "give uint8, uint16 or float32, as with array.astype(numpy.float32)"});
}

}  // namespace aprscope::python

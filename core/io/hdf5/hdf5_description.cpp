#include "core/io/hdf5/hdf5_description.hpp"

namespace aprscope {

bool Hdf5Type::sound() const {
  if (size != 1 && size != 2 && size != 4 && size != 8) return false;
  if (kind == Hdf5Kind::real) return ieee && size >= 2;
  return kind == Hdf5Kind::integer && precision >= 1 && precision <= 8 * size &&
         offset <= 8 * size - precision;
}

bool Hdf5Type::plain() const {
  return sound() && (kind == Hdf5Kind::real || precision == 8 * size);
}

std::string Hdf5Type::name() const {
  if (kind != Hdf5Kind::integer && kind != Hdf5Kind::real) return {};
  if (size != 1 && size != 2 && size != 4 && size != 8) return {};
  if (kind == Hdf5Kind::real && size < 2) return {};
  const char* const letter = kind == Hdf5Kind::real ? "f" : is_signed ? "i" : "u";
  return letter + std::to_string(8 * size);
}

std::uint64_t Hdf5Dataset::count() const {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63U;
  std::uint64_t n = 1;
  for (const std::uint64_t e : extent) n = e != 0 && n > kLimit / e ? kLimit : n * e;
  return n;
}

}  // namespace aprscope

#include "core/apr/structure/apr.hpp"

#include <type_traits>

namespace aprscope {

std::uint64_t Field::count() const {
  return std::visit([](const auto& v) { return static_cast<std::uint64_t>(v.size()); }, values);
}

const char* Field::dtype() const {
  constexpr const char* names[] = {"u8",  "u16", "u32", "u64", "i8",
                                   "i16", "i32", "i64", "f32", "f64"};
  return names[values.index()];
}

std::uint64_t Field::bytes() const {
  return std::visit(
      [](const auto& v) { return static_cast<std::uint64_t>(v.size() * sizeof(v[0])); }, values);
}

std::vector<float> Field::to_float() const {
  return std::visit(
      [](const auto& v) {
        std::vector<float> out(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) out[i] = static_cast<float>(v[i]);
        return out;
      },
      values);
}

std::shared_ptr<const Field> Apr::field(const std::string& wanted) const {
  for (const auto& f : fields) {
    if (f->name == wanted) return f;
  }
  return nullptr;
}

std::shared_ptr<const Field> Apr::main_field() const {
  for (const char* usual : {"particle_intensities", "particles", "parts"}) {
    if (auto f = field(usual)) return f;
  }
  return fields.empty() ? nullptr : fields.front();
}

std::uint64_t Apr::bytes() const {
  std::uint64_t sum = access ? access->bytes() : 0;
  for (const auto& f : fields) sum += f->bytes();
  for (const auto& f : tree_fields) sum += f->bytes();
  return sum;
}

}  // namespace aprscope

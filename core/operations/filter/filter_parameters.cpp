#include "core/operations/filter/filter_parameters.hpp"

#include <utility>

#include "core/operations/filter/filter_words.hpp"

namespace aprscope {

using namespace schema;  // NOLINT: its words are what this file is written in

ParameterBuilder stencil_size(double value, double minimum, double maximum) {
  return vector3("size", "Size", value)
      .range(minimum, maximum)
      .unit("px")
      .odd()
      .described(Described::changed);
}

Size3 size_in_pixels(const Operation& complete, const Size3& image) {
  const auto& wanted = parameter<std::array<double, 3>>(complete, "size");
  const auto fit = [](double n, std::int64_t pixels) {
    return pixels <= 1 ? std::int64_t{1} : static_cast<std::int64_t>(n);
  };
  return {fit(wanted[0], image.z), fit(wanted[1], image.x), fit(wanted[2], image.y)};
}

ParameterSpec boundary() {
  return choice("boundary", "Boundary", words_of(kBoundaries))
      .help(
          "Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.");
}

OperationSchema convolution_schema(OperationSchema own, const char* mode, bool normalize) {
  if (!own.parameters.empty()) own.parameters.front().main = true;
  own.parameters.push_back(
      choice("mode", "Coarser levels", words_of(kStencilModes))
          .value(std::string(mode))
          .help("How the stencil is applied to coarser particles. same: with the same weights "
                "between cells of their level; restricted: averaged over their cell, as on pixels; "
                "rescaled: divided by the cell width, for gradients. Pixel images have one level "
                "only."));
  own.parameters.push_back(boundary());
  own.parameters.push_back(
      boolean("normalize", "Normalize", normalize)
          .described(Described::always)
          .help("Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they "
                "are."));
  return own;
}

}  // namespace aprscope

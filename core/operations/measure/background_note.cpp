#include "core/operations/measure/background_note.hpp"

#include <cmath>

#include "core/cells/background_cell.hpp"

namespace aprscope {

std::string background_note(double share) {
  if (!(share > 0.0)) return {};
  return "one cell is " + std::to_string(std::lround(100.0 * share)) +
         " % of the image, as where the background is taken for one: bright objects are found by "
         "water that rises in distance, dark walls with dark, a stained shell by filling from "
         "outside";
}

double background_share_of(const Dataset& data, const Labels& labels) {
  if (!data.is_apr()) {
    return std::visit([&](const auto& pixels) { return background_share(pixels, labels.values); },
                      data.volume().pixels);
  }
  const Apr& apr = data.apr();
  if (!apr.main_field()) return 0.0;
  return background_share(*apr.access, data.values().particles(), labels.values);
}

}  // namespace aprscope

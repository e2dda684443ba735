#include "app/gui/document/supports.hpp"

namespace aprscope::gui {

Status supports(const Item* item, const Operation& operation, const Backend& backend) {
  if (item == nullptr) return Error{"there is no data", "", "open a file first"};
  if (item->growing) {
    return Error{"is still being computed", item->name.toStdString(),
                 "wait until it is finished, or keep what there is"};
  }
  return backend.supports(operation, *item->dataset);
}

}  // namespace aprscope::gui

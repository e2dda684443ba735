#pragma once

#include "app/gui/document/item.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// Success if the operation can be applied to this item (null: none); else the reason.
Status supports(const Item* item, const Operation& operation, const Backend& backend);

}  // namespace aprscope::gui

#pragma once

#include "app/gui/document/item.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// Success when an item (null: there is none) can take the operation; else why not.
Status supports(const Item* item, const Operation& operation, const Backend& backend);

}  // namespace aprscope::gui

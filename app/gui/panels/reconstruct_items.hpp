#pragma once

#include "app/gui/document/item.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope::gui {

/// The table of a set of projections; null for anything else.
inline const ProjectionTable* projection_table_of(const Item* item) {
  if (item == nullptr || item->is_apr() || !item->dataset->volume().projections) return nullptr;
  return &item->dataset->volume().projections->table;
}

/// Facts about a map that was reconstructed in this program; null for anything else.
inline const Reconstruction* reconstruction_of(const Item* item) {
  if (item == nullptr || item->is_apr()) return nullptr;
  return item->dataset->volume().reconstruction.get();
}

}  // namespace aprscope::gui

#pragma once

#include <QString>
#include <vector>

namespace aprscope::gui {

struct Item;

/// One line of what is known about an item: "Voxel size", "2 × 0.5 × 0.5 µm (z × x × y)".
struct ItemFact {
  QString name;
  QString value;
};

/// Facts that belong together, with a title: "File", "Particles".
struct ItemFacts {
  QString title;
  std::vector<ItemFact> facts;
};

/// What is known about an item: its file as the headers tell it, its pixels or particles with
/// levels and parameters, the steps that led to it. Sizes are z × x × y.
std::vector<ItemFacts> facts_of(const Item& item);

/// The same as text, a line a fact, name and value apart by a tabulator, titles on lines of their
/// own.
QString facts_text(const std::vector<ItemFacts>& groups);

}  // namespace aprscope::gui

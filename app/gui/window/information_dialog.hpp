#pragma once

#include <QDialog>
#include <vector>

#include "app/gui/window/item_facts.hpp"

namespace aprscope::gui {

/// Lists what is known about one item; its text can be copied as a whole. Blocks nothing.
class InformationDialog : public QDialog {
  Q_OBJECT

 public:
  /// `name` is that of the item, `groups` what facts_of() says.
  InformationDialog(const QString& name, const std::vector<ItemFacts>& groups,
                    QWidget* parent = nullptr);
};

}  // namespace aprscope::gui

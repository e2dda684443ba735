#include "app/gui/document/truth_choice.hpp"

#include <QSignalBlocker>
#include <algorithm>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

TruthChoice::TruthChoice(Document& document, QWidget* parent)
    : QComboBox(parent), document_(document) {
  setToolTip(
      tr("What the result should be, where that is known: each iteration is compared with it (PSNR "
         "and SSIM). It changes nothing in the result."));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  connect(&document_.items(), &ItemList::current_changed, this, &TruthChoice::follow);
  connect(&document_.items(), &ItemList::data_changed, this, &TruthChoice::follow);
  connect(&document_.items(), &ItemList::items_changed, this, &TruthChoice::follow);
  follow();
}

// Keeps the choice if it is still possible.
void TruthChoice::follow() {
  const Item* now = document_.items().current();
  const std::uint64_t chosen = item();
  const QSignalBlocker quiet(this);
  clear();
  addItem(tr("none"), qulonglong{0});
  for (const Item& item : document_.items().all()) {
    if (now == nullptr || item.id == now->id || item.is_measurement() ||
        item.dataset->size() != now->dataset->size()) {
      continue;
    }
    addItem(document_.items().full_name(item.id), static_cast<qulonglong>(item.id));
  }
  setCurrentIndex(std::max(0, findData(static_cast<qulonglong>(chosen))));
  setEnabled(count() > 1);
}

}  // namespace aprscope::gui

#include "app/gui/document/start_choice.hpp"

#include <QAbstractItemView>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {
namespace {

constexpr int kImage = 0;
constexpr int kConstant = 1;
constexpr int kWidest = 560;
constexpr int kBeside = 24;

bool same_structure(const Dataset& a, const Dataset& b) {
  if (!a.is_apr()) return true;
  const auto& one = a.apr().access;
  const auto& other = b.apr().access;
  // Compares all cells only if the numbers of particles are equal, since that takes long.
  return one == other || (one->count() == other->count() && one->particles() == other->particles());
}

// Whether a recipe can name this item: the first channel, time point and images of a file.
bool is_file(const Item& item) {
  return item.recipe.steps.empty() && !item.recipe.input.empty() &&
         item.selection == SourceSelection{};
}

bool deconvolved_from(const Item& result, const Item& image) {
  return result.deconvolved_from &&
         (result.deconvolved_from == image.dataset || (result.id == image.id));
}

struct Refusal {
  QString brief;
  QString whole;
};

// The reason why a deconvolution of `image` cannot start from `from`; empty if it can.
Refusal refusal(const Item& from, const Item& image) {
  if (deconvolved_from(from, image)) return {};
  if (from.dataset->is_apr() != image.dataset->is_apr()) {
    return image.is_apr()
               ? Refusal{StartChoice::tr("pixels"),
                         StartChoice::tr("It has pixels where this data has particles.")}
               : Refusal{StartChoice::tr("particles"),
                         StartChoice::tr("It has particles where this data has pixels.")};
  }
  if (from.dataset->size() != image.dataset->size()) {
    return {StartChoice::tr("another size"),
            StartChoice::tr("It has another size than this data.")};
  }
  if (!same_structure(*image.dataset, *from.dataset)) {
    return {StartChoice::tr("other particles"),
            StartChoice::tr("Its particles lie elsewhere than those of this data.")};
  }
  if (!has_values(*from.dataset)) {
    return {StartChoice::tr("no values"), StartChoice::tr("Its particles have no values.")};
  }
  if (is_file(from)) return {};
  return {
      StartChoice::tr("not deconvolved from this data"),
      StartChoice::tr("This was not made by deconvolving this data, so a recipe could not repeat "
                      "the start. To start from it, export it to a file and open that file.")};
}

}  // namespace

StartChoice::StartChoice(Document& document, QWidget* parent)
    : QComboBox(parent), document_(document) {
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setToolTip(
      tr("The first estimate: the image itself, its mean everywhere, or an earlier result on the "
         "same data. From a result of deconvolving this data the iterations continue; the recipe "
         "of the new result then contains both steps."));
  connect(&document_.items(), &ItemList::current_changed, this, &StartChoice::follow);
  connect(&document_.items(), &ItemList::data_changed, this, &StartChoice::follow);
  connect(&document_.items(), &ItemList::items_changed, this, &StartChoice::follow);
  follow();
}

// Keeps the choice if it is still possible.
void StartChoice::follow() {
  const int before = currentIndex();
  const std::uint64_t chosen = item();
  {
    const QSignalBlocker quiet(this);
    clear();
    addItem(tr("the image"), qulonglong{0});
    addItem(tr("a constant"), qulonglong{0});
    setItemData(kImage, tr("The image itself"), Qt::ToolTipRole);
    setItemData(kConstant, tr("The mean of the image everywhere"), Qt::ToolTipRole);
    for (const Item& item : document_.items().all()) {
      if (!item.is_measurement()) offer(item.id);
    }
    int now = before == kConstant ? kConstant : kImage;
    const int again = chosen != 0 ? findData(static_cast<qulonglong>(chosen)) : -1;
    if (again >= 0 && (model()->flags(model()->index(again, 0)) & Qt::ItemIsEnabled) != 0) {
      now = again;
    }
    setCurrentIndex(now);
  }
  // The open list is wider than the box, since its texts are longer.
  view()->setMinimumWidth(std::min(kWidest, view()->sizeHintForColumn(0) + kBeside));
  if (item() != chosen) emit currentIndexChanged(currentIndex());
}

void StartChoice::offer(std::uint64_t id) {
  const Item* image = document_.items().current();
  const Item* item = document_.items().find(id);
  if (image == nullptr || (id == image->id && !item->deconvolved_from)) return;
  const Refusal why = refusal(*item, *image);
  const QString name =
      id == image->id ? tr("this result, continued") : document_.items().full_name(id);
  addItem(why.brief.isEmpty() ? name : tr("%1 (%2)").arg(name, why.brief),
          static_cast<qulonglong>(id));
  setItemData(count() - 1, why.whole.isEmpty() ? name : why.whole, Qt::ToolTipRole);
  if (why.brief.isEmpty()) return;
  if (auto* rows = qobject_cast<QStandardItemModel*>(model())) {
    rows->item(count() - 1)->setEnabled(false);
  }
}

Operation StartChoice::with_start(Operation operation) const {
  operation.parameters["start"] = std::string(currentIndex() == kConstant ? "constant" : "image");
  operation.parameters["start_file"] = std::string();
  const Item* from = document_.items().find(item());
  const Item* image = document_.items().current();
  if (from == nullptr || image == nullptr) return operation;
  if (deconvolved_from(*from, *image)) {
    operation.parameters["start"] = std::string("previous");
  } else {
    operation.parameters["start"] = std::string("file");
    operation.parameters["start_file"] = from->recipe.input;
  }
  return operation;
}

void StartChoice::set_operation(const Operation& operation) {
  const auto start = operation.parameters.find("start");
  const bool constant = start != operation.parameters.end() &&
                        start->second == ParameterValue(std::string("constant"));
  setCurrentIndex(constant ? kConstant : kImage);
}

}  // namespace aprscope::gui

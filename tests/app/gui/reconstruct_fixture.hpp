#pragma once

#include <QLineEdit>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <cmath>
#include <memory>

#include "app/gui/document/map_growth.hpp"
#include "app/gui/panels/reconstruct_panel.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/direction_map.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/projections/backproject.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::gui::test {

/// A window that a set of projections is opened in, driven by mouse and keys: what tests of
/// reconstruction begin with.
class ReconstructFixture : public QObject {
 protected:
  void start() {
    f_ = std::make_unique<WindowFixture>();
    messages_.clear();
    connect(&f_->document.messages(), &Messages::said, this,
            [this](MessageKind, const QString& text) { messages_ << text; });
  }
  void end() { f_.reset(); }

  // Clicks the tick of a row of the table.
  void click_tick(int row) {
    QTableView& rows = view().table().view();
    const QModelIndex index = rows.model()->index(row, 0);
    rows.scrollTo(index);
    QStyleOptionViewItem option;
    option.initFrom(&rows);
    option.rect = rows.visualRect(index);
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = index.data().toString();
    option.widget = &rows;
    const QRect box =
        rows.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &rows);
    QVERIFY(box.isValid());
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, box.center());
  }
  std::string left_out() { return f_->document.items().all().front().left_out; }
  std::vector<std::size_t> rows_without_tick() {
    std::vector<std::size_t> rows;
    const auto& ticks = view().table().ticks();
    for (std::size_t i = 0; ticks && i < ticks->size(); ++i) {
      if (!(*ticks)[i]) rows.push_back(i);
    }
    return rows;
  }
  MeasurementView& view() { return f_->window->measurement_view(); }
  const Table& table() { return view().table().table(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void press(const char* name) {
    auto* button = find<QAbstractButton>(name);
    QVERIFY(button != nullptr);
    QVERIFY(button->isVisible() && button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
  }
  void open(const aprscope::test::ProjectionSetFiles& settings = {}) {
    truth_ = aprscope::test::write_projection_set(f_->folder().path(), settings);
    QVERIFY(!truth_.empty());
    QVERIFY(f_->drop({f_->file("molecule.star")}));
    QVERIFY(f_->document.items().current() != nullptr);
    QTest::keyClick(f_->window.get(), Qt::Key_F12);
    QTRY_COMPARE(f_->window->shown_panel(), QStringLiteral("reconstruct"));
    QVERIFY(f_->settle());
  }
  // In the map of directions.
  double views() {
    double sum = 0.0;
    for (const double each : f_->window->findChild<DirectionMap*>()->directions().counts) {
      sum += each;
    }
    return sum;
  }
  void type_symmetry(const QString& name) {
    auto* symmetry = qobject_cast<QLineEdit*>(
        f_->window->findChild<ReconstructPanel*>()->form()->control("symmetry"));
    QVERIFY(symmetry != nullptr);
    symmetry->selectAll();
    QTest::keyClicks(symmetry, name);
    QTest::keyClick(symmetry, Qt::Key_Return);
  }
  MapGrowth& growth() { return f_->window->findChild<ReconstructPanel*>()->growth(); }
  const Reconstruction* map() {
    const Item* item = f_->document.items().current();
    if (item == nullptr || item->growing || item->is_apr()) return nullptr;
    return item->dataset->volume().reconstruction.get();
  }
  // Of the current item with the molecule that was projected.
  double correlation() {
    const std::vector<float>& found =
        f_->document.items().current()->dataset->values().pixels().values;
    if (found.size() != truth_.size()) return 0.0;
    double a = 0.0;
    double b = 0.0;
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      a += truth_[i];
      b += found[i];
    }
    a /= static_cast<double>(truth_.size());
    b /= static_cast<double>(truth_.size());
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      ab += (truth_[i] - a) * (found[i] - b);
      aa += (truth_[i] - a) * (truth_[i] - a);
      bb += (found[i] - b) * (found[i] - b);
    }
    return ab / std::sqrt(aa * bb);
  }

  std::unique_ptr<WindowFixture> f_;
  std::vector<float> truth_;
  QStringList messages_;
};

}  // namespace aprscope::gui::test

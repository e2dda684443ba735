#include "app/gui/panels/compare_panel.hpp"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/compare/compare_costs_box.hpp"
#include "app/gui/compare/compare_metrics_box.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/widgets/scrolled.hpp"

namespace aprscope::gui {
namespace {

constexpr int kNameWidth = 220;  // of a list, in a narrow panel

QToolButton* segment(QWidget* parent, const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setCheckable(true);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return button;
}

}  // namespace

ComparePanel::ComparePanel(Document& document, Comparison& comparison, CompareArea& area,
                           QWidget* parent)
    : QWidget(parent), document_(document), comparison_(comparison), area_(area) {
  build();
  connect(&document_.items(), &ItemList::items_changed, this, &ComparePanel::follow_items);
  connect(&document_.items(), &ItemList::current_changed, this, &ComparePanel::follow_items);
  connect(&comparison_, &Comparison::active_changed, this, &ComparePanel::follow_items);
  connect(&comparison_, &Comparison::sides_changed, this, &ComparePanel::follow_items);
  connect(&comparison_, &Comparison::settings_changed, this, &ComparePanel::follow_settings);
  connect(&area_, &CompareArea::difference_range_changed, this, &ComparePanel::follow_settings);
  connect(&area_.feed(), &CompareFeed::picture_ready, this, &ComparePanel::follow_settings);
  follow_items();
  follow_settings();
}

void ComparePanel::build() {
  setObjectName(QStringLiteral("compare_panel"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 10);
  layout->setSpacing(8);
  layout->addWidget(build_sides());
  controls_ = new QWidget(this);
  auto* inner = new QVBoxLayout(controls_);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(8);
  inner->addWidget(build_view());
  metrics_ = new CompareMetricsBox(document_, comparison_, area_.feed(), controls_);
  costs_ = new CompareCostsBox(comparison_, controls_);
  inner->addWidget(metrics_);
  inner->addWidget(costs_);
  inner->addWidget(build_line());
  auto* write = new QPushButton(tr("Export the comparison …"), controls_);
  write->setObjectName(QStringLiteral("compare_export"));
  write->setToolTip(tr("A figure, the figures as a table, the profile, or a turning movie"));
  connect(write, &QPushButton::clicked, this, &ComparePanel::export_requested);
  inner->addWidget(write);
  layout->addWidget(controls_);
  layout->addStretch(1);
}

QWidget* ComparePanel::build_sides() {
  auto* box = new QWidget(this);
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(1, 1);
  const auto side = [&](int row, const QString& label, const char* name, const QString& tip) {
    auto* combo = new QComboBox(box);
    combo->setObjectName(QLatin1String(name));
    combo->setToolTip(tip);
    combo->setAccessibleName(tip);
    combo->setMinimumContentsLength(12);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    grid->addWidget(new QLabel(label, box), row, 0);
    grid->addWidget(combo, row, 1);
    connect(combo, &QComboBox::activated, this, &ComparePanel::choose);
    return combo;
  };
  a_ = side(0, tr("A"), "compare_a", tr("The reference: figures are relative to its range"));
  b_ = side(1, tr("B"), "compare_b", tr("What is compared with the reference"));
  auto* swap = new QToolButton(box);
  swap->setObjectName(QStringLiteral("compare_swap"));
  swap->setText(QStringLiteral("⇅"));
  swap->setToolTip(tr("Swap A and B"));
  grid->addWidget(swap, 0, 2, 2, 1);
  connect(swap, &QToolButton::clicked, &comparison_, &Comparison::swap);
  auto* row = new QHBoxLayout;
  begin_ = new QPushButton(tr("Compare"), box);
  begin_->setObjectName(QStringLiteral("compare_begin"));
  begin_->setProperty("primary", true);
  pixels_ = new QPushButton(tr("Compare with pixels"), box);
  pixels_->setObjectName(QStringLiteral("compare_pixels"));
  pixels_->setToolTip(
      tr("Runs the same steps on the pixel image and shows both with their time and memory"));
  row->addWidget(begin_, 1);
  row->addWidget(pixels_, 1);
  grid->addLayout(row, 2, 0, 1, 3);
  unlike_ = new QLabel(box);
  unlike_->setObjectName(QStringLiteral("compare_unlike"));
  unlike_->setWordWrap(true);
  unlike_->setTextFormat(Qt::PlainText);
  unlike_->setProperty("callout", true);
  accept_ = new QPushButton(tr("Measure them nevertheless"), box);
  accept_->setObjectName(QStringLiteral("compare_accept"));
  grid->addWidget(unlike_, 3, 0, 1, 3);
  grid->addWidget(accept_, 4, 0, 1, 3);
  connect(accept_, &QPushButton::clicked, &comparison_, &Comparison::accept_differences);
  connect(begin_, &QPushButton::clicked, this, [this] {
    const Status done = comparison_.set_active(!comparison_.active());
    if (!done) document_.messages().say(done.error());
  });
  connect(pixels_, &QPushButton::clicked, &comparison_, &Comparison::compare_with_pixels);
  return box;
}

QWidget* ComparePanel::build_view() {
  auto* box = new QGroupBox(tr("View"), this);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 4, 0, 0);
  const auto segments = [&](auto& buttons) {
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    auto* group = new QButtonGroup(box);
    for (QToolButton* button : buttons) {
      group->addButton(button);
      row->addWidget(button);
    }
    layout->addLayout(row);
  };
  modes_ = {segment(box, "compare_side", tr("Side by side"), tr("A and B beside each other")),
            segment(box, "compare_reveal", tr("Reveal"),
                    tr("One view: drag the handle; A is to its left, B to its right")),
            segment(box, "compare_signed", tr("B − A"),
                    tr("The signed difference, with colours that are symmetric about zero")),
            segment(box, "compare_three", tr("All three"), tr("A, B and B − A"))};
  segments(modes_);
  places_ = {segment(box, "compare_xy", QStringLiteral("xy"), tr("Slices perpendicular to z")),
             segment(box, "compare_volume", tr("3-D"), tr("Projections with one camera")),
             segment(box, "compare_yz", QStringLiteral("yz"), tr("Slices perpendicular to x")),
             segment(box, "compare_xz", QStringLiteral("xz"), tr("Slices perpendicular to y"))};
  segments(places_);
  for (int i = 0; i < 4; ++i) {
    connect(modes_[static_cast<std::size_t>(i)], &QToolButton::clicked, this,
            [this, i] { edit([i](CompareSettings& s) { s.mode = static_cast<CompareMode>(i); }); });
    connect(places_[static_cast<std::size_t>(i)], &QToolButton::clicked, this, [this, i] {
      edit([i](CompareSettings& s) { s.place = static_cast<ComparePlace>(i); });
    });
  }
  same_contrast_ = new QCheckBox(tr("Same contrast and colours"), box);
  same_contrast_->setObjectName(QStringLiteral("compare_same_contrast"));
  same_contrast_->setToolTip(
      tr("Shows both sides with the contrast and colours set in Display; if off, each side has its "
         "own"));
  layout->addWidget(same_contrast_);
  connect(same_contrast_, &QCheckBox::toggled, this,
          [this](bool on) { edit([on](CompareSettings& s) { s.same_contrast = on; }); });
  auto* row = new QHBoxLayout;
  range_label_ = new QLabel(tr("Difference ±"), box);
  range_ = new RealField(1e-30, 3.4e38, box);
  range_->setObjectName(QStringLiteral("compare_range"));
  range_->setToolTip(tr("Differences of this size and more have the strongest colours"));
  automatic_range_ = new QCheckBox(tr("Auto"), box);
  automatic_range_->setObjectName(QStringLiteral("compare_range_auto"));
  automatic_range_->setToolTip(tr("The 99.9 % quantile of the differences in the picture"));
  row->addWidget(range_label_);
  row->addWidget(range_, 1);
  row->addWidget(automatic_range_);
  layout->addLayout(row);
  connect(range_, &QDoubleSpinBox::valueChanged, this,
          [this](double v) { edit([v](CompareSettings& s) { s.difference_range = v; }); });
  connect(automatic_range_, &QCheckBox::toggled, this, [this](bool on) {
    edit([&](CompareSettings& s) { s.difference_range = on ? 0.0 : area_.difference_range(); });
  });
  return box;
}

QWidget* ComparePanel::build_line() {
  auto* box = new QGroupBox(tr("Line profile"), this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 4, 0, 0);
  line_ = new QCheckBox(tr("Draw a line"), box);
  line_->setObjectName(QStringLiteral("compare_line"));
  line_->setToolTip(tr("Drag in a slice to draw a line, or drag its ends; both sides are plotted"));
  line_width_ = new WholeField(1, 99, box);
  line_width_->setObjectName(QStringLiteral("compare_line_width"));
  line_width_->setSuffix(tr(" px wide"));
  line_width_->setToolTip(tr("Averages this many lines side by side, which lowers the noise"));
  row->addWidget(line_, 1);
  row->addWidget(line_width_);
  connect(line_, &QCheckBox::toggled, this, [this](bool on) {
    edit([on](CompareSettings& s) {
      s.line_tool = on;
      if (!on) s.line.reset();
    });
  });
  connect(line_width_, &QSpinBox::valueChanged, this,
          [this](int n) { edit([n](CompareSettings& s) { s.line_width = n; }); });
  return box;
}

QString ComparePanel::metric_text(const QString& row, int column) const {
  return metrics_->text(row, column);
}

QString ComparePanel::cost_text(const QString& row, int column) const {
  return costs_->text(row, column);
}

void ComparePanel::edit(const std::function<void(CompareSettings&)>& change) {
  if (filling_) return;
  CompareSettings settings = comparison_.settings();
  change(settings);
  comparison_.set_settings(settings);
}

void ComparePanel::choose() {
  if (filling_) return;
  const Status done =
      comparison_.compare(a_->currentData().toULongLong(), b_->currentData().toULongLong());
  if (done) return;
  document_.messages().say(done.error());
  follow_items();
}

// Tells how the sides differ; metrics are computed only after the user has accepted that.
void ComparePanel::follow_likeness() {
  const bool active = comparison_.active();
  const QStringList differences = active ? comparison_.differences() : QStringList();
  const bool measured = comparison_.may_measure();
  unlike_->setText(measured ? tr("A and B differ in %1.").arg(differences.join(tr(", ")))
                            : tr("A and B are not alike: they differ in %1. Choose other data, or "
                                 "measure them nevertheless.")
                                  .arg(differences.join(tr(", "))));
  unlike_->setVisible(!differences.isEmpty());
  accept_->setVisible(!differences.isEmpty() && !measured);
}

void ComparePanel::follow_items() {
  filling_ = true;
  const auto fill = [&](QComboBox* combo, const Item* chosen) {
    combo->clear();
    for (const Item& item : document_.items().all()) {
      if (item.is_measurement()) continue;
      // Elided in the middle, as results of the same file differ at the end of their names.
      const QString name = document_.items().full_name(item.id);
      combo->addItem(combo->fontMetrics().elidedText(name, Qt::ElideMiddle, kNameWidth),
                     QVariant::fromValue<qulonglong>(item.id));
      combo->setItemData(combo->count() - 1, name, Qt::ToolTipRole);
    }
    combo->setCurrentIndex(
        chosen != nullptr ? combo->findData(QVariant::fromValue<qulonglong>(chosen->id)) : -1);
    combo->setEnabled(combo->count() > 1);
  };
  const Item* now = document_.items().current();
  const bool active = comparison_.active();
  const auto [a, b] = comparison_.proposal();
  fill(a_, a);
  fill(b_, b);
  filling_ = false;
  begin_->setText(active ? tr("Back to the views") : tr("Compare"));
  begin_->setProperty("primary", !active);
  begin_->style()->polish(begin_);
  begin_->setEnabled(active || document_.items().all().size() > 1);
  begin_->setToolTip(document_.items().all().size() > 1 ? tr("Compare A and B in the views")
                                                        : tr("There is only one data set yet"));
  pixels_->setEnabled(now != nullptr && now->is_apr());
  controls_->setEnabled(active);
  follow_likeness();
  costs_->follow();
}

void ComparePanel::follow_settings() {
  filling_ = true;
  const CompareSettings& s = comparison_.settings();
  modes_[static_cast<std::size_t>(s.mode)]->setChecked(true);
  places_[static_cast<std::size_t>(s.place)]->setChecked(true);
  same_contrast_->setChecked(s.same_contrast);
  line_->setChecked(s.line_tool);
  line_->setEnabled(s.place != ComparePlace::volume);
  line_width_->setEnabled(s.line_tool);
  line_width_->setValue(s.line_width);
  automatic_range_->setChecked(s.difference_range == 0.0);
  const bool difference = s.mode == CompareMode::difference || s.mode == CompareMode::all_three;
  for (QWidget* w : {static_cast<QWidget*>(range_label_), static_cast<QWidget*>(range_),
                     static_cast<QWidget*>(automatic_range_)}) {
    w->setEnabled(difference);
  }
  range_->setValue(area_.difference_range());
  filling_ = false;
}

Panel compare_panel() {
  // Without an entry in the Process menu: Compare has a menu, a key and an option of its own.
  return {.id = QStringLiteral("compare"),
          .title = ComparePanel::tr("Compare"),
          .make = [](const PanelHost& host) {
            auto* panel = new ComparePanel(host.document, host.comparison, host.compare_area);
            QObject::connect(panel, &ComparePanel::export_requested, panel, host.export_comparison);
            return scrolled(panel);
          }};
}

}  // namespace aprscope::gui

#include "app/gui/panels/correction_bar.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "app/gui/widgets/steady_label.hpp"

namespace aprscope::gui {
namespace {

struct Tool {
  CorrectionAction action;
  const char* name;
  const char* text;
  const char* hint;
  /// Number of clicks that complete a correction; 0: the button or Enter completes it.
  std::size_t clicks;
  bool radius;
};

constexpr std::array<Tool, 9> kTools{{
    {CorrectionAction::merge, "merge", QT_TRANSLATE_NOOP("CorrectionBar", "Merge"),
     QT_TRANSLATE_NOOP("CorrectionBar",
                       "Click two cells that should be one, or drag from one into the other."),
     2, false},
    {CorrectionAction::split, "split", QT_TRANSLATE_NOOP("CorrectionBar", "Split"),
     QT_TRANSLATE_NOOP("CorrectionBar",
                       "Click once in each part of a cell, then Do it (or Enter): it is divided "
                       "along the walls in the image."),
     0, false},
    {CorrectionAction::remove, "delete", QT_TRANSLATE_NOOP("CorrectionBar", "Delete"),
     QT_TRANSLATE_NOOP("CorrectionBar",
                       "Click what was taken for a cell but is none, to remove it."),
     1, false},
    {CorrectionAction::create, "new", QT_TRANSLATE_NOOP("CorrectionBar", "New"),
     QT_TRANSLATE_NOOP("CorrectionBar",
                       "Click where a cell is missing: the background there becomes a cell, up to "
                       "the radius (0: all of an enclosed background)."),
     1, true},
    {CorrectionAction::fill_holes, "fill_holes", QT_TRANSLATE_NOOP("CorrectionBar", "Fill holes"),
     QT_TRANSLATE_NOOP("CorrectionBar", "Click a cell whose holes are to be filled."), 1, false},
    {CorrectionAction::grow, "grow", QT_TRANSLATE_NOOP("CorrectionBar", "Grow"),
     QT_TRANSLATE_NOOP("CorrectionBar", "Click a cell that is to grow by the radius."), 1, true},
    {CorrectionAction::shrink, "shrink", QT_TRANSLATE_NOOP("CorrectionBar", "Shrink"),
     QT_TRANSLATE_NOOP("CorrectionBar", "Click a cell that is to shrink by the radius."), 1, true},
    {CorrectionAction::paint, "paint", QT_TRANSLATE_NOOP("CorrectionBar", "Paint"),
     QT_TRANSLATE_NOOP("CorrectionBar",
                       "Draw from inside a cell: what the brush (of this radius) covers is added "
                       "to it; or click the cell first, then the places."),
     2, true},
    {CorrectionAction::erase, "erase", QT_TRANSLATE_NOOP("CorrectionBar", "Erase"),
     QT_TRANSLATE_NOOP(
         "CorrectionBar",
         "Draw or click: what the brush (of this radius) covers will belong to no cell."),
     1, true},
}};

}  // namespace

CorrectionBar::CorrectionBar(QWidget* parent) : QWidget(parent) {
  build();
  connect(tools_, &QButtonGroup::idToggled, this, &CorrectionBar::choose_tool);
  connect(done_, &QPushButton::clicked, this, &CorrectionBar::finish);
  say();
}

void CorrectionBar::build() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* grid = new QGridLayout;
  grid->setSpacing(3);
  tools_ = new QButtonGroup(this);
  // Not exclusive, so that a tool can be turned off by clicking it again.
  tools_->setExclusive(false);
  QStringList hints{tr("Click cells in the slices or rows of the table; Shift adds.")};
  for (std::size_t i = 0; i < kTools.size(); ++i) {
    auto* button = new QToolButton(this);
    button->setText(tr(kTools[i].text));
    button->setCheckable(true);
    button->setObjectName(QStringLiteral("correct_") + QLatin1String(kTools[i].name));
    button->setToolTip(tr(kTools[i].hint));
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tools_->addButton(button, static_cast<int>(i));
    grid->addWidget(button, static_cast<int>(i) / 3, static_cast<int>(i) % 3);
    hints << tr(kTools[i].hint);
  }
  layout->addLayout(grid);
  auto* row = new QHBoxLayout;
  auto* radius_title = new QLabel(tr("Radius"), this);
  radius_ = new QDoubleSpinBox(this);
  radius_->setObjectName(QStringLiteral("correct_radius"));
  radius_->setDecimals(3);
  radius_->setRange(0.0, 1e6);
  radius_->setValue(1.0);
  radius_title->setBuddy(radius_);
  slices_ = new QSpinBox(this);
  slices_->setObjectName(QStringLiteral("correct_slices"));
  slices_->setRange(-1, 100000);
  slices_->setValue(-1);
  slices_->setSpecialValueText(tr("ball"));
  slices_->setPrefix(tr("± "));
  slices_->setSuffix(tr(" slices"));
  slices_->setToolTip(
      tr("The shape of the brush: a ball, or a disc in this many slices on each side"));
  row->addWidget(radius_title);
  row->addWidget(radius_, 1);
  row->addWidget(slices_, 1);
  layout->addLayout(row);
  hint_ = new SteadyLabel(this);
  hint_->setObjectName(QStringLiteral("correct_hint"));
  hint_->setProperty("secondary", true);
  hint_->reserve_texts(hints);
  layout->addWidget(hint_);
  auto* buttons = new QHBoxLayout;
  done_ = new QPushButton(tr("Do it"), this);
  done_->setObjectName(QStringLiteral("correct_done"));
  auto* next = new QPushButton(tr("Next suspicious"), this);
  next->setObjectName(QStringLiteral("correct_next"));
  next->setToolTip(
      tr("Goes to the cell whose numbers look least trustworthy, then to the next: "
         "leaks, cut by the border, odd in volume or shape (Enter: this one is fine, the next)"));
  connect(next, &QPushButton::clicked, this, &CorrectionBar::next_wanted);
  buttons->addWidget(done_, 1);
  buttons->addWidget(next, 1);
  layout->addLayout(buttons);
}

std::optional<CorrectionAction> CorrectionBar::tool() const {
  for (QAbstractButton* button : tools_->buttons()) {
    if (button->isChecked()) return kTools[static_cast<std::size_t>(tools_->id(button))].action;
  }
  return std::nullopt;
}

void CorrectionBar::leave() {
  for (QAbstractButton* button : tools_->buttons()) button->setChecked(false);
}

void CorrectionBar::set_unit(const QString& unit) { radius_->setSuffix(QLatin1Char(' ') + unit); }

// Turns all other tools off.
void CorrectionBar::choose_tool(int tool, bool on) {
  if (on) {
    for (QAbstractButton* button : tools_->buttons()) {
      const QSignalBlocker quiet(tools_);
      if (tools_->id(button) != tool) button->setChecked(false);
    }
  }
  points_.clear();
  asked_ = false;
  say();
  emit tool_changed();
  if (on) emit tool_taken();
}

void CorrectionBar::forget_places() {
  points_.clear();
  say();
}

void CorrectionBar::say() {
  const auto now = tool();
  hint_->setText(tr("Click cells in the slices or rows of the table; Shift adds."));
  bool radius = false;
  bool waits = false;
  for (const Tool& one : kTools) {
    if (now != one.action) continue;
    hint_->setText(points_.empty() || one.clicks == 1
                       ? tr(one.hint)
                       : tr("%1 (%n place(s) so far)", nullptr, static_cast<int>(points_.size()))
                             .arg(tr(one.hint)));
    radius = one.radius;
    waits = one.clicks == 0;
  }
  radius_->setEnabled(radius);
  slices_->setEnabled(now == CorrectionAction::paint || now == CorrectionAction::erase);
  done_->setEnabled(waits && points_.size() >= 2);
}

bool CorrectionBar::paints() const {
  return tool() == CorrectionAction::paint || tool() == CorrectionAction::erase;
}

bool CorrectionBar::takes_strokes() const { return paints() || tool() == CorrectionAction::merge; }

// The brush paints with the cell that was clicked before, else with the one under its start.
void CorrectionBar::stroke(const std::vector<Index3>& places) {
  if (!takes_strokes() || places.empty()) return;
  if (!paints()) {
    // A stroke from one cell over the wall into its neighbour means these two cells.
    points_ = {places.front(), places.back()};
    finish();
    asked_ = false;
    return;
  }
  const bool cell_clicked = !points_.empty();
  points_.insert(points_.end(), places.begin(), places.end());
  finish();
  asked_ = false;
  if (!cell_clicked) forget_places();
}

void CorrectionBar::click(const Index3& place) {
  asked_ = false;
  for (const Tool& one : kTools) {
    if (tool() != one.action) continue;
    points_.push_back(place);
    if (one.clicks != 0 && points_.size() >= one.clicks) {
      finish();
      asked_ = true;
      return;
    }
  }
  say();
}

bool CorrectionBar::take_back() {
  if (std::exchange(asked_, false)) return true;
  // The place of the cell to paint with is not removed, as it was not the last click.
  const std::size_t kept = tool() == CorrectionAction::paint ? 1 : 0;
  if (points_.size() > kept) points_.pop_back();
  say();
  return false;
}

void CorrectionBar::finish() {
  const auto now = tool();
  if (!now || points_.empty()) return;
  Correction asked;
  asked.action = *now;
  asked.points = points_;
  asked.radius = radius_->isEnabled() ? radius_->value() : 0.0;
  asked.slices = slices_->isEnabled() ? slices_->value() : -1;
  // Keeps the cell to paint with.
  points_.resize(*now == CorrectionAction::paint ? 1 : 0);
  say();
  emit wanted(asked);
}

void CorrectionBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && tool()) {
    leave();
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
             done_->isEnabled()) {
    finish();
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !tool()) {
    emit next_wanted();
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace aprscope::gui

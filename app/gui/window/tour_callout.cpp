#include "app/gui/window/tour_callout.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace aprscope::gui {
namespace {

constexpr int kCalloutWidth = 332;

}  // namespace

TourCallout::TourCallout(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("tour_callout"));
  setAccessibleName(tr("Tour"));
  setFixedWidth(kCalloutWidth);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 14, 18, 14);
  layout->setSpacing(7);
  const auto label = [&](const char* name) {
    auto* made = new QLabel(this);
    made->setObjectName(QLatin1String(name));
    made->setTextFormat(Qt::PlainText);
    made->setWordWrap(true);
    layout->addWidget(made);
    return made;
  };
  count_ = label("tour_count");
  count_->setProperty("muted", true);
  title_ = label("tour_title");
  QFont large = title_->font();
  large.setPointSizeF(large.pointSizeF() + 3.0);
  large.setBold(true);
  title_->setFont(large);
  text_ = label("tour_text");
  waiting_ = label("tour_waiting");
  waiting_->setProperty("callout", true);
  auto* row = new QHBoxLayout;
  const auto button = [&](const char* name, const QString& text) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    // Return presses the focused button.
    made->setAutoDefault(true);
    return made;
  };
  skip_ = button("tour_skip", tr("Skip"));
  skip_->setToolTip(tr("End the tour (Esc); Help → Take the tour begins it again"));
  auto* more = button("tour_more", tr("More"));
  more->setToolTip(tr("Read about this on the help page"));
  back_ = button("tour_back", tr("Back"));
  next_ = button("tour_next", tr("Next"));
  next_->setProperty("primary", true);
  row->addWidget(skip_);
  row->addWidget(more);
  row->addStretch(1);
  row->addWidget(back_);
  row->addWidget(next_);
  layout->addSpacing(4);
  layout->addLayout(row);
  connect(skip_, &QPushButton::clicked, this, &TourCallout::skip_requested);
  connect(more, &QPushButton::clicked, this, &TourCallout::more_requested);
  connect(back_, &QPushButton::clicked, this, &TourCallout::back_requested);
  connect(next_, &QPushButton::clicked, this, &TourCallout::next_requested);
}

void TourCallout::set_step(int index, int count, const QString& title, const QString& text) {
  count_->setText(tr("%1 of %2").arg(index + 1).arg(count));
  title_->setText(title);
  text_->setText(text);
  back_->setEnabled(index > 0);
  const bool last = index + 1 == count;
  next_->setText(last ? tr("Done") : tr("Next"));
  skip_->setVisible(!last);
  set_waiting({});
  // So that Return goes on, and that a screen reader reads the step.
  setAccessibleDescription(count_->text() + QStringLiteral(": ") + title + QStringLiteral(". ") +
                           text);
  next_->setFocus();
}

void TourCallout::set_waiting(const QString& text) {
  waiting_->setText(text);
  waiting_->setVisible(!text.isEmpty());
}

QString TourCallout::title() const { return title_->text(); }

}  // namespace aprscope::gui

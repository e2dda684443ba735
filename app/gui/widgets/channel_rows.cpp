#include "app/gui/widgets/channel_rows.hpp"

#include <QColorDialog>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <tuple>
#include <utility>

#include "app/gui/widgets/number_field.hpp"

namespace aprscope::gui {
namespace {

constexpr double kLargestValue = 3.4e38;  // of 32-bit floats
constexpr int kIconSide = 16;

QIcon swatch(const Rgb& colour) {
  QPixmap square(kIconSide, kIconSide);
  square.fill(QColor(colour[0], colour[1], colour[2]));
  return QIcon(square);
}

// The icon of an eye, open or closed.
QIcon eye(bool open, const QColor& ink) {
  QPixmap picture(2 * kIconSide, 2 * kIconSide);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(ink, 2.5));
  if (open) {
    painter.drawEllipse(QRectF(3, 8, 26, 16));
    painter.setBrush(ink);
    painter.drawEllipse(QRectF(11, 11, 10, 10));
  } else {
    painter.drawArc(QRectF(3, 2, 26, 18), 190 * 16, 160 * 16);
  }
  return QIcon(picture);
}

std::array<std::pair<QString, Rgb>, 7> named_colours() {
  return {{{ChannelRows::tr("Green"), {0, 255, 0}},
           {ChannelRows::tr("Magenta"), {255, 0, 255}},
           {ChannelRows::tr("Cyan"), {0, 255, 255}},
           {ChannelRows::tr("Yellow"), {255, 255, 0}},
           {ChannelRows::tr("Red"), {255, 0, 0}},
           {ChannelRows::tr("Blue"), {0, 0, 255}},
           {ChannelRows::tr("White"), {255, 255, 255}}}};
}

RealField* contrast_field(QWidget* parent, const QString& name, double least, double most) {
  auto* field = new RealField(least, most, parent);
  field->setObjectName(name);
  field->setKeyboardTracking(false);
  field->setMinimumWidth(56);
  return field;
}

}  // namespace

struct ChannelRows::Controls {
  QWidget* row = nullptr;
  QToolButton* eye = nullptr;
  QToolButton* colour = nullptr;
  QToolButton* name = nullptr;
  RealField* low = nullptr;
  RealField* high = nullptr;
  RealField* gamma = nullptr;
  QToolButton* automatic = nullptr;
};

ChannelRows::ChannelRows(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("channel_rows"));
  layout_ = new QVBoxLayout(this);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(6);
}

ChannelRows::~ChannelRows() = default;

void ChannelRows::set_rows(const std::vector<ChannelRow>& rows) {
  if (rows == rows_) return;
  rows_ = rows;
  filling_ = true;
  while (controls_.size() > rows_.size()) {
    delete controls_.back().row;
    controls_.pop_back();
  }
  while (controls_.size() < rows_.size()) add_row(static_cast<int>(controls_.size()));
  for (std::size_t c = 0; c < rows_.size(); ++c) show_row(static_cast<int>(c));
  filling_ = false;
}

void ChannelRows::add_row(int channel) {
  Controls c;
  const auto named = [channel](const char* what) {
    return QStringLiteral("channel_%1_%2").arg(QLatin1String(what)).arg(channel);
  };
  c.row = new QWidget(this);
  auto* grid = new QGridLayout(c.row);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(2);
  auto* head = new QHBoxLayout;
  c.eye = new QToolButton(c.row);
  c.eye->setObjectName(named("eye"));
  c.eye->setCheckable(true);
  c.eye->setAutoRaise(true);
  c.colour = new QToolButton(c.row);
  c.colour->setObjectName(named("colour"));
  c.colour->setPopupMode(QToolButton::InstantPopup);
  c.colour->setAutoRaise(true);
  c.name = new QToolButton(c.row);
  c.name->setObjectName(named("name"));
  c.name->setAutoRaise(true);
  c.name->setCheckable(true);
  c.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  c.name->setToolTip(tr("Choose this channel: filters, conversion and the histogram are about it"));
  head->addWidget(c.eye);
  head->addWidget(c.colour);
  head->addWidget(c.name, 1);
  grid->addLayout(head, 0, 0, 1, 5);
  c.low = contrast_field(c.row, named("low"), -kLargestValue, kLargestValue);
  c.low->setToolTip(tr("Value that is drawn black"));
  c.high = contrast_field(c.row, named("high"), -kLargestValue, kLargestValue);
  c.high->setToolTip(tr("Value that is drawn in the full colour"));
  c.gamma = contrast_field(c.row, named("gamma"), 0.1, 5.0);
  c.gamma->setStepType(QAbstractSpinBox::DefaultStepType);
  c.gamma->setSingleStep(0.05);
  c.gamma->setToolTip(tr("Gamma: below 1 brightens dark structures"));
  c.automatic = new QToolButton(c.row);
  c.automatic->setObjectName(named("auto"));
  c.automatic->setText(tr("Auto"));
  c.automatic->setToolTip(tr("Contrast from the 1 % to the 99.9 % quantile of this channel"));
  auto* gamma_name = new QLabel(QStringLiteral("γ"), c.row);
  gamma_name->setBuddy(c.gamma);
  grid->addWidget(c.low, 1, 0);
  grid->addWidget(c.high, 1, 1);
  grid->addWidget(gamma_name, 1, 2);
  grid->addWidget(c.gamma, 1, 3);
  grid->addWidget(c.automatic, 1, 4);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 3);
  grid->setColumnStretch(3, 2);
  layout_->addWidget(c.row);

  auto* menu = new QMenu(c.colour);
  for (const auto& [name, colour] : named_colours()) {
    menu->addAction(swatch(colour), name, this,
                    [this, channel, set = colour] { emit colour_edited(channel, set); });
  }
  menu->addSeparator();
  menu->addAction(tr("Other…"), this, [this, channel] {
    const Rgb now = rows_[static_cast<std::size_t>(channel)].look.colour;
    const QColor picked =
        QColorDialog::getColor(QColor(now[0], now[1], now[2]), this, tr("Colour of the channel"));
    if (!picked.isValid()) return;
    const auto byte = [](int v) { return static_cast<std::uint8_t>(v); };
    emit colour_edited(channel, {byte(picked.red()), byte(picked.green()), byte(picked.blue())});
  });
  c.colour->setMenu(menu);

  connect(c.eye, &QToolButton::toggled, this, [this, channel](bool on) {
    if (!filling_) emit visible_edited(channel, on);
  });
  connect(c.name, &QToolButton::clicked, this, [this, channel] {
    // Restores the button's pressed state, which shows that this channel is chosen.
    show_row(channel);
    emit chosen(channel);
  });
  connect(c.automatic, &QToolButton::clicked, this,
          [this, channel] { emit automatic_requested(channel); });
  for (RealField* field : {c.low, c.high, c.gamma}) {
    connect(field, &QDoubleSpinBox::valueChanged, this,
            [this, channel] { edit_contrast(channel); });
  }
  controls_.push_back(c);
}

void ChannelRows::show_row(int channel) {
  const auto at = static_cast<std::size_t>(channel);
  const ChannelRow& row = rows_[at];
  const Controls& c = controls_[at];
  const bool before = std::exchange(filling_, true);
  c.eye->setChecked(row.look.visible);
  c.eye->setIcon(eye(row.look.visible, palette().color(QPalette::ButtonText)));
  c.eye->setToolTip(row.look.visible ? tr("Hide %1").arg(row.name) : tr("Show %1").arg(row.name));
  c.eye->setAccessibleName(tr("Show %1").arg(row.name));
  c.colour->setIcon(swatch(row.look.colour));
  c.colour->setToolTip(tr("Colour of %1").arg(row.name));
  c.colour->setAccessibleName(c.colour->toolTip());
  const bool missing = row.look.visible && !row.there;
  c.name->setText(missing ? tr("%1 (not there yet)").arg(row.name) : row.name);
  c.name->setChecked(row.chosen);
  c.automatic->setEnabled(!row.automatic);
  const Contrast& contrast = row.look.contrast;
  const double range = contrast.high - contrast.low;
  const int decimals = range >= 100 ? 0 : range >= 1 ? 2 : 5;
  for (const auto& [field, value, name] :
       {std::tuple(c.low, contrast.low, tr("Darkest value of %1")),
        std::tuple(c.high, contrast.high, tr("Brightest value of %1")),
        std::tuple(c.gamma, contrast.gamma, tr("Gamma of %1"))}) {
    field->setEnabled(row.there);
    field->setAccessibleName(name.arg(row.name));
    if (field->hasFocus() && field->value() == value) continue;
    field->setDecimals(field == c.gamma ? 2 : decimals);
    field->setValue(value);
  }
  filling_ = before;
}

void ChannelRows::edit_contrast(int channel) {
  if (filling_) return;
  const Controls& c = controls_[static_cast<std::size_t>(channel)];
  emit contrast_edited(channel, {c.low->value(), c.high->value(), c.gamma->value()});
}

}  // namespace aprscope::gui

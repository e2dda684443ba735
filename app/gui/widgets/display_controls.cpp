#include "app/gui/widgets/display_controls.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/gui/widgets/histogram_widget.hpp"
#include "app/gui/widgets/number_field.hpp"

namespace aprscope::gui {
namespace {

// A small bar of a table's colours, for the menu.
QIcon colormap_icon(const std::string& name) {
  const ColorTable& table = colormap(name);
  QImage bar(64, 12, QImage::Format_RGB32);
  for (int x = 0; x < bar.width(); ++x) {
    const auto& c = table[static_cast<std::size_t>(x * 255 / (bar.width() - 1))];
    for (int y = 0; y < bar.height(); ++y) bar.setPixel(x, y, qRgb(c[0], c[1], c[2]));
  }
  return QIcon(QPixmap::fromImage(bar));
}

constexpr double kLargestGrey = 3.4e38;  // of 32-bit floats

QDoubleSpinBox* grey_value_box(QWidget* parent, const char* name) {
  auto* box = new RealField(-kLargestGrey, kLargestGrey, parent);
  box->setObjectName(QLatin1String(name));
  box->setKeyboardTracking(false);
  box->setMinimumWidth(70);
  box->setMaximumWidth(160);
  return box;
}

}  // namespace

DisplayControls::DisplayControls(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  auto* form = new QFormLayout;

  mode_ = new QComboBox(this);
  mode_->setObjectName(QStringLiteral("display_mode"));
  mode_->setToolTip(
      tr("Show the original pixels, the particles as constant cells, interpolated, "
         "their levels, or as dots"));
  form->addRow(tr("Show"), mode_);
  colormap_ = new QComboBox(this);
  colormap_->setObjectName(QStringLiteral("display_colormap"));
  colormap_->setIconSize(QSize(64, 12));
  offer_colours();
  auto* colours_box = new QWidget(this);
  auto* colours = new QHBoxLayout(colours_box);
  colours->setContentsMargins(0, 0, 0, 0);
  colours->addWidget(colormap_, 1);
  auto* import = new QPushButton(tr("Import …"), this);
  import->setObjectName(QStringLiteral("import_colours"));
  import->setToolTip(
      tr("Adds colours from a look-up table: a .lut file of ImageJ, or lines of red, green, blue"));
  connect(import, &QPushButton::clicked, this, &DisplayControls::import_requested);
  colours->addWidget(import);
  form->addRow(tr("Colours"), colours_box);
  of_one_ = {colours_box, form->labelForField(colours_box)};
  layout->addLayout(form);
  composite_ = new QCheckBox(tr("All channels over each other"), this);
  composite_->setObjectName(QStringLiteral("display_composite"));
  composite_->setToolTip(
      tr("Each channel in a colour of its own; where they meet, colours add up"));
  composite_->hide();
  layout->addWidget(composite_);
  channel_rows_ = new ChannelRows(this);
  channel_rows_->hide();
  layout->addWidget(channel_rows_);
  connect(composite_, &QCheckBox::clicked, this, &DisplayControls::composite_edited);
  reach_note_ = new QLabel(
      tr("Levels have colours of their own. Contrast and colours change the 3-D view."), this);
  reach_note_->setWordWrap(true);
  reach_note_->setProperty("muted", true);
  reach_note_->hide();
  layout->addWidget(reach_note_);

  histogram_widget_ = new HistogramWidget(this);
  histogram_widget_->setMinimumHeight(130);
  layout->addWidget(histogram_widget_);

  auto* limits_box = new QWidget(this);
  auto* limits = new QHBoxLayout(limits_box);
  limits->setContentsMargins(0, 0, 0, 0);
  low_ = grey_value_box(this, "display_low");
  low_->setToolTip(tr("Grey value that is drawn darkest"));
  high_ = grey_value_box(this, "display_high");
  high_->setToolTip(tr("Grey value that is drawn brightest"));
  limits->addWidget(low_, 1);
  limits->addWidget(new QLabel(tr("to"), this));
  limits->addWidget(high_, 1);
  auto* automatic_button = new QPushButton(tr("Auto"), this);
  automatic_button->setObjectName(QStringLiteral("display_auto"));
  automatic_button->setToolTip(tr("Contrast from the 1 % to the 99.9 % quantile"));
  limits->addWidget(automatic_button);
  layout->addWidget(limits_box);

  auto* more = new QFormLayout;
  gamma_ = new RealField(0.1, 5.0, this);
  gamma_->setObjectName(QStringLiteral("display_gamma"));
  gamma_->setStepType(QAbstractSpinBox::DefaultStepType);
  gamma_->setSingleStep(0.05);
  gamma_->setToolTip(tr("Below 1 brightens dark structures"));
  more->addRow(tr("Gamma"), gamma_);
  of_one_.insert(of_one_.end(), {limits_box, gamma_, more->labelForField(gamma_)});
  scale_bar_ = new QCheckBox(tr("Scale bar"), this);
  crosshair_ = new QCheckBox(tr("Crosshair"), this);
  more->addRow(scale_bar_);
  more->addRow(crosshair_);
  layout->addLayout(more);
  layout->addStretch(1);
  for (QWidget* control : std::initializer_list<QWidget*>{colormap_, histogram_widget_, low_, high_,
                                                          automatic_button, gamma_}) {
    contrast_controls_.emplace_back(control, control->toolTip());
  }

  connect(mode_, &QComboBox::currentIndexChanged, this, [this] {
    DisplaySettings s = settings_;
    s.mode = static_cast<ShowMode>(mode_->currentData().toInt());
    edit(s);
  });
  connect(colormap_, &QComboBox::currentTextChanged, this, [this](const QString& name) {
    DisplaySettings s = settings_;
    s.colormap = name.toStdString();
    edit(s);
  });
  connect(low_, &QDoubleSpinBox::valueChanged, this, [this](double v) {
    DisplaySettings s = settings_;
    s.contrast.low = v;
    edit(s);
  });
  connect(high_, &QDoubleSpinBox::valueChanged, this, [this](double v) {
    DisplaySettings s = settings_;
    s.contrast.high = v;
    edit(s);
  });
  connect(gamma_, &QDoubleSpinBox::valueChanged, this, [this](double v) {
    DisplaySettings s = settings_;
    s.contrast.gamma = v;
    edit(s);
  });
  connect(scale_bar_, &QCheckBox::toggled, this, [this](bool on) {
    DisplaySettings s = settings_;
    s.scale_bar = on;
    edit(s);
  });
  connect(crosshair_, &QCheckBox::toggled, this, [this](bool on) {
    DisplaySettings s = settings_;
    s.crosshair = on;
    edit(s);
  });
  connect(histogram_widget_, &HistogramWidget::contrast_edited, this, [this](const Contrast& c) {
    DisplaySettings s = settings_;
    s.contrast.low = c.low;
    s.contrast.high = c.high;
    edit(s);
  });
  connect(histogram_widget_, &HistogramWidget::automatic_requested, this,
          &DisplayControls::automatic);
  connect(automatic_button, &QPushButton::clicked, this, &DisplayControls::automatic);
  set_settings({}, false, true);
}

void DisplayControls::offer_colours() {
  const bool was_filling = std::exchange(filling_, true);
  colormap_->clear();
  const auto offer = [this](const std::string& name) {
    colormap_->addItem(colormap_icon(name), QString::fromStdString(name));
  };
  for (const std::string& name : colormap_names()) {
    if (name != "levels") offer(name);  // that table belongs to the level mode
  }
  for (const std::string& name : added_colormaps()) offer(name);
  colormap_->setCurrentText(QString::fromStdString(settings_.colormap));
  filling_ = was_filling;
}

void DisplayControls::set_settings(const DisplaySettings& settings, bool is_apr, bool has_pixels) {
  filling_ = true;
  settings_ = settings;
  mode_->clear();
  const auto offer = [this](const QString& text, ShowMode mode) {
    mode_->addItem(text, static_cast<int>(mode));
  };
  if (has_pixels || !is_apr) offer(tr("Pixels"), ShowMode::pixel);
  if (is_apr) {
    offer(tr("Particles, constant"), ShowMode::constant);
    offer(tr("Particles, smooth"), ShowMode::smooth);
    offer(tr("Levels"), ShowMode::level);
    offer(tr("Particle dots"), ShowMode::dots);
  }
  mode_->setCurrentIndex(std::max(0, mode_->findData(static_cast<int>(settings.mode))));
  const QString colours = QString::fromStdString(settings.colormap);
  // A workspace brings its own.
  if (colormap_->findText(colours) < 0) offer_colours();
  colormap_->setCurrentText(colours);
  gamma_->setValue(settings.contrast.gamma);
  scale_bar_->setChecked(settings.scale_bar);
  crosshair_->setChecked(settings.crosshair);
  show_contrast();
  filling_ = false;
}

void DisplayControls::set_contrast_reach(ContrastReach reach) {
  const bool used = reach != ContrastReach::nothing;
  for (const auto& [control, tip] : contrast_controls_) {
    control->setEnabled(used);
    control->setToolTip(used ? tip : tr("A level map has colours of its own"));
  }
  reach_note_->setVisible(reach == ContrastReach::volume_only);
}

void DisplayControls::set_histogram(const Histogram& histogram) {
  histogram_ = histogram;
  histogram_widget_->set_histogram(histogram);
}

void DisplayControls::set_channels(bool offered, const std::vector<ChannelRow>& rows) {
  composite_->setVisible(offered);
  composite_->setChecked(!rows.empty());
  channel_rows_->set_rows(rows);
  channel_rows_->setVisible(!rows.empty());
  for (QWidget* control : of_one_) control->setVisible(rows.empty());
}

void DisplayControls::edit(const DisplaySettings& settings) {
  if (filling_ || settings == settings_) return;
  settings_ = settings;
  filling_ = true;
  show_contrast();
  filling_ = false;
  emit settings_edited(settings_);
}

void DisplayControls::show_contrast() {
  histogram_widget_->set_contrast(settings_.contrast);
  // Whole grey values need no decimals; a range of a few units does.
  const double range = settings_.contrast.high - settings_.contrast.low;
  const int decimals = range >= 100 ? 0 : range >= 1 ? 2 : 5;
  for (auto [box, value] :
       {std::pair(low_, settings_.contrast.low), std::pair(high_, settings_.contrast.high)}) {
    if (box->hasFocus()) continue;  // do not rewrite what is being typed
    box->setDecimals(decimals);
    box->setValue(value);
  }
}

void DisplayControls::automatic() {
  if (histogram_.count == 0) return;
  const Contrast found = automatic_contrast(histogram_);
  DisplaySettings s = settings_;
  s.contrast.low = found.low;
  s.contrast.high = found.high;
  edit(s);
}

}  // namespace aprscope::gui

#include "app/gui/widgets/theme.hpp"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontInfo>
#include <QPainter>
#include <QPalette>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <vector>

// Icons and style sheet are resources of a static library, which the linker would leave out without
// this call. The macro only works outside of namespaces.
static void load_resources() { Q_INIT_RESOURCE(gui); }

namespace aprscope::gui {
namespace {

struct NamedColor {
  const char* name;
  const char* dark;
  const char* light;
};

constexpr std::array kColors{
    NamedColor{"window", "#1b1e26", "#f4f5f8"},      NamedColor{"base", "#14171e", "#ffffff"},
    NamedColor{"raised", "#252a35", "#ffffff"},      NamedColor{"line", "#2f3542", "#d9dde6"},
    NamedColor{"control", "#4c5566", "#b3bac8"},     NamedColor{"text", "#e6e9f0", "#1d2330"},
    NamedColor{"muted", "#9aa4b6", "#5e6879"},       NamedColor{"faint", "#626c7e", "#a3abb9"},
    NamedColor{"hover", "#2a303c", "#e8ebf2"},       NamedColor{"pressed", "#343b4a", "#dce1ec"},
    NamedColor{"selection", "#31396a", "#d9defc"},   NamedColor{"accent", "#7584ff", "#4a58dc"},
    NamedColor{"accenthover", "#8a97ff", "#3c49c8"}, NamedColor{"onaccent", "#10131a", "#ffffff"},
    NamedColor{"preview", "#f0b429", "#f0b429"},     NamedColor{"onpreview", "#241b02", "#241b02"},
    NamedColor{"warning", "#4d3e14", "#fff0c9"},     NamedColor{"onwarning", "#ffdf91", "#5c4500"},
    NamedColor{"error", "#5a2328", "#fde0e0"},       NamedColor{"onerror", "#ffc9c9", "#7d1620"},
};

// Sizes of text in per cent.
constexpr std::array kTextSizes{80, 90, kUsualTextSize, 115, 130, 150, 175, 200};

QColor color(const char* name, ThemeKind kind) {
  for (const NamedColor& c : kColors) {
    if (qstrcmp(c.name, name) == 0) return QColor(kind == ThemeKind::dark ? c.dark : c.light);
  }
  return Qt::magenta;
}

// The system's font in another size.
QFont font_of(int percent) {
  static const QFont usual = QApplication::font();
  QFont font = usual;
  font.setPointSizeF(QFontInfo(usual).pointSizeF() * percent / kUsualTextSize);
  return font;
}

QByteArray recolored(const QString& name, const QColor& color) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().replace("#000", color.name().toLatin1());
}

QPixmap picture(const QString& name, const QColor& color, int side) {
  QSvgRenderer renderer(recolored(name, color));
  QPixmap pixmap(side, side);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  return pixmap;
}

QPalette palette_of(ThemeKind kind) {
  const auto c = [kind](const char* name) { return color(name, kind); };
  QPalette p;
  p.setColor(QPalette::Window, c("window"));
  p.setColor(QPalette::WindowText, c("text"));
  p.setColor(QPalette::Base, c("base"));
  p.setColor(QPalette::AlternateBase, c("hover"));
  p.setColor(QPalette::Text, c("text"));
  p.setColor(QPalette::PlaceholderText, c("faint"));
  p.setColor(QPalette::Button, c("raised"));
  p.setColor(QPalette::ButtonText, c("text"));
  p.setColor(QPalette::BrightText, c("onerror"));
  p.setColor(QPalette::ToolTipBase, c("raised"));
  p.setColor(QPalette::ToolTipText, c("text"));
  p.setColor(QPalette::Highlight, c("accent"));
  p.setColor(QPalette::HighlightedText, c("onaccent"));
  p.setColor(QPalette::Link, c("accent"));
  p.setColor(QPalette::Light, c("hover"));
  p.setColor(QPalette::Midlight, c("hover"));
  p.setColor(QPalette::Mid, c("line"));
  p.setColor(QPalette::Dark, c("line"));
  p.setColor(QPalette::Shadow, c("base"));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, c("faint"));
  }
  return p;
}

// Writes the icons in one colour to a folder that exists until the program ends, since a style
// sheet can only refer to files.
QString icon_folder(const QString& name, const QColor& color) {
  static const QTemporaryDir root;
  QString folder = root.filePath(name);
  QDir().mkpath(folder);
  for (const char* icon :
       {"chevron", "chevron-up", "chevron-right", "chevron-left", "check", "close"}) {
    QFile file(folder + QStringLiteral("/%1.svg").arg(QLatin1String(icon)));
    if (file.open(QIODevice::WriteOnly)) file.write(recolored(QLatin1String(icon), color));
  }
  return folder;
}

QString style_sheet(ThemeKind kind) {
  QFile file(QStringLiteral(":/style.qss"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString sheet = QString::fromUtf8(file.readAll());
  const QString suffix = kind == ThemeKind::dark ? QStringLiteral("dark") : QStringLiteral("light");
  sheet.replace(QStringLiteral("@icon"), icon_folder(suffix, color("muted", kind)));
  sheet.replace(QStringLiteral("@onicon"),
                icon_folder(QStringLiteral("on-") + suffix, color("onaccent", kind)));
  // Longer names first, as "accent" is also the beginning of "accenthover".
  std::vector<NamedColor> colors(kColors.begin(), kColors.end());
  std::sort(colors.begin(), colors.end(), [](const NamedColor& a, const NamedColor& b) {
    return qstrlen(a.name) > qstrlen(b.name);
  });
  for (const NamedColor& c : colors) {
    sheet.replace(QLatin1Char('@') + QLatin1String(c.name), color(c.name, kind).name());
  }
  return sheet;
}

}  // namespace

Theme::Theme(QObject* parent) : QObject(parent) { load_resources(); }

void Theme::apply(ThemeKind kind) {
  kind_ = kind;
  icons_.clear();
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setPalette(palette_of(kind));
  QApplication::setFont(font_of(text_size_));
  qApp->setStyleSheet(style_sheet(kind));
  emit changed();
}

void Theme::set_text_size(int percent) {
  const int size = std::clamp(percent, kTextSizes.front(), kTextSizes.back());
  if (size == text_size_) return;
  text_size_ = size;
  apply(kind_);
}

void Theme::step_text_size(int step) {
  int next = text_size_;
  for (const int size : kTextSizes) {
    if (step < 0 && size < text_size_) next = size;
    if (step > 0 && size > text_size_) {
      next = size;
      break;
    }
  }
  set_text_size(next);
}

void Theme::toggle() { apply(kind_ == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark); }

QIcon Theme::icon(const QString& name) const {
  QIcon& icon = icons_[name];
  if (!icon.isNull()) return icon;
  for (const int side : {18, 36}) {
    icon.addPixmap(picture(name, color("text", kind_), side), QIcon::Normal);
    icon.addPixmap(picture(name, color("faint", kind_), side), QIcon::Disabled);
  }
  return icon;
}

ViewTheme Theme::view_theme() const {
  ViewTheme theme = kind_ == ThemeKind::dark ? ViewTheme::dark_theme() : ViewTheme::light_theme();
  theme.focus = color("accent", kind_);
  theme.text_scale = static_cast<double>(text_size_) / kUsualTextSize;
  return theme;
}

}  // namespace aprscope::gui

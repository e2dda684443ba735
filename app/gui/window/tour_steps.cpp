#include "app/gui/window/tour_steps.hpp"

#include <QCoreApplication>
#include <QMenuBar>
#include <QToolBar>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/window/data_list.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/panel_tabs.hpp"

namespace aprscope::gui {
namespace {

QString text(const char* source) { return QCoreApplication::translate("tour", source); }

QWidget* tool_button(MainWindow& window, const char* action) {
  const auto* bar = window.findChild<QToolBar*>(QStringLiteral("toolbar"));
  return bar != nullptr ? bar->widgetForAction(window.action(QLatin1String(action))) : nullptr;
}

TourStep image_step() {
  return {text("An image and its views"),
          text("The demo image: cells in three dimensions, as three slices and as a projection of "
               "the whole volume. Click into a slice and the others follow; the wheel steps "
               "through slices.\n\nYour own images come with Open, or are dropped on the window. "
               "The list on the left holds them."),
          QStringLiteral("display"),
          TourData::image,
          "panel_display",
          TourDeed::all_views,
          [](MainWindow& window) {
            return QList<QWidget*>{&window.views(), &window.data_list()};
          }};
}

TourStep convert_step() {
  return {text("From pixels to particles"),
          text("Particles are small where there is structure and large where there is none. This "
               "box says what you would get: CR is pixels ÷ particles, the error bound is how far "
               "the signal may be off. The slices show it already.\n\nNext converts the image."),
          QStringLiteral("convert"),
          TourData::image,
          "panel_convert",
          TourDeed::nothing,
          [](MainWindow& window) {
            return QList<QWidget*>{window.findChild<QWidget*>(QStringLiteral("convert_chip")),
                                   &window.views().slice(Axis::z)};
          }};
}

TourStep levels_step() {
  return {text("Levels"),
          text("These are particles now. The colours are their levels: the finest cells are single "
               "pixels, those of each level below have twice the side.\n\nDisplay chooses how "
               "particles are shown, and contrast and colours."),
          QStringLiteral("levels"),
          TourData::particles,
          "panel_display",
          TourDeed::levels,
          [](MainWindow& window) {
            return QList<QWidget*>{&window.tabs(), &window.views().slice(Axis::z)};
          }};
}

TourStep filter_step() {
  return {text("Filters, while you watch"),
          text("A filter works on the particles themselves. The slices show what it would give "
               "while you edit: change Sigma. Below it are the stencils of each level.\n\nApply "
               "computes "
               "it for the whole image; the result joins the list."),
          QStringLiteral("filter"),
          TourData::particles,
          "panel_filter",
          TourDeed::nothing,
          [](MainWindow& window) { return QList<QWidget*>{&window.tabs()}; }};
}

TourStep compare_step() {
  return {text("As good as pixels?"),
          text("Compare puts the image and its particles side by side, with one camera, and "
               "measures how much they differ. It does so for every result, with the time and "
               "memory that both took.\n\nDeconvolve, the tab beside it, takes away the blur of "
               "the microscope."),
          QStringLiteral("compare"),
          TourData::particles,
          nullptr,
          TourDeed::compare,
          [](MainWindow& window) {
            return QList<QWidget*>{&window.tabs(), &window.compare_area()};
          }};
}

TourStep keep_step() {
  return {text("Keep it, and find help"),
          text("Export writes what is chosen in the list: particles, pixels, a picture, or the "
               "steps as a recipe. Ctrl + S saves all that is open as a workspace.\n\nThe ? beside "
               "the tabs explains the open one. The Help menu has the whole page, the keyboard "
               "shortcuts and this tour."),
          QStringLiteral("keeping"),
          TourData::particles,
          "panel_display",
          TourDeed::nothing,
          [](MainWindow& window) {
            return QList<QWidget*>{tool_button(window, "export"), &window.panel_help(),
                                   window.menuBar()};
          }};
}

}  // namespace

std::vector<TourStep> tour_steps() {
  return {image_step(), convert_step(), levels_step(), filter_step(), compare_step(), keep_step()};
}

}  // namespace aprscope::gui

#include "app/gui/compare/compare_area.hpp"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QLabel>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/compare/compare_profile.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "core/image/plane_axes.hpp"

namespace aprscope::gui {
namespace {

QString number(double value) { return QString::number(value, 'g', 5); }

}  // namespace

CompareArea::CompareArea(Document& document, Comparison& comparison, Theme& theme, QWidget* parent)
    : QWidget(parent),
      document_(document),
      comparison_(comparison),
      theme_(theme),
      feed_(new CompareFeed(document, comparison, this)) {
  build();
  for (SliceView* view : slices()) link(*view);
  connect(volumes_, &CompareVolumes::difference_changed, this,
          &CompareArea::difference_range_changed);
  connect(feed_, &CompareFeed::picture_ready, this, &CompareArea::show_picture);
  connect(&comparison_, &Comparison::active_changed, this, [this](bool active) {
    if (!active || std::exchange(warm_, true)) return;
    // Once the first picture is seen.
    for (SliceView* view : slices()) QTimer::singleShot(600, view, &VtkWidget::warm_up);
  });
  connect(&comparison_, &Comparison::sides_changed, this, &CompareArea::follow_sides);
  connect(&comparison_, &Comparison::settings_changed, this, &CompareArea::follow_settings);
  connect(&comparison_, &Comparison::display_changed, this, &CompareArea::follow_display);
  connect(&document_.view(), &ViewState::crosshair_changed, this, &CompareArea::follow_crosshair);
  connect(&document_.view(), &ViewState::clip_changed, volumes_, &CompareVolumes::follow_clip);
  connect(&document_.view(), &ViewState::raycaster_ready, this, [this](std::uint64_t id) {
    const bool mine = comparison_.active() && ((comparison_.a() && comparison_.a()->id == id) ||
                                               (comparison_.b() && comparison_.b()->id == id));
    if (mine) follow_sides();
  });
  connect(&document_.view(), &ViewState::options_changed, this, &CompareArea::follow_display);
  connect(&theme_, &Theme::changed, this, &CompareArea::apply_theme);
  apply_theme();
}

void CompareArea::build() {
  setObjectName(QStringLiteral("compare_area"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  rows_ = new QSplitter(Qt::Vertical, this);
  row_ = new QSplitter(Qt::Horizontal, rows_);
  for (QSplitter* splitter : {rows_, row_}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(5);
  }
  left_ = new SliceView(Axis::z, row_);
  right_ = new SliceView(Axis::z, row_);
  difference_ = new SliceView(Axis::z, row_);
  volumes_ = new CompareVolumes(document_, comparison_, *row_);
  left_->setObjectName(QStringLiteral("compare_left"));
  right_->setObjectName(QStringLiteral("compare_right"));
  difference_->setObjectName(QStringLiteral("compare_difference"));
  right_->hide();
  difference_->hide();
  profile_ = new ProfilePlot(rows_);
  profile_->hide();
  rows_->setStretchFactor(0, 3);
  rows_->setStretchFactor(1, 1);
  rows_->setSizes({600, 210});
  layout->addWidget(rows_, 1);
  reading_ = new QLabel(this);
  reading_->setObjectName(QStringLiteral("compare_reading"));
  reading_->setProperty("muted", true);
  layout->addWidget(reading_);
}

const Dataset* CompareArea::data_of(const SliceView& view) const {
  const Item* item = &view == right_ ? comparison_.b() : comparison_.a();
  return item != nullptr ? item->dataset.get() : nullptr;
}

void CompareArea::link(SliceView& view) {
  connect(&view, &SliceView::camera_changed, this, [this, &view](const SliceCamera& camera) {
    if (linking_ || !view.isVisible() || data_of(view) == nullptr) return;
    linking_ = true;
    const VoxelSize& from = data_of(view)->voxel();
    for (SliceView* other : slices()) {
      // Hidden views follow too, so that they look at the same place when they are shown.
      if (other == &view || data_of(*other) == nullptr) continue;
      if (view.navigation().fitted()) {
        other->navigation().fit();
        continue;
      }
      const VoxelSize& to = data_of(*other)->voxel();
      const Axis axis = view.axis();
      SliceCamera same = camera;
      same.row *= component(from, row_axis(axis)) / component(to, row_axis(axis));
      same.col *= component(from, col_axis(axis)) / component(to, col_axis(axis));
      other->navigation().set_camera(same);
    }
    linking_ = false;
  });
  connect(&view, &SliceView::crosshair_moved, this, [this, &view](const Index3& p) {
    const Dataset* of = data_of(view);
    if (of == nullptr || document_.items().current() == nullptr) return;
    document_.view().set_crosshair(
        Comparison::mapped(p, *of, *document_.items().current()->dataset));
  });
  connect(&view, &SliceView::slice_requested, this, [this, &view](std::int64_t index) {
    const Dataset* of = data_of(view);
    if (of == nullptr || document_.items().current() == nullptr) return;
    const Dataset& now = *document_.items().current()->dataset;
    Index3 p = Comparison::mapped(document_.view().crosshair(), now, *of);
    (view.axis() == Axis::z ? p.z : view.axis() == Axis::x ? p.x : p.y) = index;
    document_.view().set_crosshair(Comparison::mapped(p, *of, now));
  });
  connect(&view, &SliceView::hovered, this, [this, &view](const Index3& p) {
    const Dataset* of = data_of(view);
    if (of == nullptr || document_.items().current() == nullptr) return;
    show_reading(p, *of);
    emit hovered(Comparison::mapped(p, *of, *document_.items().current()->dataset));
  });
  connect(&view, &SliceView::hover_left, this, [this] {
    reading_->clear();
    emit hover_left();
  });
  connect(&view, &SliceView::reveal_moved, this, [this](double fraction) {
    CompareSettings settings = comparison_.settings();
    settings.reveal = fraction;
    comparison_.set_settings(settings);
  });
  connect(&view, &SliceView::line_drawn, this, [this](const PlaneLine& line) {
    CompareSettings settings = comparison_.settings();
    settings.line = line;
    comparison_.set_settings(settings);
  });
}

void CompareArea::shape(SliceView& view, Axis axis) {
  const Dataset& of = *data_of(view);
  const Shape now{axis, of.size(), of.voxel()};
  if (shapes_[&view] == now && view.axis() == axis) return;
  shapes_[&view] = now;
  view.set_shape(now.size, now.voxel, axis);
}

QString CompareArea::side_name(bool second) const {
  const Item* item = second ? comparison_.b() : comparison_.a();
  if (item == nullptr) return {};
  return (second ? QStringLiteral("B  ") : QStringLiteral("A  ")) +
         document_.items().full_name(item->id);
}

void CompareArea::follow_sides() {
  if (!comparison_.active() || comparison_.a() == nullptr || comparison_.b() == nullptr) return;
  const Axis axis = axis_of(comparison_.settings().place).value_or(Axis::z);
  for (SliceView* view : slices()) shape(*view, axis);
  left_->comparison().set_reveal_names(side_name(false), side_name(true));
  profile_->set_names(document_.items().full_name(comparison_.a()->id),
                      document_.items().full_name(comparison_.b()->id));
  volumes_->set_names(side_name(false), side_name(true));
  // If only names changed, the feed has its picture already and will not emit it again.
  follow_settings();
  follow_display();
  if (const ComparePicture* picture = feed_->picture()) show_picture(*picture);
}

void CompareArea::follow_settings() {
  if (!comparison_.active()) return;
  const CompareSettings& now = comparison_.settings();
  const bool volume = now.place == ComparePlace::volume;
  const bool first = now.mode != CompareMode::difference;
  const bool pair = now.mode == CompareMode::side_by_side || now.mode == CompareMode::all_three;
  const bool third = now.mode == CompareMode::difference || now.mode == CompareMode::all_three;
  const bool moved = now.mode != shown_.mode || now.place != shown_.place;
  left_->setVisible(!volume && first);
  right_->setVisible(!volume && pair);
  difference_->setVisible(!volume && third);
  volumes_->follow();
  if (moved) share_the_room();
  if (now.place != shown_.place && !volume) {
    const Axis axis = *axis_of(now.place);
    for (SliceView* view : slices()) {
      if (view->axis() != axis) shape(*view, axis);
    }
  }
  for (SliceView* view : slices()) {
    view->tools().set_line_tool(now.line_tool);
    view->tools().set_line(now.line);
  }
  left_->comparison().set_reveal(now.reveal);
  if (moved) {
    shown_ = now;
    if (const ComparePicture* picture = feed_->picture()) show_picture(*picture);
  }
  const bool range = now.difference_range != shown_.difference_range;
  shown_ = now;
  if (range && feed_->picture() != nullptr) show_difference(*feed_->picture());
  show_profile();
}

void CompareArea::share_the_room() { row_->setSizes({1000, 1000, 1000, 1000, 1000, 1000}); }

void CompareArea::follow_display() {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (!comparison_.active() || a == nullptr || b == nullptr) return;
  const DisplaySettings& of_a = comparison_.display_of(*a);
  const DisplaySettings& of_b = comparison_.display_of(*b);
  left_->set_contrast(of_a.contrast);
  left_->set_color_table(colormap(of_a.colormap));
  left_->comparison().set_second_colors(of_b.contrast, colormap(of_b.colormap));
  right_->set_contrast(of_b.contrast);
  right_->set_color_table(colormap(of_b.colormap));
  const ViewOptions& options = document_.view().options();
  for (SliceView* view : slices()) {
    view->overlays().set_scale_bar_visible(of_a.scale_bar);
    view->overlays().set_crosshair_visible(of_a.crosshair);
    view->overlays().set_captions_visible(options.captions);
    view->overlays().set_columns_are_x(options.axes == AxisWords::columns_are_x);
  }
  volumes_->follow_display();
}

void CompareArea::follow_crosshair() {
  if (!comparison_.active() || document_.items().current() == nullptr) return;
  const Dataset& now = *document_.items().current()->dataset;
  for (SliceView* view : slices()) {
    const Dataset* of = data_of(*view);
    if (of != nullptr)
      view->set_crosshair(Comparison::mapped(document_.view().crosshair(), now, *of));
  }
  volumes_->follow_crosshair();
}

void CompareArea::show_picture(const ComparePicture& picture) {
  if (comparison_.a() == nullptr || left_->axis() != picture.axis) return;
  const CompareMode mode = comparison_.settings().mode;
  const auto caption = [&](const QString& what, const Item* item) {
    SliceCaption text;
    text.mode = what;
    if (item != nullptr && item->is_apr()) {
      text.detail = comparison_.mode_of(*item) == ReconstructionMode::smooth
                        ? tr("particles, smooth")
                        : tr("particles, constant");
    }
    return text;
  };
  left_->set_plane(picture.a, picture.index_a);
  const bool reveal = mode == CompareMode::reveal && !picture.difference.values.empty();
  left_->comparison().set_second_plane(reveal ? picture.b : Plane{});
  left_->overlays().set_caption(reveal ? SliceCaption{}
                                       : caption(side_name(false), comparison_.a()));
  right_->set_plane(picture.b, picture.index_b);
  right_->overlays().set_caption(caption(side_name(true), comparison_.b()));
  show_difference(picture);
  follow_display();
  follow_crosshair();
  show_profile();
}

double CompareArea::difference_range() const {
  const double chosen = comparison_.settings().difference_range;
  if (chosen > 0.0) return chosen;
  if (comparison_.settings().place == ComparePlace::volume) {
    return volumes_->pair().comparison().difference_range();
  }
  return feed_->picture() != nullptr ? feed_->picture()->difference_contrast.high : 1.0;
}

void CompareArea::show_difference(const ComparePicture& picture) {
  if (picture.difference.values.empty()) {
    difference_->clear();
    SliceCaption text;
    text.mode = comparison_.may_measure() ? tr("B − A needs data of the same size")
                                          : tr("A and B are not alike: see the panel");
    difference_->overlays().set_caption(text);
    return;
  }
  const double range = difference_range();
  const ColorTable& table = colormap("diverging");
  difference_->set_contrast({-range, range, 1.0});
  difference_->set_color_table(table);
  difference_->set_plane(picture.difference, picture.index_a);
  SliceCaption text;
  text.mode = QStringLiteral("B − A");
  text.detail = tr("blue: A brighter, red: B brighter");
  difference_->overlays().set_caption(text);
  std::vector<LegendEntry> legend;
  for (const double part : {1.0, 0.5, 0.0, -0.5, -1.0}) {
    const auto& c = table[static_cast<std::size_t>(std::lround(127.5 + 127.5 * part))];
    const QString sign = part > 0.0 ? QStringLiteral("+") : QString();
    legend.push_back({QColor(c[0], c[1], c[2]),
                      part == 0.0 ? QStringLiteral("0") : sign + number(part * range)});
  }
  difference_->overlays().set_legend(std::move(legend));
}

void CompareArea::show_profile() {
  const CompareSettings& settings = comparison_.settings();
  const ComparePicture* picture = feed_->picture();
  const bool slices = settings.place != ComparePlace::volume;
  const bool line = settings.line && slices;
  if (!line && settings.line_tool && slices) profile_->clear();
  profile_->setVisible(line || (settings.line_tool && slices));
  if (!line || picture == nullptr || comparison_.a() == nullptr || comparison_.b() == nullptr ||
      axis_of(settings.place) != picture->axis) {
    return;
  }
  const Dataset& a = *comparison_.a()->dataset;
  const ProfilePair both =
      compare_profiles(*picture, *settings.line, settings.line_width, a, *comparison_.b()->dataset);
  profile_->set_profiles(both.a, both.b, QString::fromStdString(a.voxel().unit));
}

void CompareArea::show_reading(const Index3& position, const Dataset& of) {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  const ComparePicture* picture = feed_->picture();
  if (a == nullptr || b == nullptr || picture == nullptr) return;
  const auto value = [&](const Plane& plane, const Dataset& side) {
    const Index3 p = Comparison::mapped(position, of, side);
    const std::int64_t row = picture->axis == Axis::z ? p.x : p.z;
    const std::int64_t col = picture->axis == Axis::y ? p.x : p.y;
    if (row >= plane.rows || col >= plane.cols) return std::nan("");
    return static_cast<double>(plane.values[static_cast<std::size_t>(row * plane.cols + col)]);
  };
  const double va = value(picture->a, *a->dataset);
  const double vb = value(picture->b, *b->dataset);
  reading_->setText(tr("%1      A %2      B %3      B − A %4")
                        .arg(position_words(position, document_.view().options().axes), number(va),
                             number(vb), number(vb - va)));
}

QString CompareArea::reading() const { return reading_->text(); }

void CompareArea::apply_theme() {
  const ViewTheme theme = theme_.view_theme();
  for (SliceView* view : slices()) view->set_theme(theme);
  volumes_->set_theme(theme);
  // As high without text as with it.
  reading_->setFixedHeight(std::max(20, reading_->fontMetrics().lineSpacing() + 4));
}

void CompareArea::reset() {
  for (SliceView* view : slices()) view->navigation().fit();
  volumes_->reset();
  CompareSettings settings = comparison_.settings();
  settings.reveal = 0.5;
  comparison_.set_settings(settings);
  share_the_room();
}

bool CompareArea::wait_until_shown(std::chrono::milliseconds timeout) {
  if (!comparison_.active()) return true;
  QElapsedTimer timer;
  timer.start();
  const auto left = [&] { return timeout - std::chrono::milliseconds(timer.elapsed()); };
  while (document_.jobs().busy() || document_.background().busy() || feed_->busy() ||
         feed_->slice_metrics().pending) {
    if (left().count() <= 0) return false;
    QEventLoop loop;
    QTimer::singleShot(10, &loop, &QEventLoop::quit);
    loop.exec();
  }
  return volumes_->wait_until_exact(std::max(left(), std::chrono::milliseconds(1)));
}

}  // namespace aprscope::gui

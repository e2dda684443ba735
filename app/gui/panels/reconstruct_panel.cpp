#include "app/gui/panels/reconstruct_panel.hpp"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/document/map_growth.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/panels/direction_feed.hpp"
#include "app/gui/panels/growing_surface.hpp"
#include "app/gui/panels/left_out_box.hpp"
#include "app/gui/panels/reconstruct_items.hpp"
#include "app/gui/panels/reprojection_box.hpp"
#include "app/gui/widgets/ctf_view.hpp"
#include "app/gui/widgets/direction_map.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/maps/fsc_measurement.hpp"
#include "core/maps/shells.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr int kProgressLines = 2;
// The number of a table's problems that are listed.
constexpr qsizetype kMostProblems = 20;
// The parameter that the ticks in the table set.
constexpr const char* kLeaveOut = "leave_out";

// The operation that this panel runs.
const OperationType* reconstruction_type() {
  for (const auto& type : operations().all()) {
    if (type->traits.panel == "reconstruct" && type->traits.is_watched) return type.get();
  }
  return nullptr;
}

QString angstrom(double value) { return QStringLiteral("%1 Å").arg(value, 0, 'f', 2); }

}  // namespace

ReconstructPanel::ReconstructPanel(const PanelHost& host, QWidget* parent)
    : QWidget(parent),
      document_(host.document),
      measured_(&host.measured),
      growth_(new MapGrowth(host.document, this)) {
  build(host.views);
  connect(form_, &OperationForm::operation_edited, this, [this] {
    form_->show_what_counts();
    renew_directions();
    update_buttons();
  });
  connect(start_, &QPushButton::clicked, this, &ReconstructPanel::start);
  connect(keep_, &QPushButton::clicked, this, &ReconstructPanel::keep);
  connect(cancel_, &QPushButton::clicked, growth_, &MapGrowth::cancel);
  connect(growth_, &MapGrowth::changed, this, &ReconstructPanel::follow_growth);
  connect(measured_.data(), &MeasurementPreview::changed, this,
          &ReconstructPanel::add_correlations);
  connect(reprojection_, &ReprojectionBox::correlated, this, [this] {
    told_.reset();
    add_correlations();
  });
  connect(&document_.items(), &ItemList::current_changed, this, &ReconstructPanel::follow_item);
  connect(&document_.view(), &ViewState::crosshair_changed, this, &ReconstructPanel::renew_ctf);
  connect(&document_.items(), &ItemList::left_out_changed, this,
          &ReconstructPanel::renew_directions);
  connect(&document_.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (document_.items().current() != nullptr && document_.items().current()->id == id)
      follow_item();
  });
  if (const OperationType* type = reconstruction_type()) {
    set_operation(*complete({type->schema.id, {}}));
  }
  follow_item();
  follow_growth();
}

void ReconstructPanel::build(ViewsArea& views) {
  auto* layout = new QVBoxLayout(this);
  target_ = new ElidedLabel(this);
  target_->setObjectName(QStringLiteral("reconstruct_target"));
  layout->addWidget(target_);
  warning_ = new ElidedLabel(this);
  warning_->setObjectName(QStringLiteral("reconstruct_warning"));
  warning_->setProperty("secondary", true);
  layout->addWidget(warning_);
  layout->addWidget(new LeftOutBox(document_, *growth_, this));
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 4, 0);
  form_ = new OperationForm(inside);
  form_->setObjectName(QStringLiteral("reconstruct_form"));
  // leave_out has no control, since the ticks in the table set it.
  form_->set_filter([](const std::string& parameter) {
    return parameter != kLeaveOut && parameter != "skip_unusable";
  });
  column->addWidget(form_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(scroll, 1);
  auto* map = new DirectionMap(this);
  map->setToolTip(
      tr("From where molecules were seen: rot from left to right, cos tilt upwards, cells of equal "
         "area. Dark regions are views that are missing. With symmetry a line surrounds one "
         "asymmetric unit: all the rest is copies of it"));
  directions_ = new DirectionFeed(document_, *map, this);
  ctf_ = new CtfView(this);
  ctf_->setToolTip(
      tr("What the microscope did to the image that the slices show: white frequencies came "
         "through, black ones are lost; from 0 in the middle to Nyquist"));
  auto* pictures = new QHBoxLayout;
  pictures->addWidget(map, 1);
  pictures->addWidget(ctf_);
  layout->addLayout(pictures);
  reprojection_ = new ReprojectionBox(document_, this);
  layout->addWidget(reprojection_);
  layout->addWidget(new GrowingSurface(document_, views, *growth_, this));
  progress_ = new SteadyLabel(this);
  progress_->setObjectName(QStringLiteral("reconstruct_progress"));
  progress_->setProperty("muted", true);
  progress_->reserve_lines(kProgressLines);
  layout->addWidget(progress_);
  auto* buttons = new QHBoxLayout;
  start_ = new QPushButton(tr("Reconstruct"), this);
  start_->setObjectName(QStringLiteral("reconstruct_start"));
  start_->setProperty("primary", true);
  start_->setToolTip(tr("Makes a map of all images in the background; watch it grow"));
  keep_ = new QPushButton(tr("Keep what there is"), this);
  keep_->setObjectName(QStringLiteral("reconstruct_keep"));
  keep_->setProperty("primary", true);
  keep_->setToolTip(tr("Ends now; the map of the images so far becomes the result"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("reconstruct_cancel"));
  cancel_->setToolTip(tr("Discard this run"));
  for (QPushButton* button : {start_, keep_}) buttons->addWidget(button, 1);
  buttons->addWidget(cancel_);
  layout->addLayout(buttons);
}

void ReconstructPanel::set_operation(const Operation& operation) {
  form_->set_operation(operation);
  form_->show_what_counts();
  renew_directions();
  update_buttons();
}

const Item* ReconstructPanel::source() const {
  const Item* item = document_.items().current();
  if (item == nullptr || projection_table_of(item) != nullptr) return item;
  const Item* parent = document_.items().find(item->parent);
  return projection_table_of(parent) != nullptr ? parent : item;
}

std::uint64_t ReconstructPanel::start() {
  const Item* item = source();
  if (growth_->running() || item == nullptr || item->growing) return 0;
  kept_ = false;
  Operation operation = form_->operation();
  operation.parameters[kLeaveOut] = item->left_out;
  const std::uint64_t job = growth_->start(*item, operation);
  if (job != 0) emit started(job);
  return job;
}

void ReconstructPanel::keep() {
  kept_ = true;
  keep_->setEnabled(false);
  growth_->keep();
}

void ReconstructPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew_table();
}

void ReconstructPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Only if another tab is opened, not if the window is minimised.
  if (!event->spontaneous() && measured_) measured_->clear();
}

void ReconstructPanel::follow_item() {
  say_target();
  renew_directions();
  renew_ctf();
  renew_table();
  update_buttons();
}

void ReconstructPanel::say_target() {
  const Item* item = document_.items().current();
  const ProjectionTable* table = projection_table_of(item);
  has_ctf_ = table != nullptr && table->has_ctf();
  warning_->clear();
  if (table != nullptr) {
    QStringList parts{tr("%L1 images of %2 × %2 px").arg(table->rows.size()).arg(table->side)};
    if (std::isfinite(table->pixel_size)) parts << angstrom(table->pixel_size);
    parts << QString::fromStdString(table->format);
    parts << (has_ctf_ ? tr("CTF") : tr("no CTF"));
    if (table->has_halves()) parts << tr("half sets");
    target_->setText(parts.join(QStringLiteral(" · ")));
    QStringList warnings;
    for (const std::string& each : table->warnings) warnings << QString::fromStdString(each);
    for (const StackProblem& one : table->stack_problems) {
      warnings << QString::fromStdString(table->stacks[one.stack].filename().string() + " " +
                                         one.why);
      if (warnings.size() > kMostProblems) break;
    }
    for (const UnusableRow& one : table->unusable) {
      if (warnings.size() > kMostProblems) break;
      warnings << tr("of image %L1 %2").arg(one.row + 1).arg(QString::fromStdString(one.why));
    }
    warning_->setText(warnings.join(QStringLiteral("; ")));
    return;
  }
  if (const Reconstruction* made = reconstruction_of(item)) {
    QStringList notes;
    for (const std::string& each : made->notes) notes << QString::fromStdString(each);
    target_->setText(tr("Map of %L1 images").arg(made->images));
    warning_->setText(notes.join(QStringLiteral("; ")));
    return;
  }
  if (item != nullptr && item->growing) {
    target_->setText(tr("Map that is being made"));
    return;
  }
  target_->setText(tr("Open a .star, .xmd or .cs file that names images and their orientations."));
}

void ReconstructPanel::renew_directions() {
  directions_->renew(parameter<std::string>(form_->operation(), "symmetry"));
}

// Shows the CTF of the image in the slices.
void ReconstructPanel::renew_ctf() {
  const Item* item = document_.items().current();
  const ProjectionTable* table = projection_table_of(item);
  const auto row = static_cast<std::size_t>(
      table != nullptr ? shown_row(*item, document_.view().crosshair().z) : -1);
  if (table == nullptr || row >= table->rows.size() || !has_ctf_) {
    ctf_->set_ctf(std::nullopt, 0.0);
    ctf_->hide();
    return;
  }
  ctf_->show();
  const Projection& shown = table->rows[row];
  const OpticsGroup& optics = table->optics[shown.optics];
  ctf_->set_ctf(ctf_of(shown, optics), optics.pixel_size);
}

// Shows the table of the item: the first measurement that supports it.
void ReconstructPanel::renew_table() {
  if (!isVisible() || measured_ == nullptr) return;
  const Item* item = document_.items().current();
  if (item == nullptr || item->is_measurement()) return;
  if (item->growing) {
    show_growing_curve();
    return;
  }
  // The table with the column of correlations is shown already, also for other images of the set.
  if (const auto told = told_.lock(); told != nullptr && told == measured_->shown()) return;
  for (const auto& type : operations().all()) {
    const Traits& traits = type->traits;
    if (traits.gives != Gives::measurement) continue;
    if (traits.panel != "reconstruct" && traits.shown_in != "reconstruct") continue;
    const auto whole = complete({type->schema.id, {}});
    if (!whole || !document_.runner().supports(*whole)) continue;
    measured_->set_operation(*whole);
    return;
  }
  measured_->clear();
}

// Adds the correlation of each image with a map to the table, as a column.
void ReconstructPanel::add_correlations() {
  const auto& found = reprojection_->correlations();
  const Item* item = document_.items().current();
  if (!isVisible() || measured_ == nullptr || !found || item == nullptr ||
      found->item != item->id || found->voxel != item->dataset->voxel()) {
    return;
  }
  const auto shown = measured_->shown();
  if (!shown || shown->tables.empty() || shown == told_.lock()) return;
  const Table& table = shown->tables.back();
  if (table.column("in_stack") == nullptr || table.rows() != found->values.size()) return;
  Measurement with = *shown;
  std::vector<Column>& columns = with.tables.back().columns;
  std::erase_if(columns, [](const Column& one) { return one.id == "correlation"; });
  columns.insert(columns.begin() + 1, {"correlation", "Correlation", "", found->values});
  const auto told = std::make_shared<const Measurement>(std::move(with));
  told_ = told;
  measured_->show(told);
}

void ReconstructPanel::show_growing_curve() {
  if (!isVisible() || measured_ == nullptr) return;
  const MapGrowth::State& state = growth_->state();
  if (state.fsc.empty()) return;
  const bool known = state.pixel_size > 0.0;
  FscCurves curves;
  curves.unmasked = state.fsc;
  measured_->show(std::make_shared<const Measurement>(fsc_measurement(
      curves, {state.side, known ? state.pixel_size : 1.0, known ? "Å" : "px"}, {})));
}

void ReconstructPanel::follow_growth() {
  const Item* item = document_.items().current();
  if (item != nullptr && item->growing) show_growing_curve();
  const MapGrowth::State& state = growth_->state();
  QString text;
  if (growth_->running() && state.total == 0) {
    text = tr("Reading images …");
  } else if (state.total > 0) {
    text = tr("%L1 of %L2 images").arg(state.done).arg(state.total);
    // Frequencies without enough views; a large share is a missing cone.
    if (state.thin_share) {
      text +=
          tr(", %1 % of frequencies with too few views").arg(100.0 * *state.thin_share, 0, 'f', 1);
    }
    const auto found = crossing(state.fsc, kGoldStandard, state.side, state.pixel_size);
    if (found && state.pixel_size > 0.0) {
      text += QStringLiteral("\n") +
              tr("resolution %1 so far (half maps, FSC .143)").arg(angstrom(*found));
    }
  }
  progress_->setText(text);
  update_buttons();
}

void ReconstructPanel::update_buttons() {
  const bool running = growth_->running();
  const Item* item = source();
  const bool can = item != nullptr && !item->growing &&
                   document_.backend().supports(form_->operation(), *item->dataset).ok();
  start_->setVisible(!running);
  start_->setEnabled(can);
  keep_->setVisible(running);
  keep_->setEnabled(running && !kept_);
  cancel_->setEnabled(running);
}

Panel reconstruct_panel() {
  return {.id = QStringLiteral("reconstruct"),
          .title = ReconstructPanel::tr("Reconstruct"),
          .menu_text = ReconstructPanel::tr("&Reconstruct"),
          .icon = "reconstruct",
          .key = Qt::Key_F12,
          // The panel scrolls its parameters itself, so that its buttons remain visible.
          .make = [](const PanelHost& host) -> QWidget* {
            auto* panel = new ReconstructPanel(host);
            QObject::connect(panel, &ReconstructPanel::started, panel,
                             [panel, offer_keep = host.offer_keep](std::uint64_t job) {
                               offer_keep(job, [panel] { panel->keep(); });
                             });
            return panel;
          }};
}

}  // namespace aprscope::gui

#include "app/gui/panels/deconvolve_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/document/start_choice.hpp"
#include "app/gui/panels/background_box.hpp"
#include "app/gui/panels/bead_picker.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/convergence_plot.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/deconvolve/resolution.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPreviewWaitMs = 250;
constexpr int kLateClickMs = 1000;
constexpr int kProgressLines = 2;
constexpr int kPlotHeight = 130;
// A preview follows within a second or so.
constexpr std::int64_t kPreviewSide = 192;
constexpr std::int64_t kPreviewDepth = 17;

// Parameters that have boxes of their own.
bool is_elsewhere(const std::string& id) {
  for (const auto& all : {psf_parameters(), background_parameters()}) {
    for (const ParameterSpec& spec : all) {
      if (spec.id == id) return true;
    }
  }
  return false;
}

// What the xy view shows, in pixels, around the crosshair in z; not more than a preview can do.
Region visible_region(SliceView& view, const Size3& size, const Index3& middle) {
  const auto range = [](double low, double high, double centre, std::int64_t n, std::int64_t most) {
    auto first = std::clamp<std::int64_t>(std::llround(std::floor(low)), 0, n - 1);
    auto last = std::clamp<std::int64_t>(std::llround(std::ceil(high)), first + 1, n);
    if (last - first > most) {
      const auto from = std::llround(centre) - most / 2;
      first = std::clamp<std::int64_t>(from, first, last - most);
      last = first + most;
    }
    return std::pair(first, last);
  };
  const SliceCamera camera = view.navigation().camera();
  // Logical pixels of one image pixel.
  const QPointF origin = view.to_widget(0, 0);
  const QPointF one = view.to_widget(1, 1);
  const double rows = view.height() / std::max(1e-6, one.y() - origin.y()) / 2.0;
  const double cols = view.width() / std::max(1e-6, one.x() - origin.x()) / 2.0;
  const auto [x0, x1] =
      range(camera.row - rows, camera.row + rows, camera.row, size.x, kPreviewSide);
  const auto [y0, y1] =
      range(camera.col - cols, camera.col + cols, camera.col, size.y, kPreviewSide);
  const auto z = static_cast<double>(middle.z);
  const auto [z0, z1] =
      range(z - kPreviewDepth / 2.0, z + kPreviewDepth / 2.0, z, size.z, kPreviewDepth);
  return {{z0, x0, y0}, {z1, x1, y1}};
}

// "Resolution z 0.9 · x 0.4 · y 0.4 µm (FSC 1/7)", behind other figures or on a line of its own.
QString resolution_text(const std::vector<NamedFigure>& measured, bool behind) {
  if (measured.empty()) return {};
  QStringList axes;
  for (const NamedFigure& figure : measured) {
    axes += QString::fromStdString(figure.id).section(u'_', -1) + u' ' +
            QString::number(figure.value, 'g', 3);
  }
  const QString text =
      DeconvolvePanel::tr("Resolution %1 %2 (%3)")
          .arg(axes.join(QStringLiteral(" · ")), QString::fromStdString(measured.front().unit),
               QString::fromUtf8(kResolutionCriterion));
  return (behind ? QStringLiteral(" · ") : QStringLiteral("\n")) + text;
}

}  // namespace

DeconvolvePanel::DeconvolvePanel(Document& document, ViewsArea& views, QWidget* parent)
    : QWidget(parent),
      document_(document),
      views_(views),
      run_(new DeconvolutionRun(document, this)),
      picker_(new BeadPicker(document, views, this)) {
  build();
  wait_.setSingleShot(true);
  wait_.setInterval(kPreviewWaitMs);
  connect(&wait_, &QTimer::timeout, this, &DeconvolvePanel::show_preview);
  settled_.setSingleShot(true);
  settled_.setInterval(kLateClickMs);
  connect(&settled_, &QTimer::timeout, this, &DeconvolvePanel::update_buttons);
  connect(picker_, &BeadPicker::active_changed, this, &DeconvolvePanel::follow_target);
  connect(psf_, &PsfBuilder::psf_changed, this, [this] {
    update_enabled();
    renew_preview();
  });
  connect(form_, &OperationForm::operation_edited, this, [this] {
    update_enabled();
    renew_preview();
  });
  connect(background_, &BackgroundBox::changed, this, [this] {
    update_enabled();
    renew_preview();
  });
  connect(start_from_, &QComboBox::currentIndexChanged, this, [this] {
    follow_start();
    renew_preview();
  });
  connect(preview_, &QCheckBox::toggled, this, &DeconvolvePanel::renew_preview);
  connect(start_, &QPushButton::clicked, this, &DeconvolvePanel::start);
  connect(keep_, &QPushButton::clicked, this, &DeconvolvePanel::keep_iterate);
  connect(cancel_, &QPushButton::clicked, run_, &DeconvolutionRun::cancel);
  connect(run_, &DeconvolutionRun::changed, this, &DeconvolvePanel::follow_run);
  connect(&document_.items(), &ItemList::current_changed, this, &DeconvolvePanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, &DeconvolvePanel::follow_item);
  connect(&document_.items(), &ItemList::items_changed, this, &DeconvolvePanel::follow_items);
  connect(&document_.view(), &ViewState::crosshair_changed, this, &DeconvolvePanel::renew_preview);
  connect(&views_.slice(Axis::z), &SliceView::camera_changed, this,
          &DeconvolvePanel::renew_preview);
  set_operation({"deconvolve", {}});
  follow_item();
  follow_run();
}

QWidget* DeconvolvePanel::section(const QString& title, QWidget* content) {
  auto* box = new QWidget(this);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 4);
  layout->setSpacing(6);
  auto* label = new QLabel(title, box);
  QFont bold = label->font();
  bold.setBold(true);
  label->setFont(bold);
  layout->addWidget(label);
  layout->addWidget(content);
  return box;
}

void DeconvolvePanel::build() {
  auto* layout = new QVBoxLayout(this);
  target_ = new ElidedLabel(this);
  target_->setObjectName(QStringLiteral("deconvolve_target"));
  layout->addWidget(target_);
  picking_ = new QLabel(this);
  picking_->setObjectName(QStringLiteral("deconvolve_picking"));
  picking_->setProperty("callout", true);
  picking_->setTextFormat(Qt::PlainText);
  picking_->setWordWrap(true);
  picking_->hide();
  layout->addWidget(picking_);
  psf_ = new PsfBuilder(document_.background(), *picker_, this);
  form_ = new OperationForm(this);
  form_->setObjectName(QStringLiteral("deconvolve_form"));
  form_->set_filter([](const std::string& id) {
    return !is_elsewhere(id) && id != "start" && id != "start_file";
  });
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 4, 0);
  column->addWidget(section(tr("Point-spread function"), psf_));
  background_ = new BackgroundBox(document_.background(), this);
  column->addWidget(section(tr("Camera and background"), background_));
  auto* how = new QWidget(this);
  auto* how_layout = new QVBoxLayout(how);
  how_layout->setContentsMargins(0, 0, 0, 0);
  start_from_ = new StartChoice(document_, how);
  start_from_->setObjectName(QStringLiteral("deconvolve_start_from"));
  truth_ = new QComboBox(how);
  truth_->setObjectName(QStringLiteral("deconvolve_truth"));
  truth_->setToolTip(
      tr("What the result should be, where that is known: each iteration is compared with it (PSNR "
         "and SSIM). It changes nothing in the result."));
  truth_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  // Where it starts comes first, what it is only compared with last.
  const auto add_row = [&](const QString& title, QComboBox* box) {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(title, how);
    label->setToolTip(box->toolTip());
    box->setAccessibleName(title);
    row->addWidget(label);
    row->addWidget(box, 1);
    how_layout->addLayout(row);
  };
  add_row(tr("Start from"), start_from_);
  how_layout->addWidget(form_);
  add_row(tr("Ground truth"), truth_);
  column->addWidget(section(tr("Richardson–Lucy"), how));
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("deconvolve_scroll"));
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(scroll, 1);

  plot_ = new ConvergencePlot(this);
  plot_->setFixedHeight(kPlotHeight);
  plot_->setToolTip(
      tr("Above: log-likelihood of the image under the estimate; it rises. Below: how much each "
         "iteration changes the estimate. With a ground truth: PSNR and SSIM against it, right."));
  layout->addWidget(plot_);
  progress_ = new SteadyLabel(this);
  progress_->setObjectName(QStringLiteral("deconvolve_progress"));
  progress_->setProperty("muted", true);
  // Always there, as the plot is: what is above and below does not move with each run.
  progress_->reserve_lines(kProgressLines);
  layout->addWidget(progress_);
  preview_ = new QCheckBox(tr("Preview what is on screen"), this);
  preview_->setObjectName(QStringLiteral("deconvolve_preview"));
  preview_->setChecked(true);
  preview_->setToolTip(
      tr("Deconvolves the visible part of the xy slice, some slices deep, whenever something "
         "changes"));
  layout->addWidget(preview_);
  auto* buttons = new QHBoxLayout;
  start_ = new QPushButton(tr("Deconvolve"), this);
  start_->setObjectName(QStringLiteral("deconvolve_start"));
  start_->setProperty("primary", true);
  start_->setToolTip(tr("Run on the whole data in the background and watch"));
  keep_ = new QPushButton(tr("Keep this iterate"), this);
  keep_->setObjectName(QStringLiteral("deconvolve_keep"));
  keep_->setProperty("primary", true);
  keep_->setToolTip(tr("End after this iteration; what there is becomes the result"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("deconvolve_cancel"));
  cancel_->setToolTip(tr("Discard this run"));
  for (QPushButton* button : {start_, keep_}) buttons->addWidget(button, 1);
  buttons->addWidget(cancel_);
  layout->addLayout(buttons);
}

Operation DeconvolvePanel::operation() const {
  Operation operation{"deconvolve", {}};
  for (const auto& [id, value] : form_->operation().parameters) {
    if (!is_elsewhere(id)) operation.parameters[id] = value;
  }
  return psf_->with_psf(
      background_->with_background(start_from_->with_start(std::move(operation))));
}

DeconvolutionRequest DeconvolvePanel::request() const {
  return {operation(), truth_->currentData().toULongLong(), start_from_->item(),
          std::make_shared<const Stencil>(psf_->psf()->psf)};
}

void DeconvolvePanel::set_operation(const Operation& operation) {
  form_->set_operation(operation);
  psf_->set_operation(operation);
  background_->set_operation(operation);
  start_from_->set_operation(operation);
  update_enabled();
}

std::uint64_t DeconvolvePanel::start() {
  if (run_->running() || !psf_->psf() || background_->pending()) return 0;
  wait_.stop();
  const std::uint64_t job = run_->start(request());
  if (job != 0) emit started(job);
  return job;
}

void DeconvolvePanel::keep_iterate() {
  kept_ = true;
  keep_->setEnabled(false);
  run_->keep();
}

void DeconvolvePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew_preview();
}

void DeconvolvePanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Another tab, not a minimised window.
  if (event->spontaneous()) return;
  wait_.stop();
  run_->clear_preview();
  picker_->set_active(false);
}

void DeconvolvePanel::follow_item() {
  const Item* item = document_.items().current();
  follow_items();
  follow_start();
  if (item == nullptr) {
    psf_->clear_target();
    update_enabled();
    return;
  }
  FilterTarget target;
  target.is_apr = item->is_apr();
  target.size = item->dataset->size();
  target.voxel = item->dataset->voxel();
  target.level_max = finest_level(target.size);
  target.level_min = target.level_max;
  if (item->is_apr()) target.level_min = item->dataset->apr().access->level_min_used();
  psf_->set_target(target);
  update_enabled();
}

// What is deconvolved: the current item, or what the result to go on from was made of.
void DeconvolvePanel::follow_start() {
  const Item* item = document_.items().current();
  const Item* begin = document_.items().find(start_from_->item());
  const bool further = begin != nullptr && begin->deconvolved_from &&
                       goes_on(start_from_->with_start({"deconvolve", {}}));
  background_->set_target(further           ? begin->deconvolved_from
                          : item != nullptr ? item->dataset
                                            : nullptr);
}

// Items that the result can be compared with.
void DeconvolvePanel::follow_items() {
  follow_target();
  const Item* now = document_.items().current();
  const auto chosen = truth_->currentData().toULongLong();
  const QSignalBlocker quiet(truth_);
  truth_->clear();
  truth_->addItem(tr("none"), qulonglong{0});
  for (const Item& item : document_.items().all()) {
    if (now == nullptr || item.id == now->id || item.is_measurement() ||
        item.dataset->size() != now->dataset->size()) {
      continue;
    }
    truth_->addItem(document_.items().full_name(item.id), static_cast<qulonglong>(item.id));
  }
  truth_->setCurrentIndex(std::max(0, truth_->findData(static_cast<qulonglong>(chosen))));
  truth_->setEnabled(truth_->count() > 1);
}

void DeconvolvePanel::follow_run() {
  const std::vector<IterationReport>& reports = run_->reports();
  plot_->set_reports(reports, run_->iterations());
  // A curve more needs its room.
  const bool more = !reports.empty() && reports.front().figures.size() > 2;
  plot_->setFixedHeight(more ? kPlotHeight * 3 / 2 : kPlotHeight);
  if (!reports.empty()) {
    const IterationReport& last = reports.back();
    QString text = tr("Iteration %1 of %2 · change %3 % · %4 s each")
                       .arg(last.iteration)
                       .arg(run_->iterations())
                       .arg(100.0 * last.figure("change").value_or(0.0), 0, 'g', 2)
                       .arg(last.seconds, 0, 'g', 2);
    if (last.searching) text.prepend(tr("Photons held out: "));
    const auto psnr = last.figure("psnr");
    const auto ssim = last.figure("ssim");
    if (psnr && ssim) {
      text += tr("\nPSNR %1 dB · SSIM %2").arg(*psnr, 0, 'f', 2).arg(*ssim, 0, 'f', 3);
    }
    text += resolution_text(run_->measured(), psnr && ssim);
    if (run_->previewing()) text.prepend(tr("Preview: "));
    progress_->setText(text);
  } else {
    progress_->setText(run_->running() ? tr("Preparing …") : run_->preview_error());
  }
  update_enabled();
}

void DeconvolvePanel::update_enabled() {
  update_buttons();
  preview_->setEnabled(!run_->running());
  const bool regularised = parameter<std::string>(form_->operation(), "regularisation") != "none";
  form_->set_parameter_enabled("strength", regularised);
  const Operation asked = form_->operation();
  form_->set_parameter_enabled("iterations", back_projector_counts(asked, "iterations"));
  for (const ParameterSpec& spec : back_projector_parameters()) {
    form_->set_parameter_enabled(spec.id, back_projector_counts(asked, spec.id));
  }
  const bool particles =
      document_.items().current() != nullptr && document_.items().current()->is_apr();
  form_->set_parameter_enabled("scheme", particles);
  form_->set_parameter_enabled("near", particles);
}

// For a second after a run began or ended, the button that takes the other's place does nothing, so
// that a click that was meant for the other does not.
void DeconvolvePanel::update_buttons() {
  const bool running = run_->running();
  if (std::exchange(was_running_, running) != running) {
    settled_.start();
    if (running) kept_ = false;
  }
  const bool settled = !settled_.isActive();
  const bool keeps = running || !settled;
  start_->setVisible(!keeps);
  keep_->setVisible(keeps);
  keep_->setText(running ? tr("Keep this iterate") : tr("Ended"));
  keep_->setEnabled(running && settled && !kept_);
  cancel_->setVisible(keeps);
  cancel_->setEnabled(running);
  start_->setEnabled(document_.items().current() != nullptr && psf_->psf().has_value() &&
                     !background_->pending());
}

// What Deconvolve is going to work on, by name.
void DeconvolvePanel::follow_target() {
  const Item* item = document_.items().current();
  target_->setText(item != nullptr ? tr("Works on %1").arg(document_.items().full_name(item->id))
                                   : tr("There is no data yet."));
  picking_->setVisible(picker_->active());
  picking_->setText(item != nullptr
                        ? tr("Picking beads in %1: click them in the slices. To deconvolve another "
                             "image, choose it in the list afterwards; the beads stay.")
                              .arg(document_.items().full_name(item->id))
                        : QString());
}

void DeconvolvePanel::renew_preview() {
  if (run_->running()) return;
  const Item* item = document_.items().current();
  // A result is shown as it is, not deconvolved once more, unless that is what is asked for.
  const std::vector<Operation> steps =
      item != nullptr ? document_.items().data_of(*item).recipe.steps : std::vector<Operation>();
  const bool result = item != nullptr && !steps.empty() && traits_of(steps.back()).iterates &&
                      start_from_->item() != item->id;
  // What it needs is being made: until then the slices keep the picture that they have.
  const bool coming = (!psf_->psf() && psf_->error().isEmpty()) || background_->pending();
  if (coming && isVisible() && preview_->isChecked() && item != nullptr && !result &&
      !picker_->active()) {
    wait_.stop();
    return;
  }
  if (!isVisible() || !preview_->isChecked() || !psf_->psf() || item == nullptr || result ||
      picker_->active() || background_->pending()) {
    wait_.stop();
    run_->clear_preview();
    return;
  }
  wait_.start();
}

void DeconvolvePanel::show_preview() {
  const Item* item = document_.items().current();
  if (item == nullptr || !psf_->psf() || run_->running() || !isVisible()) return;
  if (background_->pending()) return;
  const Region region =
      visible_region(views_.slice(Axis::z), item->dataset->size(), document_.view().crosshair());
  run_->preview(request(), region);
}

Panel deconvolve_panel() {
  return {.id = QStringLiteral("deconvolve"),
          .title = DeconvolvePanel::tr("Deconvolve"),
          .menu_text = DeconvolvePanel::tr("De&convolve"),
          .icon = "deconvolve",
          .key = Qt::Key_F8,
          // It scrolls its parameters itself and keeps its buttons in sight.
          .make = [](const PanelHost& host) -> QWidget* {
            auto* panel = new DeconvolvePanel(host.document, host.views);
            QObject::connect(panel, &DeconvolvePanel::started, panel,
                             [panel, offer_keep = host.offer_keep](std::uint64_t job) {
                               offer_keep(job, [panel] { panel->keep_iterate(); });
                             });
            return panel;
          }};
}

}  // namespace aprscope::gui

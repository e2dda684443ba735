#include "app/gui/panels/deconvolve_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/document/start_choice.hpp"
#include "app/gui/document/truth_choice.hpp"
#include "app/gui/panels/background_box.hpp"
#include "app/gui/panels/bead_picker.hpp"
#include "app/gui/panels/deconvolution_form.hpp"
#include "app/gui/panels/deconvolution_text.hpp"
#include "app/gui/panels/deconvolve_buttons.hpp"
#include "app/gui/panels/preview_region.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/convergence_plot.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPreviewWaitMs = 250;
constexpr int kProgressLines = 2;
constexpr int kPlotHeight = 130;

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
  connect(buttons_, &DeconvolveButtons::start_clicked, this, &DeconvolvePanel::start);
  connect(buttons_, &DeconvolveButtons::keep_clicked, this, &DeconvolvePanel::keep_iterate);
  connect(buttons_, &DeconvolveButtons::cancel_clicked, run_, &DeconvolutionRun::cancel);
  connect(run_, &DeconvolutionRun::changed, this, &DeconvolvePanel::follow_run);
  connect(&document_.items(), &ItemList::current_changed, this, &DeconvolvePanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, &DeconvolvePanel::follow_item);
  connect(&document_.items(), &ItemList::items_changed, this, &DeconvolvePanel::follow_target);
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
  form_ = new DeconvolutionForm(this);
  form_->setObjectName(QStringLiteral("deconvolve_form"));
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
  truth_ = new TruthChoice(document_, how);
  truth_->setObjectName(QStringLiteral("deconvolve_truth"));
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
  const auto can_start = [this] {
    return document_.items().current() != nullptr && psf_->psf().has_value() &&
           !background_->pending();
  };
  buttons_ = new DeconvolveButtons(*run_, can_start, this);
  layout->addWidget(buttons_);
}

Operation DeconvolvePanel::operation() const {
  return psf_->with_psf(
      background_->with_background(start_from_->with_start(form_->own_operation())));
}

DeconvolutionRequest DeconvolvePanel::request() const {
  return {operation(), truth_->item(), start_from_->item(),
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
  buttons_->set_kept();
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
  follow_target();
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

void DeconvolvePanel::follow_run() {
  const std::vector<IterationReport>& reports = run_->reports();
  plot_->set_reports(reports, run_->iterations());
  // A curve more needs its room.
  const bool more = !reports.empty() && reports.front().figures.size() > 2;
  plot_->setFixedHeight(more ? kPlotHeight * 3 / 2 : kPlotHeight);
  progress_->setText(deconvolution_text(*run_));
  update_enabled();
}

void DeconvolvePanel::update_enabled() {
  buttons_->follow();
  preview_->setEnabled(!run_->running());
  form_->follow(document_.items().current() != nullptr && document_.items().current()->is_apr());
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
      preview_region(views_.slice(Axis::z), item->dataset->size(), document_.view().crosshair());
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

#include "app/gui/panels/psf_builder.hpp"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include "app/gui/document/job_bridge.hpp"
#include "app/gui/panels/bead_picker.hpp"
#include "app/gui/widgets/file_patterns.hpp"
#include "app/gui/widgets/level_stencils_view.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/psf_view.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/level_stencils.hpp"

namespace aprscope::gui {
namespace {

constexpr int kWaitMs = 120;
constexpr std::int64_t kLargestShown = 129;

bool is_psf_parameter(const std::string& id) {
  for (const ParameterSpec& spec : psf_parameters()) {
    if (spec.id == id) return true;
  }
  return false;
}

bool has_beads(const BeadPicker& picker) { return !picker.beads().empty(); }

// `tone` is a property that the style sheet translates to a colour of the theme.
void set_note(QLabel& label, const QString& text, const char* tone) {
  label.setText(text);
  label.setProperty("tone", QLatin1String(tone));
  label.style()->unpolish(&label);
  label.style()->polish(&label);
  label.setVisible(!text.isEmpty());
}

QString three(const std::array<double, 3>& v, int precision) {
  const auto one = [&](double value) {
    return value > 0.0 ? QString::number(value, 'g', precision) : QStringLiteral("–");
  };
  return QStringLiteral("%1 × %2 × %3").arg(one(v[0]), one(v[1]), one(v[2]));
}

}  // namespace

struct PsfBuilder::Computed {
  MadePsf made;
  std::vector<Bead> beads;
  std::optional<std::vector<Stencil>> levels;
};

PsfBuilder::PsfBuilder(JobBridge& jobs, BeadPicker& picker, QWidget* parent)
    : QWidget(parent), jobs_(jobs), picker_(picker) {
  build();
  wait_.setSingleShot(true);
  wait_.setInterval(kWaitMs);
  connect(&wait_, &QTimer::timeout, this, &PsfBuilder::compute);
  connect(&picker, &BeadPicker::beads_changed, this, &PsfBuilder::follow_beads);
  connect(&picker, &BeadPicker::active_changed, pick_, &QPushButton::setChecked);
  set_operation({"deconvolve", {}});
  clear_target();
}

void PsfBuilder::build() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  kind_ = new QComboBox(this);
  kind_->setObjectName(QStringLiteral("psf_kind"));
  kind_->setToolTip(tr("Where the point-spread function comes from"));
  kind_->addItem(tr("Gaussian"), QStringLiteral("gaussian"));
  kind_->addItem(tr("Born–Wolf: a perfect lens"), QStringLiteral("born_wolf"));
  kind_->addItem(tr("Gibson–Lanni: depth and mismatch"), QStringLiteral("gibson_lanni"));
  kind_->addItem(tr("Measured, from a file"), QStringLiteral("file"));
  kind_->addItem(tr("Average of picked beads"), QStringLiteral("beads"));
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  layout->addWidget(kind_);

  file_ = new QPushButton(tr("Choose a file …"), this);
  file_->setObjectName(QStringLiteral("psf_choose_file"));
  layout->addWidget(file_);
  beads_ = new QWidget(this);
  auto* beads = new QVBoxLayout(beads_);
  beads->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout;
  pick_ = new QPushButton(tr("Pick beads"), beads_);
  pick_->setObjectName(QStringLiteral("psf_pick"));
  pick_->setCheckable(true);
  pick_->setToolTip(
      tr("Click beads in a slice of the current image; click one again to drop it. Then choose the "
         "image to deconvolve in the data list."));
  auto* clear = new QPushButton(tr("Clear"), beads_);
  clear->setObjectName(QStringLiteral("psf_clear_beads"));
  row->addWidget(pick_, 1);
  row->addWidget(clear);
  beads->addLayout(row);
  bead_list_ = new QListWidget(beads_);
  bead_list_->setObjectName(QStringLiteral("psf_bead_list"));
  bead_list_->setFixedHeight(96);
  bead_list_->setTextElideMode(Qt::ElideRight);
  bead_list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  bead_list_->setToolTip(tr("Double-click a bead to drop it"));
  beads->addWidget(bead_list_);
  layout->addWidget(beads_);

  form_ = new OperationForm(this);
  layout->addWidget(form_);
  view_ = new PsfView(this);
  view_->setFixedHeight(120);
  layout->addWidget(view_);
  facts_ = new QLabel(this);
  facts_->setObjectName(QStringLiteral("psf_facts"));
  facts_->setWordWrap(true);
  layout->addWidget(facts_);
  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("psf_notes"));
  notes_->setWordWrap(true);
  notes_->setTextFormat(Qt::RichText);
  layout->addWidget(notes_);
  levels_title_ = new QLabel(tr("On each level of the particles"), this);
  levels_title_->setProperty("muted", true);
  layout->addWidget(levels_title_);
  levels_ = new LevelStencilsView(this);
  levels_->setObjectName(QStringLiteral("psf_levels"));
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(levels_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedHeight(levels_->sizeHint().height() + 14);
  levels_area_ = scroll;
  layout->addWidget(scroll);

  connect(kind_, &QComboBox::currentIndexChanged, this, &PsfBuilder::choose_kind);
  connect(file_, &QPushButton::clicked, this, &PsfBuilder::choose_file);
  connect(pick_, &QPushButton::toggled, &picker_, &BeadPicker::set_active);
  connect(clear, &QPushButton::clicked, &picker_, &BeadPicker::clear);
  connect(bead_list_, &QListWidget::itemDoubleClicked, this, [this](QListWidgetItem* item) {
    picker_.remove(static_cast<std::size_t>(bead_list_->row(item)));
  });
  connect(form_, &OperationForm::operation_edited, this, &PsfBuilder::edited);
  connect(notes_, &QLabel::linkActivated, this, &PsfBuilder::follow_link);
}

std::string PsfBuilder::kind() const { return kind_->currentData().toString().toStdString(); }

void PsfBuilder::set_operation(const Operation& operation) {
  const auto whole = complete(operation);
  if (!whole) return;
  const auto& name = parameter<std::string>(*whole, "psf");
  if (name == "given" && kind_->findData(QStringLiteral("given")) < 0) {
    kind_->addItem(tr("Weights of a recipe"), QStringLiteral("given"));
  }
  {
    const QSignalBlocker quiet(kind_);
    kind_->setCurrentIndex(kind_->findData(QString::fromStdString(name)));
  }
  // No controls for what has its own widgets: the kind, beads (the picker), and weights.
  form_->set_filter([name](const std::string& id) {
    if (id == "psf" || id == "psf_weights" || id == "psf_beads") return false;
    if (id == "psf_file" && name == "beads") return false;
    return is_psf_parameter(id) && psf_parameter_counts(name, id);
  });
  form_->set_operation(*whole);
  file_->setVisible(name == "file");
  beads_->setVisible(name == "beads");
  if (name != "beads") picker_.set_active(false);
  edited();
}

void PsfBuilder::choose_kind(int /*index*/) {
  Operation operation = form_->operation();
  operation.parameters["psf"] = kind();
  // A size is chosen for one kind of PSF, so it is reset for another.
  operation.parameters["psf_size"] = std::array<double, 3>{0, 0, 0};
  set_operation(operation);
}

void PsfBuilder::choose_file() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("An image of a PSF"), {}, tr("Images (%1);;All files (*)").arg(pixel_patterns()));
  if (path.isEmpty()) return;
  if (auto* line = qobject_cast<QLineEdit*>(form_->control("psf_file"))) line->setText(path);
}

void PsfBuilder::follow_beads() {
  show_beads({});
  edited();
}

Operation PsfBuilder::with_psf(Operation operation) const {
  for (const auto& [id, value] : form_->operation().parameters) {
    if (is_psf_parameter(id)) operation.parameters[id] = value;
  }
  operation.parameters["psf"] = kind();
  if (kind() != "beads" || !has_beads(picker_)) return operation;
  if (!picker_.file().empty()) {
    operation.parameters["psf_file"] = picker_.file();
    operation.parameters["psf_beads"] = positions_to_text(picker_.beads());
  } else if (psf_) {
    operation.parameters["psf"] = std::string("given");
    operation.parameters["psf_size"] = std::array<double, 3>{0, 0, 0};
    operation.parameters["psf_weights"] = psf_->psf;
  }
  return operation;
}

void PsfBuilder::set_target(const FilterTarget& target) {
  target_ = target;
  has_target_ = true;
  edited();
}

void PsfBuilder::clear_target() {
  has_target_ = false;
  psf_.reset();
  error_.clear();
  view_->clear();
  facts_->clear();
  notes_->hide();
  levels_->clear();
  emit psf_changed();
}

void PsfBuilder::edited() {
  if (!has_target_) return;
  psf_.reset();
  error_.clear();
  view_->set_stale(true);
  emit psf_changed();
  wait_.start();
}

void PsfBuilder::compute() {
  if (!has_target_) return;
  const bool beads = kind() == "beads" && has_beads(picker_);
  if (kind() == "beads" && !beads &&
      parameter<std::string>(form_->operation(), "psf_beads").empty()) {
    take(Error{"no bead is picked yet", "", "press Pick beads and click beads in a slice"});
    return;
  }
  if (kind() == "file" && parameter<std::string>(form_->operation(), "psf_file").empty()) {
    take(Error{"no file is chosen yet", "", "choose the image of a PSF or of one bead"});
    return;
  }
  const Operation operation = form_->operation();
  jobs_.post(
      Lane::preview, tr("Point-spread function"), "psf", this,
      [operation, target = target_, beads, image = picker_.image(),
       picked = picker_.beads()](const JobContext& context) -> Result<Computed> {
        Computed out;
        if (beads) {
          auto made =
              psf_from_beads(image->volume(), picked, measure_options(operation, target.size),
                             target.voxel, target.size, context);
          if (!made) return made.error();
          out.made = std::move(made->made);
          out.beads = std::move(made->beads);
        } else {
          auto made = make_psf(operation, target.voxel, target.size, context);
          if (!made) return made.error();
          out.made = *std::move(made);
          const auto listed = positions_from_text(parameter<std::string>(operation, "psf_beads"));
          for (std::size_t i = 0; listed && i < listed->size(); ++i) {
            Bead bead;
            bead.picked = (*listed)[i];
            bead.used = true;
            bead.signal_to_noise = std::numeric_limits<double>::infinity();
            out.beads.push_back(std::move(bead));
          }
        }
        if (context.stop_requested()) return cancelled_error();
        if (target.is_apr) {
          // The cut-off PSF suffices for a small picture.
          const Stencil shown =
              truncate_psf(out.made.psf, {kLargestShown, kLargestShown, kLargestShown});
          auto levels = level_stencils(shown, "restricted", true, target.level_max);
          if (levels) out.levels = *std::move(levels);
        }
        return out;
      },
      [this](const Result<Computed>& made) { take(made); });
}

void PsfBuilder::take(const Result<Computed>& made) {
  if (!made && made.error().cancelled()) return;
  if (!has_target_ || wait_.isActive()) return;
  if (!made) {
    psf_.reset();
    error_ = QString::fromStdString(made.error().message());
    view_->clear();
    facts_->clear();
    levels_->clear();
    levels_title_->hide();
    levels_area_->hide();
    // Adds a link to the error "… cut it to a size of 21,149,149 or less" that does this.
    QString text = error_.toHtmlEscaped();
    const QString mark = QStringLiteral("cut it to a size of ");
    if (const auto at = error_.indexOf(mark); at >= 0) {
      const QString size = error_.mid(at + mark.size()).section(QLatin1Char(' '), 0, 0);
      text += QStringLiteral(" <a href=\"size:%1\">%2</a>").arg(size, tr("Cut it"));
    }
    set_note(*notes_, text, "error");
    emit psf_changed();
    return;
  }
  psf_ = made->made;
  error_.clear();
  view_->set_psf(psf_->psf, target_.voxel);
  show_facts(*psf_);
  if (kind() == "beads") show_beads(made->beads);
  levels_title_->setVisible(made->levels.has_value());
  levels_area_->setVisible(made->levels.has_value());
  if (made->levels) {
    levels_->set_stencils(*made->levels, target_.level_min);
  } else {
    levels_->clear();
  }
  emit psf_changed();
}

void PsfBuilder::show_facts(const MadePsf& made) {
  const PsfReport report = psf_report(made.psf);
  const std::array<double, 3> voxel{target_.voxel.z, target_.voxel.x, target_.voxel.y};
  std::array<double, 3> width = report.fwhm;
  for (std::size_t d = 0; d < 3; ++d) width[d] *= voxel[d];
  const QString unit = QString::fromStdString(target_.voxel.unit);
  const QString percent = QString::number(100.0 * made.coverage, 'g', 3);
  facts_->setText(tr("FWHM %1 %2 (z × x × y)\n%3 × %4 × %5 px, %6 % of the light")
                      .arg(three(width, 3), unit)
                      .arg(report.size.z)
                      .arg(report.size.x)
                      .arg(report.size.y)
                      .arg(percent));
  facts_->setToolTip(
      tr("Full width at half maximum: %1 px. The second line: its size, and how much of the light "
         "lies inside (of a model: compared with a PSF as large as the image).")
          .arg(three(report.fwhm, 3)));
  QStringList lines;
  for (const std::string& warning : made.warnings) {
    lines << QString::fromStdString(warning).toHtmlEscaped();
  }
  set_note(*notes_, lines.join(QStringLiteral("<br>")), "warning");
}

void PsfBuilder::show_beads(const std::vector<Bead>& beads) {
  bead_list_->clear();
  // The beads of the picker, or of an operation that names a file.
  std::vector<Index3> positions = picker_.beads();
  if (positions.empty()) {
    for (const Bead& bead : beads) positions.push_back(bead.picked);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Index3& p = positions[i];
    QString text = tr("%1 · %2").arg(i + 1).arg(position_words(p, AxisWords::rows_are_x));
    bool used = true;
    if (i < beads.size()) {
      used = beads[i].used;
      if (!used) {
        text += QStringLiteral(" · ") + QString::fromStdString(beads[i].reason);
      } else if (std::isfinite(beads[i].signal_to_noise)) {
        text += tr(" · SNR %1").arg(beads[i].signal_to_noise, 0, 'f', 0);
      }
    }
    auto* item = new QListWidgetItem(text, bead_list_);
    item->setToolTip(text);
    if (!used) item->setForeground(palette().color(QPalette::Disabled, QPalette::Text));
  }
}

void PsfBuilder::follow_link(const QString& link) {
  const auto numbers = link.mid(5).split(QLatin1Char(','));
  if (numbers.size() != 3) return;
  Operation operation = form_->operation();
  operation.parameters["psf_size"] =
      std::array<double, 3>{numbers[0].toDouble(), numbers[1].toDouble(), numbers[2].toDouble()};
  set_operation(operation);
}

}  // namespace aprscope::gui

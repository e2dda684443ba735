#include "app/gui/panels/filter_controls.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/level_stencils_view.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/level_stencils.hpp"

namespace aprscope::gui {
namespace {

// Whether the filter has a stencil that can be shown and edited.
bool has_stencil(const Operation& operation) {
  const FilterPart* filter = filter_part(operation);
  return filter != nullptr && filter->stencils();
}

// Whether the weights were typed by hand already.
bool is_by_hand(const Operation& operation) {
  const auto& all = find_schema(operation.id)->parameters;
  return std::any_of(all.begin(), all.end(),
                     [](const ParameterSpec& spec) { return spec.type == ParameterType::stencil; });
}

}  // namespace

FilterControls::FilterControls(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);

  choice_ = new QComboBox(this);
  choice_->setObjectName(QStringLiteral("filter_choice"));
  choice_->setToolTip(tr("What to do with the particles (or pixels)"));
  std::string group;
  for (const auto& type : operations().all()) {
    if (type->traits.panel != "filter") continue;
    const OperationSchema& schema = type->schema;
    if (schema.group != group) {
      group = schema.group;
      choice_->addItem(QString::fromStdString(group));
      auto* model = qobject_cast<QStandardItemModel*>(choice_->model());
      QStandardItem* title = model->item(choice_->count() - 1);
      title->setFlags(title->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
      QFont bold = font();
      bold.setBold(true);
      title->setFont(bold);
    }
    choice_->addItem(QString::fromStdString(schema.label), QString::fromStdString(schema.id));
  }
  layout->addWidget(choice_);
  help_ = new SteadyLabel(this);
  help_->setObjectName(QStringLiteral("filter_help"));
  help_->setProperty("secondary", true);
  // Reserves lines for the longest help text, so that the parameters below do not move.
  QStringList texts;
  for (const OperationSchema* schema : operation_schemas()) {
    if (choice_->findData(QString::fromStdString(schema->id)) >= 0) {
      texts << QString::fromStdString(schema->help);
    }
  }
  help_->reserve_texts(texts);
  layout->addWidget(help_);

  form_ = new OperationForm(this);
  levels_title_ = new QLabel(tr("Stencil on each level"), this);
  levels_ = new LevelStencilsView(this);
  levels_->setObjectName(QStringLiteral("level_stencils"));
  auto* level_scroll = new QScrollArea(this);
  level_scroll->setWidget(levels_);
  level_scroll->setWidgetResizable(true);
  level_scroll->setFrameShape(QFrame::NoFrame);
  level_scroll->setFocusPolicy(Qt::NoFocus);
  level_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  level_scroll->setFixedHeight(levels_->sizeHint().height() + 14);
  by_hand_ = new QPushButton(tr("Edit this stencil by hand"), this);
  by_hand_->setObjectName(QStringLiteral("filter_by_hand"));
  by_hand_->setToolTip(tr("Turns the preset into a grid of weights"));

  auto* inside = new QWidget(this);
  auto* inside_layout = new QVBoxLayout(inside);
  inside_layout->setContentsMargins(0, 0, 4, 0);
  inside_layout->addWidget(form_);
  inside_layout->addWidget(by_hand_);
  inside_layout->addWidget(levels_title_);
  inside_layout->addWidget(level_scroll);
  inside_layout->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  layout->addWidget(scroll, 1);

  auto* bottom = new QHBoxLayout;
  preview_ = new QCheckBox(tr("Live preview"), this);
  preview_->setObjectName(QStringLiteral("filter_preview"));
  preview_->setChecked(true);
  note_ = new ElidedLabel(this);
  note_->setProperty("secondary", true);
  bottom->addWidget(preview_);
  bottom->addWidget(note_, 1);
  layout->addLayout(bottom);
  apply_ = new QPushButton(tr("Apply"), this);
  apply_->setObjectName(QStringLiteral("filter_apply"));
  apply_->setProperty("primary", true);
  apply_->setToolTip(tr("Filter the whole data in the background"));
  choices_ = new QVBoxLayout;
  layout->addLayout(choices_);
  layout->addWidget(apply_);

  connect(choice_, &QComboBox::currentIndexChanged, this,
          [this] { choose(choice_->currentData().toString()); });
  connect(form_, &OperationForm::operation_edited, this, [this] {
    enable_parameters();
    show_stencils();
    emit preview_changed();
  });
  connect(by_hand_, &QPushButton::clicked, this, &FilterControls::edit_by_hand);
  connect(preview_, &QCheckBox::toggled, this, &FilterControls::preview_changed);
  connect(apply_, &QPushButton::clicked, this,
          [this] { emit apply_requested(form_->operation()); });
  set_operation({"gaussian", {}});
  clear_target();
}

void FilterControls::set_target(const FilterTarget& target) {
  target_ = target;
  has_target_ = true;
  apply_->setEnabled(true);
  preview_->setEnabled(true);
  enable_parameters();
  show_stencils();
}

void FilterControls::clear_target() {
  has_target_ = false;
  apply_->setEnabled(false);
  preview_->setEnabled(false);
  levels_->clear();
}

void FilterControls::set_operation(const Operation& operation) {
  const int index = choice_->findData(QString::fromStdString(operation.id));
  if (index < 0) return;
  {
    const QSignalBlocker quiet(choice_);
    choice_->setCurrentIndex(index);
  }
  form_->set_operation(operation);
  enable_parameters();
  help_->setText(QString::fromStdString(find_schema(operation.id)->help));
  show_stencils();
}

void FilterControls::add_choice(QWidget* choice) { choices_->addWidget(choice); }

const Operation& FilterControls::operation() const { return form_->operation(); }

bool FilterControls::preview_wanted() const { return preview_->isChecked(); }

void FilterControls::set_note(const QString& note) { note_->setText(note); }

// Enables the parameters that have an effect with the present values of the others.
void FilterControls::enable_parameters() {
  for (const ParameterSpec& spec : find_schema(operation().id)->parameters) {
    const bool of_levels = spec.id == "mode";
    form_->set_parameter_enabled(
        spec.id, counts(operation(), spec.id) && (!of_levels || !has_target_ || target_.is_apr));
  }
}

void FilterControls::choose(const QString& id) {
  if (id.isEmpty()) return;
  set_operation({id.toStdString(), {}});
  emit preview_changed();
}

// Turns the preset's stencil into a custom one with the same mode, boundary and normalisation.
void FilterControls::edit_by_hand() {
  const auto stencils = stencils_of(operation(), target_.voxel, target_.size);
  if (!stencils || stencils->empty() || stencils->front().lines) return;
  Operation custom{"custom", {{"stencil", stencils->front()}}};
  for (const char* id : {"mode", "boundary", "normalize"}) {
    custom.parameters[id] = operation().parameters.at(id);
  }
  set_operation(custom);
  emit preview_changed();
}

void FilterControls::show_stencils() {
  const bool convolves = has_stencil(operation());
  by_hand_->setVisible(convolves && !is_by_hand(operation()));
  levels_title_->setVisible(convolves);
  levels_->parentWidget()->parentWidget()->setVisible(convolves);
  levels_->clear();
  if (!convolves || !has_target_) return;
  const auto stencils = stencils_of(operation(), target_.voxel, target_.size);
  if (!stencils || stencils->empty()) return;
  // Stencils given as lines have too many weights for editing by hand.
  by_hand_->setEnabled(!stencils->front().lines);
  auto levels = level_stencils(operation(), target_.voxel, target_.size, target_.level_max);
  if (!levels) return;
  levels_->set_stencils(*std::move(levels), target_.is_apr ? target_.level_min : target_.level_max);
}

}  // namespace aprscope::gui

#include "app/gui/window/memory_dialog.hpp"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/widgets/number_field.hpp"
#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

constexpr int kCharactersWide = 60;  // the text
constexpr double kGigabyte = 1e9;
constexpr double kLeastGigabytes = 0.1;
constexpr double kMostGigabytes = 1e5;
// Of what is free, where a number is typed for the first time.
constexpr double kFirstShare = 0.5;

}  // namespace

MemoryDialog::MemoryDialog(std::uint64_t chosen, std::uint64_t free, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("memory_dialog"));
  setWindowTitle(tr("Memory for large files"));
  auto* layout = new QVBoxLayout(this);
  auto* label = new QLabel(tr("What takes more than this is opened as an overview, and worked on "
                              "slab by slab, from file to file. It holds for files that are "
                              "opened or worked on from now on."),
                           this);
  label->setWordWrap(true);
  label->setMinimumWidth(kCharactersWide * fontMetrics().averageCharWidth());
  layout->addWidget(label);
  auto* all = new QRadioButton(
      free == 0 ? tr("&What is free")
                : tr("&What is free: %1 now").arg(QString::fromStdString(format_bytes(free))),
      this);
  all->setObjectName(QStringLiteral("memory_free"));
  all->setChecked(chosen == 0);
  layout->addWidget(all);
  auto* row = new QHBoxLayout;
  most_ = new QRadioButton(tr("&At most"), this);
  most_->setObjectName(QStringLiteral("memory_most"));
  most_->setChecked(chosen != 0);
  gigabytes_ = new RealField(kLeastGigabytes, kMostGigabytes, this);
  gigabytes_->setObjectName(QStringLiteral("memory_gigabytes"));
  gigabytes_->setAccessibleName(tr("Memory in GB"));
  const double at_first = chosen != 0
                              ? static_cast<double>(chosen)
                              : std::max(kGigabyte, kFirstShare * static_cast<double>(free));
  gigabytes_->setValue(std::round(at_first / kGigabyte / kLeastGigabytes) * kLeastGigabytes);
  gigabytes_->setEnabled(chosen != 0);
  row->addWidget(most_);
  row->addWidget(gigabytes_, 1);
  row->addWidget(new QLabel(tr("GB"), this));
  layout->addLayout(row);
  connect(most_, &QRadioButton::toggled, gigabytes_, &QWidget::setEnabled);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  first_ = bytes();
}

std::uint64_t MemoryDialog::bytes() const {
  if (!most_->isChecked()) return 0;
  return static_cast<std::uint64_t>(std::llround(gigabytes_->value() * kGigabyte));
}

}  // namespace aprscope::gui

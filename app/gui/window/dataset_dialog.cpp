#include "app/gui/window/dataset_dialog.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <optional>
#include <variant>

#include "core/base/system.hpp"
#include "core/image/colormap.hpp"
#include "core/image/histogram.hpp"
#include "core/pipeline/stitching.hpp"

namespace aprscope::gui {
namespace {

constexpr int kThumbnail = 64;
// The largest volume with a thumbnail: reading its middle slice may take everything before it.
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;

struct Facts {
  SourceInfo info;
  QImage thumbnail;
};

QImage picture_of(const Volume& volume) {
  const Size3 size = volume.size();
  const std::int64_t z = size.z / 2;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(size.x * size.y));
  for (std::int64_t x = 0; x < size.x; ++x) {
    for (std::int64_t y = 0; y < size.y; ++y) values.push_back(volume.value({z, x, y}));
  }
  const Contrast contrast = automatic_contrast(histogram(values));
  const double range = std::max(contrast.high - contrast.low, 1e-30);
  QImage image(static_cast<int>(size.y), static_cast<int>(size.x), QImage::Format_Grayscale8);
  for (std::int64_t x = 0; x < size.x; ++x) {
    uchar* const line = image.scanLine(static_cast<int>(x));
    for (std::int64_t y = 0; y < size.y; ++y) {
      const double v = values[static_cast<std::size_t>(x * size.y + y)];
      line[y] = static_cast<uchar>(std::clamp(255.0 * (v - contrast.low) / range, 0.0, 255.0));
    }
  }
  return image.scaled(kThumbnail, kThumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

Result<Facts> look_at(const std::string& path, const JobContext& context) {
  auto info = inspect(path, context.part(0.0, 0.1));
  if (!info) return info.error();
  Facts facts{*std::move(info), {}};
  const Size3& size = facts.info.size;
  const bool small = static_cast<std::uint64_t>(size.count()) * sizeof(float) <= kMostBytes;
  if (!small || facts.info.is_apr) return facts;
  auto data = load(facts.info, {}, context.part(0.1, 1.0));
  // Errors are not shown here, but when the user opens the volume.
  if (data && std::holds_alternative<Volume>(*data)) {
    facts.thumbnail = picture_of(std::get<Volume>(*data));
  }
  return facts;
}

QString size_text(const SourceInfo& info) {
  QString text = QStringLiteral("%1 × %2 × %3").arg(info.size.z).arg(info.size.x).arg(info.size.y);
  if (info.channels.size() > 1) text += QObject::tr(", %1 channels").arg(info.channels.size());
  if (info.times > 1) text += QObject::tr(", %1 time points").arg(info.times);
  return text;
}

}  // namespace

DatasetDialog::DatasetDialog(const SourceInfo& info, JobBridge& background, QWidget* parent)
    : QDialog(parent), info_(info), background_(background) {
  setObjectName(QStringLiteral("dataset_dialog"));
  setWindowTitle(tr("Which volume?"));
  resize(600, 380);
  auto* layout = new QVBoxLayout(this);
  const QString name = QString::fromStdString(info.path.filename().string());
  // What follows in brackets is what one should know before one chooses.
  const bool remarked = info.format.find('(') != std::string::npos;
  auto* label = new QLabel(remarked ? tr("%1 holds several volumes. It is %2. Open:")
                                          .arg(name, QString::fromStdString(info.format))
                                    : tr("%1 holds several volumes. Open:").arg(name),
                           this);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  layout->addWidget(label);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("dataset_list"));
  list_->setHeaderLabels({tr("Volume"), tr("Size (z × x × y)"), tr("Type")});
  list_->setRootIsDecorated(false);
  list_->setIconSize({kThumbnail, kThumbnail});
  list_->setUniformRowHeights(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  QPixmap none(kThumbnail, kThumbnail);
  none.fill(Qt::transparent);
  for (const std::string& dataset : info.datasets) {
    auto* row = new QTreeWidgetItem(list_, {QString::fromStdString(dataset)});
    row->setIcon(0, none);
    if (dataset == info.dataset) list_->setCurrentItem(row);
    describe(row, dataset);
  }
  layout->addWidget(list_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  layout->addWidget(buttons);
  if (holds_tiles(info)) {
    QPushButton* together =
        buttons->addButton(tr("All as one image …"), QDialogButtonBox::ActionRole);
    together->setObjectName(QStringLiteral("tiles_together"));
    together->setToolTip(
        tr("Writes a list of the tiles, which is opened: they lie where the file says, and are "
           "blended where they overlap"));
    connect(together, &QPushButton::clicked, this, [this] {
      reject();
      emit together_requested();
    });
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, &QDialog::accept);
}

// Requests rows one after the other in the background; a closed dialog requests no more.
void DatasetDialog::describe(QTreeWidgetItem* row, const std::string& dataset) {
  background_.post(
      Lane::preview, tr("Looking at %1").arg(QString::fromStdString(dataset)), {}, this,
      [path = info_.path.string() + ":" + dataset](const JobContext& context) {
        return look_at(path, context);
      },
      [row](const Result<Facts>& facts) {
        if (!facts) {
          row->setText(1, QObject::tr("cannot be read"));
          row->setToolTip(1, QString::fromStdString(facts.error().message()));
          return;
        }
        row->setText(1, size_text(facts->info));
        row->setText(2, QString::fromStdString(facts->info.dtype));
        if (!facts->thumbnail.isNull()) {
          row->setIcon(0, QIcon(QPixmap::fromImage(facts->thumbnail)));
        }
      });
}

QStringList DatasetDialog::paths() const {
  QStringList paths;
  for (const QTreeWidgetItem* row : list_->selectedItems()) {
    paths << QString::fromStdString(info_.path.string()) + QLatin1Char(':') + row->text(0);
  }
  return paths;
}

}  // namespace aprscope::gui

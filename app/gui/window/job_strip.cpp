#include "app/gui/window/job_strip.hpp"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/falling_time.hpp"

namespace aprscope::gui {
namespace {

constexpr int kBlinkMs = 250;
constexpr std::size_t kSideBySide = 2;
constexpr int kMostReserved = 380;

bool ended(const JobStatus& status) {
  return status.state == JobStatus::State::finished || status.state == JobStatus::State::cancelled;
}

}  // namespace

QString time_left_text(double seconds_left) {
  if (!(seconds_left >= 0.0)) return {};
  if (seconds_left < 90.0) {
    return QObject::tr("%1 s left").arg(std::max(1.0, std::ceil(seconds_left)), 0, 'f', 0);
  }
  if (seconds_left < 90.0 * 60.0) {
    return QObject::tr("%1 min left").arg(std::round(seconds_left / 60.0), 0, 'f', 0);
  }
  return QObject::tr("%1 h left").arg(seconds_left / 3600.0, 0, 'f', 1);
}

struct JobStrip::Line {
  QFrame* frame = nullptr;
  ElidedLabel* title = nullptr;
  QLabel* left = nullptr;
  QProgressBar* bar = nullptr;
  QToolButton* cancel = nullptr;
  FallingTime time;
};

JobStrip::JobStrip(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), layout_(new QHBoxLayout(this)), more_(new QLabel(this)) {
  setObjectName(QStringLiteral("job_strip"));
  // Uses the available width only, so that many jobs do not make the window wider.
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(5);
  more_->setProperty("muted", true);
  layout_->addWidget(more_);
  hide();
}

// Deletes the lines of running jobs; their widgets are deleted with the strip.
JobStrip::~JobStrip() {
  for (const auto& [key, line] : lines_) delete line;
}

void JobStrip::follow(JobBridge& bridge) {
  connect(&bridge, &JobBridge::job_changed, this,
          [this, &bridge](const JobStatus& status) { update_job(bridge, status); });
}

int JobStrip::shown() const { return static_cast<int>(lines_.size()); }

void JobStrip::update_job(JobBridge& bridge, const JobStatus& status) {
  const Key key(&bridge, status.id);
  if (ended(status)) {
    waiting_.erase(key);
    keeps_.erase(key);
    if (const auto line = lines_.extract(key); !line.empty()) {
      line.mapped()->frame->deleteLater();
      delete line.mapped();
      std::erase(order_, key);
      arrange();
    }
    return;
  }
  if (lines_.contains(key)) {
    show_line(key, status);
    return;
  }
  const bool known = waiting_.contains(key);
  waiting_[key] = status;
  if (known) return;
  QTimer::singleShot(kBlinkMs, this, [this, key] {
    const auto job = waiting_.extract(key);
    if (!job.empty()) show_line(key, job.mapped());
  });
}

void JobStrip::offer_keep(JobBridge& bridge, std::uint64_t job, std::function<void()> keep) {
  keeps_[Key(&bridge, job)] = std::move(keep);
}

void JobStrip::arrange() {
  // A job that can be kept has an additional button, so it comes first and has the whole strip.
  const std::size_t room = keeps_.empty() ? kSideBySide : 1;
  std::vector<Key> order = order_;
  std::stable_partition(order.begin(), order.end(),
                        [this](const Key& key) { return keeps_.contains(key); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    lines_.at(order[i])->frame->setVisible(i < room);
  }
  more_->setVisible(order.size() > room);
  if (order.size() > room) more_->setText(tr("+%1").arg(order.size() - room));
  // Reserves width for the additional button, within limits, so that the window keeps its width.
  setMinimumWidth(keeps_.empty() ? 0 : std::min(layout_->minimumSize().width(), kMostReserved));
  setVisible(!order.empty());
}

void JobStrip::make_line(const Key& key) {
  auto* line = new Line;
  line->frame = new QFrame(this);
  line->frame->setProperty("bar", "strip");
  auto* row = new QHBoxLayout(line->frame);
  row->setContentsMargins(12, 4, 5, 4);
  row->setSpacing(9);
  line->title = new ElidedLabel(line->frame);
  line->left = new QLabel(line->frame);
  line->left->setProperty("muted", true);
  line->left->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  line->bar = new QProgressBar(line->frame);
  line->bar->setTextVisible(false);
  line->bar->setMinimumWidth(50);
  line->cancel = new QToolButton(line->frame);
  line->cancel->setText(tr("Cancel"));
  line->cancel->setObjectName(QStringLiteral("cancel_job"));
  row->addWidget(line->title, 3);
  row->addWidget(line->bar, 2);
  row->addWidget(line->left);
  row->addWidget(line->cancel);
  connect(line->cancel, &QToolButton::clicked, this, [key, line] {
    line->cancel->setEnabled(false);
    line->left->setText(tr("stopping …"));
    key.first->cancel(key.second);
  });
  if (const auto keep = keeps_.find(key); keep != keeps_.end()) {
    auto* button = new QToolButton(line->frame);
    button->setText(tr("Keep this iterate"));
    button->setObjectName(QStringLiteral("keep_iterate"));
    button->setToolTip(tr("End after this iteration and keep what there is"));
    row->insertWidget(row->count() - 1, button);
    connect(button, &QToolButton::clicked, this, [button, line, keep = keep->second] {
      button->setEnabled(false);
      line->left->setText(tr("finishing …"));
      keep();
    });
  }
  layout_->insertWidget(layout_->count() - 1, line->frame, 1);
  lines_[key] = line;
  order_.push_back(key);
  arrange();
}

void JobStrip::show_line(const Key& key, const JobStatus& status) {
  if (!lines_.contains(key)) make_line(key);
  Line* const line = lines_.at(key);
  const QString title = QString::fromStdString(status.title);
  const QString stage = QString::fromStdString(status.stage);
  line->title->setText(stage.isEmpty() ? title : title + QStringLiteral(" — ") + stage);
  // If the progress is unknown, the bar moves to show that the job is running.
  line->bar->setRange(0, status.fraction > 0.0 ? 1000 : 0);
  line->bar->setValue(static_cast<int>(status.fraction * 1000.0));
  if (line->cancel->isEnabled()) {
    const QString left = time_left_text(line->time.follow(status.seconds, status.seconds_left));
    const QString percent =
        status.fraction > 0.0 ? tr("%1 %").arg(status.fraction * 100.0, 0, 'f', 0) : QString();
    line->left->setText(left.isEmpty() ? percent : percent + QStringLiteral(" · ") + left);
  }
}

}  // namespace aprscope::gui

#include "app/gui/views/label_scene_feed.hpp"

#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/document/label_choice.hpp"
#include "app/gui/document/release.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "render/mip_view.hpp"

namespace aprscope::gui {
namespace {

constexpr int kAfterSlices = 40;  // ms

Result<std::shared_ptr<const LabelScene>> scene_of(const Dataset& data,
                                                   const std::shared_ptr<const Labels>& labels,
                                                   const LabelSceneLook& look,
                                                   const JobContext& context) {
  std::shared_ptr<const MipRaycaster> values;
  if (look.style == LabelStyle::coloured) {
    auto built = data.raycaster(context);
    if (!built) return built.error();
    values = *std::move(built);
  } else {
    // Memory for a mask of all pixels, and its maxima.
    const auto pixels = static_cast<std::uint64_t>(data.size().count());
    if (Status ok = check_memory(pixels + pixels / 4, data); !ok) return ok.error();
  }
  const bool of_particles = data.is_apr() && labels->values.size() == data.apr().access->count();
  auto made = of_particles ? LabelScene::build(labels, data.apr().access, data.voxel(), look,
                                               std::move(values), context)
                           : LabelScene::build(labels, data.size(), data.voxel(), look,
                                               std::move(values), context);
  if (made) return released_elsewhere(*std::move(made));
  return made;
}

}  // namespace

LabelSceneFeed::LabelSceneFeed(Document& document, LabelChoice& choice, MipView& view,
                               QObject* parent)
    : QObject(parent), document_(document), choice_(choice), view_(view) {
  soon_.setSingleShot(true);
  soon_.setInterval(kAfterSlices);
  connect(&soon_, &QTimer::timeout, this, &LabelSceneFeed::renew);
  connect(&document.items(), &ItemList::current_changed, this, [this] {
    // The scene being made is one of other data.
    stop();
    view_.set_label_scene(nullptr);
    follow();
  });
  connect(&document.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (document_.items().current() != nullptr && document_.items().current()->id == id) follow();
  });
  connect(&document.labels(), &ShownLabels::changed, this, &LabelSceneFeed::follow);
  connect(&document.preview(), &PreviewState::changed, this, &LabelSceneFeed::follow);
  connect(&choice, &LabelChoice::look_changed, this, &LabelSceneFeed::follow);
  connect(&choice, &LabelChoice::chosen_changed, this, [this] {
    if (choice_.look().in_3d == LabelsIn3d::surfaces) follow();
  });
}

void LabelSceneFeed::stop() {
  soon_.stop();
  ++newest_;
  if (job_ != 0) document_.background().cancel(std::exchange(job_, 0));
}

void LabelSceneFeed::follow() {
  const LabelLook& look = choice_.look();
  const Item* item = document_.items().current();
  const bool wanted = look.shown && look.in_3d != LabelsIn3d::off && item != nullptr &&
                      document_.labels().labels() != nullptr;
  if (wanted) {
    soon_.start();
    return;
  }
  stop();
  view_.set_label_scene(nullptr);
}

void LabelSceneFeed::renew() {
  const Item* item = document_.items().current();
  const auto labels = document_.labels().labels();
  if (item == nullptr || !labels) return;
  LabelSceneLook look;
  look.style =
      choice_.look().in_3d == LabelsIn3d::coloured ? LabelStyle::coloured : LabelStyle::surfaces;
  look.whole_only = choice_.look().whole_only;
  if (look.style == LabelStyle::surfaces) look.chosen = choice_.chosen();
  stop();
  job_ = document_.background().post(
      Lane::preview, tr("Cells in 3-D"), "label scene", this,
      [dataset = item->dataset, labels, look](const JobContext& context) {
        return scene_of(*dataset, labels, look, context);
      },
      [this, request = newest_](const Result<std::shared_ptr<const LabelScene>>& made) {
        if (request == newest_) take(made);
      });
}

void LabelSceneFeed::take(const Result<std::shared_ptr<const LabelScene>>& made) {
  job_ = 0;
  if (made) {
    view_.set_label_scene(*made);
  } else if (!made.error().cancelled()) {
    view_.set_label_scene(nullptr);
    document_.messages().say(made.error());
  }
}

}  // namespace aprscope::gui

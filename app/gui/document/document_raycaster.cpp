// What renders the items of the document.
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/document/release.hpp"

namespace aprscope::gui {
namespace {

// What renders, and where that was made.
struct MadeRaycaster {
  std::shared_ptr<const Raycaster> raycaster;
  std::optional<DeviceMove> moved;
};

}  // namespace

void Document::prepare_raycaster(std::uint64_t wanted) {
  const Item* found = item(wanted);
  if (found == nullptr) return;
  const Item& now = *found;
  if (now.raycaster || !has_values(*now.dataset)) return;
  background_->post(
      Lane::full, tr("Preparing the 3-D view"), {}, this,
      [dataset = now.dataset,
       backend = backend_](const JobContext& context) -> Result<MadeRaycaster> {
        MadeRaycaster made;
        auto built = backend->raycaster(
            dataset, context.listening([&](const DeviceMove& move) { made.moved = move; }));
        if (!built) return built.error();
        made.raycaster = released_elsewhere(*std::move(built));
        return made;
      },
      [this, id = now.id, dataset = now.dataset,
       backend = backend_](const Result<MadeRaycaster>& built) {
        const Item* still = item(id);
        if (still == nullptr || still->dataset != dataset || backend != backend_) return;
        if (!built) {
          say(built.error());
          return;
        }
        change_item(id, [&](Item& item) { item.raycaster = built->raycaster; });
        if (built->moved) {
          say(MessageKind::warning,
              tr("The 3-D view is %1").arg(QString::fromStdString(sentence(*built->moved))));
        }
        emit raycaster_ready(id);
      });
}

}  // namespace aprscope::gui

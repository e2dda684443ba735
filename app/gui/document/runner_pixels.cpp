// The pixel counterpart of an APR: the same steps on the image that it was made from.
#include <algorithm>
#include <utility>

#include "app/gui/document/large_files.hpp"
#include "app/gui/document/runner.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

using Steps = std::vector<Operation>;

// The index of the first step after the last conversion.
std::size_t after_conversion(const Steps& steps) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const Operation& step) {
    return traits_of(step).gives == Gives::apr;
  });
  return static_cast<std::size_t>(std::distance(last, steps.rend()));
}

}  // namespace

void Runner::find_pixels(std::uint64_t id, std::function<void(std::uint64_t)> ready) {
  const Item* listed = items_.find(id);
  if (listed == nullptr) return;
  const Item data = items_.data_of(*listed);
  const Item* found = &data;
  if (!found->is_apr()) {
    services_.messages.say(MessageKind::info,
                           tr("%1 is a pixel image already; choose an APR.").arg(found->name));
    return;
  }
  const Steps& all = found->recipe.steps;
  const auto first = static_cast<std::ptrdiff_t>(after_conversion(all));
  Steps steps(all.begin() + first, all.end());

  // The item with these pixels, or the APR from a file to reconstruct them from. A box of particles
  // has no pixels of its own: those of the whole image are cropped in the same way.
  Item from;
  const Item* with = found;
  while (!with->pixels && items_.find(with->parent) != nullptr &&
         items_.find(with->parent)->is_apr()) {
    with = items_.find(with->parent);
  }
  if (with->pixels) {
    const auto holder =
        std::find_if(items_.all().begin(), items_.all().end(), [&](const Item& other) {
          return !other.is_measurement() && other.dataset == with->pixels;
        });
    if (holder != items_.all().end()) {
      from = *holder;
    } else {  // it was removed from the list
      from.name = tr("pixels");
      from.dataset = with->pixels;
      from.histogram = histogram_of(*from.dataset);
      from.display = found->display;
      from.display.mode = ShowMode::pixel;
      from.recipe = found->recipe;
      from.recipe.steps.assign(all.begin(), all.begin() + std::max<std::ptrdiff_t>(first - 1, 0));
      if (steps.empty()) {
        ready(items_.add(std::move(from), tr("Pixels of %1").arg(items_.full_name(id))));
        return;
      }
    }
  } else {
    const Item* const root = with;
    if (!root->recipe.steps.empty() && !is_file_part(*root)) {
      services_.messages.say(Error{"its pixels are not there any more", found->name.toStdString(),
                                   "open the image again and repeat the steps"});
      return;
    }
    from = *root;
    steps.assign(all.begin() + static_cast<std::ptrdiff_t>(root->recipe.steps.size()), all.end());
    steps.insert(steps.begin(), *complete({"reconstruct", {}}));
  }

  Recipe wanted = from.recipe;
  wanted.steps.insert(wanted.steps.end(), steps.begin(), steps.end());
  for (const Item& other : items_.all()) {
    const bool same = !other.is_apr() && other.recipe == wanted &&
                      (steps.empty() ? other.id == from.id : other.parent == from.id);
    if (!same) continue;
    ready(other.id);
    return;
  }
  // Checked before the first step; for a reconstruction that is possible only once it is made.
  for (const Operation& step : steps) {
    if (from.is_apr()) break;
    if (const Status ok = services_.backend->supports(step, *from.dataset); !ok) {
      services_.messages.say(ok.error());
      return;
    }
  }
  const OperationSchema* schema = find_schema(steps.back().id);
  const QString title = traits_of(steps.back()).gives == Gives::pixels
                            ? tr("pixels")
                            : tr("%1 on pixels").arg(QString::fromStdString(schema->label));
  start(from, std::move(steps), title, items_.choices(), std::move(ready));
}

}  // namespace aprscope::gui

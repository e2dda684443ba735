#include <memory>
#include <utility>

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

std::shared_ptr<const Labels> with_spare(Labels labels,
                                         const std::shared_ptr<const Prepared>& prepared) {
  auto held = std::make_unique<Labels>(std::move(labels));
  const auto release = [from = std::weak_ptr(prepared)](const Labels* last) {
    const std::unique_ptr<Labels> one(const_cast<Labels*>(last));
    if (const auto whole = from.lock()) whole->spare().give(std::move(one->values));
  };
  return {held.release(), release};
}

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <span>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/topology/level_places.hpp"

namespace aprscope {

/// The place of each particle.
template <class Place>
class ParticlePlaces {
 public:
  ParticlePlaces(std::span<const float> values, const LevelPlaces& places)
      : memory_(static_cast<std::int64_t>(values.size()), Pages::huge),
        places_(memory_.data(), values.size()) {
    const auto count = static_cast<std::int64_t>(values.size());
    parallel_stretches(count, threads_for(count), [&](std::int64_t begin, std::int64_t end, int) {
      const auto first = static_cast<std::size_t>(begin);
      const auto many = static_cast<std::size_t>(end - begin);
      places.find(values.subspan(first, many), places_.subspan(first, many));
    });
  }
  [[nodiscard]] std::span<const Place> all() const { return places_; }

 private:
  Scratch<Place> memory_;
  std::span<Place> places_;
};

}  // namespace aprscope

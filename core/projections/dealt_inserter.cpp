#include "core/projections/dealt_inserter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/projections/side_inserters.hpp"

namespace aprscope {

namespace {

using Parts = std::vector<std::unique_ptr<Inserter>>;

void add_to(std::span<float> sums, std::span<const float> more) {
  const auto count = static_cast<std::int64_t>(sums.size());
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    sums[static_cast<std::size_t>(i)] += more[static_cast<std::size_t>(i)];
  });
}

class DealtInserter final : public Inserter {
 public:
  DealtInserter(const InsertionPlan& plan, Parts parts)
      : plan_(plan), parts_(std::move(parts)), together_(parts_.size()) {}

  // The host holds no more images than for one of them.
  [[nodiscard]] std::int64_t batch() const override {
    std::int64_t least = parts_.front()->batch();
    for (const auto& part : parts_) least = std::min(least, part->batch());
    return least;
  }
  [[nodiscard]] std::shared_ptr<float[]> image_room(std::size_t floats) const override {
    return parts_.front()->image_room(floats);
  }

  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override {
    const std::size_t pixels = terms.empty() ? 0 : images.size() / terms.size();
    return together_.insert([&](std::size_t i) -> Status {
      const std::size_t begin = terms.size() * i / parts_.size();
      const std::size_t count = terms.size() * (i + 1) / parts_.size() - begin;
      if (count == 0) return {};
      // Samples are sorted by image, so that a part's share can be searched for.
      const auto before = [](const InsertionSample& sample, std::size_t image) {
        return sample.image < static_cast<std::int32_t>(image);
      };
      const auto first = std::lower_bound(samples.begin(), samples.end(), begin, before);
      const auto last = std::lower_bound(first, samples.end(), begin + count, before);
      std::vector<InsertionSample> its(first, last);
      for (InsertionSample& sample : its) sample.image -= static_cast<std::int32_t>(begin);
      return parts_[i]->insert(images.subspan(begin * pixels, count * pixels),
                               terms.subspan(begin, count), its, context);
    });
  }

  Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) override {
    if (Status ok = parts_.front()->sums(half, tiles, out); !ok) return ok;
    std::vector<float> more(out.size());
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      if (Status ok = parts_[i]->sums(half, tiles, more); !ok) return ok;
      add_to(out, more);
    }
    return {};
  }

  Result<std::vector<float>> take(int half) override {
    if (auto& kept = kept_[static_cast<std::size_t>(half)]; !kept.empty()) return std::move(kept);
    auto all = parts_.front()->take(half);
    for (std::size_t i = 1; all && i < parts_.size(); ++i) {
      const auto more = parts_[i]->take(half);
      if (!more) return more.error();
      add_to(*all, *more);
    }
    return all;
  }

  [[nodiscard]] std::unique_ptr<MapSolver> solver() const override {
    return parts_.front()->solver();
  }
  // Adds the sums of all parts, one after the other, where the solver of the first part works.
  Result<std::unique_ptr<HeldSums>> hold(int half) override {
    const auto first = solver();
    auto all = parts_.front()->hold(half);
    if (!all) return all.error();
    for (std::size_t next = 1; next < parts_.size(); ++next) {
      std::vector<float> left;
      const Status added = add_part(half, *first, *parts_[next], **all, left);
      if (added) continue;
      if (Status kept = keep(half, *first, *std::move(all), next, std::move(left)); !kept) {
        return kept.error();
      }
      return added.error();
    }
    return all;
  }

 private:
  // Adds the sums of one part. On failure the part still has its sums, or they are in `left`.
  Status add_part(int half, MapSolver& first, Inserter& part, HeldSums& all,
                  std::vector<float>& left) {
    if (Status room = first.holds(plan_); !room) return room;
    auto own = part.hold(half);
    if (!own) return own.error();
    std::vector<std::unique_ptr<HeldSums>> one;
    one.push_back(*std::move(own));
    auto there = first.joined(plan_, one);
    if (!there) return brought_back(*part.solver(), std::move(one.front()), left, there.error());
    if (Status added = first.add(all, **there); !added) {
      return brought_back(first, *std::move(there), left, added.error());
    }
    return {};
  }
  // Moves sums back to `left`; returns `why`, or the error of that.
  static Status brought_back(MapSolver& from, std::unique_ptr<HeldSums> sums,
                             std::vector<float>& left, const Error& why) {
    auto values = from.let_go(std::move(sums));
    if (!values) return values.error();
    left = *std::move(values);
    return why;
  }
  // For take(): keeps the sums added so far, those in `left`, and those of the other parts.
  Status keep(int half, MapSolver& first, std::unique_ptr<HeldSums> all, std::size_t next,
              std::vector<float> left) {
    auto sums = first.let_go(std::move(all));
    if (!sums) return sums.error();
    if (!left.empty()) {
      add_to(*sums, left);
      ++next;
    }
    for (; next < parts_.size(); ++next) {
      const auto more = parts_[next]->take(half);
      if (!more) return more.error();
      add_to(*sums, *more);
    }
    kept_[static_cast<std::size_t>(half)] = *std::move(sums);
    return {};
  }

  InsertionPlan plan_;
  Parts parts_;
  /// Sums of halves that the solver could not hold.
  std::array<std::vector<float>, 2> kept_;
  SideInserters together_;
};

}  // namespace

Result<std::unique_ptr<Inserter>> make_dealt_inserter(const InsertionPlan& plan,
                                                      const std::vector<InserterFactory>& places,
                                                      const JobContext& context) {
  Parts parts;
  for (const InserterFactory& place : places) {
    auto made = place(plan, context);
    if (!made && made.error().cancelled()) return made.error();
    if (!made || (*made)->fitting().size() > 0) return std::unique_ptr<Inserter>();
    parts.push_back(*std::move(made));
  }
  return std::unique_ptr<Inserter>(std::make_unique<DealtInserter>(plan, std::move(parts)));
}

}  // namespace aprscope

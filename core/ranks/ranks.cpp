#include "core/ranks/ranks.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/ranks/shares.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kScratch = std::uint64_t{64} << 20;
// Smallest piece of a message that is worth sending.
constexpr std::uint64_t kLeastPiece = std::uint64_t{64} << 10;

// A status as it travels: kind, lengths of texts and, where all is fine, what must be the same
// everywhere; then the texts of an error one after the other. There is one form for all agreements:
// a rank that fails joins whichever agreement the others are in.
using Header = std::array<std::uint64_t, 5>;
enum : std::uint64_t { kFine, kCancelled, kFailed };

Header header_of(const Status& status, std::uint64_t same = 0) {
  if (status) return {kFine, 0, 0, 0, same};
  const Error& error = status.error();
  return {error.cancelled() ? kCancelled : kFailed, error.what.size(), error.where.size(),
          error.advice.size(), 0};
}

void send_status(RankLink& link, int to, const Status& status, std::uint64_t same) {
  const Header header = header_of(status, same);
  link.send(to, std::as_bytes(std::span(header)));
  if (header[0] == kFine) return;
  const std::string text = status.error().what + status.error().where + status.error().advice;
  link.send(to, std::as_bytes(std::span(text)));
}

Status receive_status(RankLink& link, int from, std::uint64_t& same) {
  Header header{};
  link.receive(from, std::as_writable_bytes(std::span(header)));
  same = header[4];
  if (header[0] == kFine) return {};
  std::string text(header[1] + header[2] + header[3], '\0');
  link.receive(from, std::as_writable_bytes(std::span(text)));
  return Error{text.substr(0, header[1]), text.substr(header[1], header[2]),
               text.substr(header[1] + header[2]),
               header[0] == kCancelled ? ErrorKind::cancelled : ErrorKind::failed};
}

// Adds the rank to an error, since an error may come from one host only.
Status named(Status status, const RankPlace& place, int rank) {
  if (header_of(status)[0] != kFailed || rank == 0) return status;
  Error error = status.error();
  error.where += (error.where.empty() ? "rank " : " (rank ") + std::to_string(rank) + " of " +
                 std::to_string(place.count) + (error.where.empty() ? "" : ")");
  return error;
}

Error different(Error difference, int rank) {
  difference.what = "process " + std::to_string(rank) + " " + difference.what;
  return difference;
}

// The error of ranks at different agreements: one was started with another command.
Error at_another_place() {
  return {"does something else than process 0", "MPI", "start all with the same command"};
}

}  // namespace

Ranks::Ranks(std::unique_ptr<RankLink> link) : link_(std::move(link)), place_(link_->place()) {}

Ranks::~Ranks() {
  if (!parted_) link_->abort();
  link_->close();
}

void Ranks::warn() {
  if (!parted_ && !std::exchange(raised_, true)) link_->raise();
}

std::uint64_t Ranks::least(std::uint64_t mine) {
  if (parted_) return mine;
  const auto bytes = [](std::uint64_t& number) {
    return std::as_writable_bytes(std::span(&number, 1));
  };
  if (!is_first()) {
    link_->send(0, bytes(mine));
    link_->receive(0, bytes(mine));
    return mine;
  }
  for (int rank = 1; rank < place_.count; ++rank) {
    std::uint64_t other = 0;
    link_->receive(rank, bytes(other));
    mine = std::min(mine, other);
  }
  for (int rank = 1; rank < place_.count; ++rank) link_->send(rank, bytes(mine));
  return mine;
}

void Ranks::exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  const auto start = std::chrono::steady_clock::now();
  link_->exchange(to, out, from, in);
  moved_ += out.size() + in.size();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool Ranks::another_failed() { return !parted_ && link_->raised(); }

Status Ranks::decide(const Status& mine, std::uint64_t same, const Error& difference) {
  std::uint64_t of_other = 0;
  if (!is_first()) {
    send_status(*link_, 0, mine, same);
    return receive_status(*link_, 0, of_other);
  }
  Status worst = mine;
  int first_different = 0;
  for (int rank = 1; rank < place_.count; ++rank) {
    Status other = named(receive_status(*link_, rank, of_other), place_, rank);
    if (other && of_other != same && first_different == 0) first_different = rank;
    if (header_of(other)[0] > header_of(worst)[0]) worst = std::move(other);
  }
  // An error of a rank says more than a difference: report that first.
  if (worst && first_different > 0) worst = different(difference, first_different);
  for (int rank = 1; rank < place_.count; ++rank) send_status(*link_, rank, worst, same);
  return worst;
}

Status Ranks::agree(const Status& mine) { return settle(mine, 0, at_another_place()); }

Status Ranks::agree_on(std::uint64_t same, const Error& difference) {
  return settle({}, same, difference);
}

Status Ranks::settle(const Status& mine, std::uint64_t same, const Error& difference) {
  if (parted_) return mine;
  if (header_of(mine)[0] != kFine) warn();
  Status all = decide(mine, same, difference);
  if (!all) parted_ = true;
  return all;
}

Status Ranks::meet() {
  if (parted_ || std::exchange(met_, true)) return {};
  return agree({});
}

Status Ranks::part(const Status& mine) {
  if (parted_) return mine;
  if (Status ok = agree(mine); !ok) return ok;
  parted_ = true;
  if (!is_first()) return cancelled_error();
  return mine;
}

std::uint64_t Ranks::scratch_bytes() const {
  return std::max(kScratch, kLeastPiece * static_cast<std::uint64_t>(place_.count));
}

void Ranks::prepare_sums() { scratch_.resize(scratch_bytes()); }

// Each rank adds up its share of the elements, piece by piece, and rank 0 gathers the shares: no
// rank sends or receives more than twice the array, and none holds another's.
template <class T>
void Ranks::sum(std::span<T> values) {
  const auto start = std::chrono::steady_clock::now();
  const int count = place_.count;
  const int rank = place_.rank;
  const auto total = static_cast<std::int64_t>(values.size());
  const auto share = [&](int of) { return share_of(total, of, count); };
  const auto part = [&](const Share& s) {
    return values.subspan(static_cast<std::size_t>(s.begin), static_cast<std::size_t>(s.size()));
  };
  const auto piece =
      static_cast<std::int64_t>(scratch_bytes() / static_cast<unsigned>(count) / sizeof(T));
  // Room for the pieces that the other ranks send.
  auto* const received = reinterpret_cast<T*>(scratch_.data());  // NOLINT: bytes of any type
  const std::int64_t longest = (total + count - 1) / count;
  for (std::int64_t from = 0; from < longest; from += piece) {
    const Share mine = piece_of(share(rank), from, piece);
    for (int step = 1; step < count; ++step) {
      const int to = (rank + step) % count;
      const int source = (rank - step + count) % count;
      const auto out = std::as_bytes(part(piece_of(share(to), from, piece)));
      const auto in = std::as_writable_bytes(
          std::span(received + source * piece, static_cast<std::size_t>(mine.size())));
      link_->exchange(to, out, source, in);
      moved_ += out.size() + in.size();
    }
    T* const own = values.data() + mine.begin;
    parallel_for(mine.size(), threads_for(mine.size() * count), [&](std::int64_t i) {
      T added = rank == 0 ? own[i] : received[i];
      for (int other = 1; other < count; ++other) {
        added += other == rank ? own[i] : received[other * piece + i];
      }
      own[i] = added;
    });
  }
  for (int other = 1; other < count; ++other) {
    const auto bytes = std::as_writable_bytes(part(share(other)));
    // By exchange(), since send() and receive() wait patiently, which is slower.
    if (rank == 0) link_->exchange(other, {}, other, bytes);
    if (rank == other) link_->exchange(0, bytes, 0, {});
    if (rank == 0 || rank == other) moved_ += bytes.size();
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Ranks::sum_on_first(std::span<float> values) { sum(values); }
void Ranks::sum_on_first(std::span<double> values) { sum(values); }

}  // namespace aprscope

#include "app/cli/shared/series.hpp"

#include <charconv>
#include <utility>

#include "app/cli/shared/options.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/pipeline/series.hpp"

namespace aprscope::cli {
namespace {

std::optional<IndexRange> range_from(const std::string& text) {
  IndexRange range;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, range.last);
  const bool fits = last.ec == std::errc() && last.ptr == end && range.first >= 0;
  return fits && range.first <= range.last ? std::optional(range) : std::nullopt;
}

}  // namespace

std::string check_range(const std::string& text) {
  if (text == "all" || range_from(text)) return {};
  return text + " is neither all nor FIRST-LAST, as in 0-9";
}

Result<IndexRange> chosen_range(const std::string& text, int otherwise, int count,
                                const std::string& what, const std::string& path) {
  if (text == "all") return IndexRange{0, count - 1};
  const IndexRange range = range_from(text).value_or(IndexRange{otherwise, otherwise});
  if (range.last < count) return range;
  return Error{"has " + std::to_string(count) + " " + what + (count == 1 ? "" : "s") +
                   ", not one " + std::to_string(range.last),
               path, what + "s are counted from 0 on"};
}

void SeriesOptions::add_to(CLI::App& command) {
  const std::string file = only_zarr ? "one .zarr" : "one .apr or .zarr";
  const std::string own =
      only_zarr
          ? ""
          : "; in an .apr each has particles of its own, unless the conversion shares a structure";
  command
      .add_option("--channels", channels,
                  "Put all channels, or a range of them, into " + file + own)
      ->check(check_range)
      ->type_name("all|FIRST-LAST");
  command
      .add_option(
          "--times", times,
          "Put all time points, or a range of them, into " + file + "; one is in memory at a time")
      ->check(check_range)
      ->type_name("all|FIRST-LAST");
}

void SeriesOptions::check(const CLI::App& command, const std::string& output) const {
  if (!given()) return;
  const std::string option = channels.empty() ? "--times" : "--channels";
  if (!channels.empty() && command.get_option("--channel")->count() > 0) {
    wrong_usage("--channel", "leave it out beside --channels");
  }
  if (!times.empty() && command.get_option("--time")->count() > 0) {
    wrong_usage("--time", "leave it out beside --times");
  }
  const bool to_apr = std::filesystem::path(output).extension() == ".apr" && !only_zarr;
  if (!to_apr && !is_zarr_name(output)) {
    wrong_usage(option, std::string("goes with an output that ends in ") +
                            (only_zarr ? ".zarr" : ".apr or .zarr"));
  }
}

Result<std::vector<SourceSelection>> selections_of(const SeriesOptions& series,
                                                   const InputOptions& input,
                                                   const SourceInfo& info) {
  const auto channels = chosen_range(series.channels, input.channel,
                                     static_cast<int>(info.channels.size()), "channel", input.path);
  if (!channels) return channels.error();
  const auto times = chosen_range(series.times, input.time, info.times, "time point", input.path);
  if (!times) return times.error();
  std::vector<SourceSelection> all;
  for (int time = times->first; time <= times->last; ++time) {
    for (int channel = channels->first; channel <= channels->last; ++channel) {
      all.push_back({channel, time});
    }
  }
  return all;
}

void describe_series(const std::vector<SourceSelection>& parts,
                     const std::vector<std::uint64_t>& particles, const std::string& output,
                     Session& session) {
  Json described = Json::array();
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Json one = Json::object();
    one["channel"] = parts[i].channel;
    one["time"] = parts[i].time;
    if (i < particles.size()) one["particles"] = particles[i];
    described.push_back(std::move(one));
  }
  for (const std::uint64_t count : particles) all += count;
  session.report()["parts"] = std::move(described);
  if (!particles.empty()) session.report()["particles"] = all;
  session.report()["output"] = output;
}

Status write_series_as_zarr(const MakePart& make, const SourceInfo& info,
                            const std::vector<SourceSelection>& parts,
                            const std::vector<Operation>& steps, const std::string& output,
                            const char* stage, Session& session) {
  std::vector<std::uint64_t> particles;
  const MakePart counted = [&](const SourceSelection& part, const JobContext& context) {
    auto data = make(part, context);
    const Apr* const apr = data ? std::get_if<Apr>(data->get()) : nullptr;
    if (apr != nullptr) particles.push_back(apr->access->count());
    return data;
  };
  Status written = session.timed(stage, [&] {
    return write_zarr_parts(zarr_series(info, parts, steps), parts, counted, output,
                            session.options().ome_zarr, session.context());
  });
  if (written) describe_series(parts, particles, output, session);
  return written;
}

Status run_series(const SeriesOptions& series, const InputOptions& input,
                  const std::vector<Operation>& steps, const std::string& output,
                  const AprWriteOptions& file, const char* stage, Session& session) {
  const auto info = inspect_input(input, session.context());
  if (!info) return info.error();
  const auto parts = selections_of(series, input, *info);
  if (!parts) return parts.error();
  std::optional<VoxelSize> voxel;
  if (!input.voxel_size.empty()) voxel = chosen_voxel_size(input, info->voxel);
  const MakePart part = part_maker(steps, *info, *parts, voxel, session.backend());
  if (is_zarr_name(output)) {
    return write_series_as_zarr(part, *info, *parts, steps, output, stage, session);
  }
  std::vector<std::uint64_t> particles;
  const MakeApr make = [&](std::size_t i, const JobContext& context) -> Result<Apr> {
    auto apr = particles_of_part(part, *info, (*parts)[i], context);
    if (!apr) return apr;
    particles.push_back(apr->access->count());
    return apr;
  };
  Status written = session.timed(
      stage, [&] { return write_apr_parts(parts->size(), make, output, file, session.context()); });
  if (written) describe_series(*parts, particles, output, session);
  return written;
}

}  // namespace aprscope::cli

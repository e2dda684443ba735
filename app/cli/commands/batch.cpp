// The command that puts the tables of a batch together whose files several processes shared.
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "core/base/atomic_file.hpp"
#include "core/pipeline/batch_merge.hpp"

namespace aprscope::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> parts;
  std::string output;
};

Status merge(const MergeOptions& options, Session& session) {
  if (Status ok = check_output(options.output, options.parts, session); !ok) return ok;
  const auto merged = merge_parts({options.parts.begin(), options.parts.end()});
  if (!merged) return merged.error();
  session.report()["output"] = options.output;
  session.report()["parts"] = merged->parts;
  session.report()["table_rows"] = merged->rows;
  session.report()["failed"] = merged->failed;
  session.report()["unfinished_parts"] = merged->unfinished;
  if (Status ok = write_text_atomically(options.output, merged->csv); !ok) return ok;
  session.report()["tables"] = Json::array();
  std::vector<std::string> others = options.parts;
  others.push_back(options.output);
  for (const MergedBatch::OfFiles& table : merged->tables) {
    if (Status ok = check_output(table.path, others, session); !ok) return ok;
    if (Status ok = write_text_atomically(table.path, table.csv); !ok) return ok;
    session.report()["tables"].push_back(table.path.string());
  }
  session.report()["not_merged"] = merged->unlike;
  return {};
}

}  // namespace

void add_batch(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("batch", "Join the tables of a batch that ran in several parts");
  command->require_subcommand(1);
  auto* parts =
      command->add_subcommand("merge",
                              "Join the tables that run --part wrote, in the order of the whole "
                              "batch, and the tables of what its steps measured");
  auto options = std::make_shared<MergeOptions>();
  parts->add_option("PART", options->parts, "The tables of all parts (.partK.csv)")->required();
  parts->add_option("-o,--output", options->output, "The joined table to write")
      ->type_name("TABLE.csv")
      ->required();
  parts->callback([options, &chosen] {
    output_kind(options->output, {OutputKind::csv});
    chosen.run = [options](Session& session) { return merge(*options, session); };
  });
}

}  // namespace aprscope::cli

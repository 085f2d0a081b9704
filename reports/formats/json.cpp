// verdict.json: everything that the other formats are made from (`holdfast schema verdict` describes it). A run writes
// it last: a folder without it is incomplete.
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "reports/format.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

std::string json_of_run(const FormatInput& in) {
  return without_commands_in_json(text_of_json(to_json(in.page.found.run), 1)) + "\n";
}

}  // namespace

extern const FormatType format_json;
const FormatType format_json{
    .about = "the verdict, for programs (holdfast schema verdict)", .file = "verdict.json", .of_run = json_of_run};

}  // namespace holdfast

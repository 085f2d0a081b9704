#include "artifact/facts.hpp"

#include "artifact/json_reader.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfFacts = std::size_t{4} << 20;  // bytes

}  // namespace

nlohmann::json to_json(const TrialFacts& facts) {
  auto errors = nlohmann::json::array();
  for (const auto& error : facts.errors) errors.push_back(valid_utf8(error));
  return {{"server", valid_utf8(facts.server)}, {"errors", std::move(errors)}, {"stalls", facts.stalls}};
}

TrialFacts read_trial_facts(const InputFile& file) {
  return trial_facts_of(read_text_file(file, kMostOfFacts), file.path());
}

TrialFacts trial_facts_of(const std::string& text, const std::string& file) {
  return read_json_text(text, file, [](const nlohmann::json& json) {
    Shape in(json);
    TrialFacts facts;
    facts.server = in.text("server");
    facts.errors = in.texts("errors");
    facts.stalls = in.integer("stalls");
    in.finish();
    return facts;
  });
}

}  // namespace holdfast

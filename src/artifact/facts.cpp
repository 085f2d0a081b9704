#include "artifact/facts.hpp"

#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfFacts = std::size_t{4} << 20;  // bytes

}  // namespace

const JsonForm<SentRequest>& SentRequest::form() {
  static const JsonForm<SentRequest> kForm{
      "request",
      "",
      {field("client", &SentRequest::client), field("of", &SentRequest::of), field("number", &SentRequest::number),
       field("time_ns", &SentRequest::time_ns)}};
  return kForm;
}

const JsonForm<TrialFacts>& TrialFacts::form() {
  static const JsonForm<TrialFacts> kForm{
      "facts",
      "",
      {field("server", &TrialFacts::server), field("errors", &TrialFacts::errors), field("stalls", &TrialFacts::stalls),
       unless_default(field("time_doubts", &TrialFacts::time_doubts)),
       unless_default(field("requests", &TrialFacts::requests))}};
  return kForm;
}

TrialFacts read_trial_facts(const InputFile& file) {
  return trial_facts_of(read_text_file(file, kMostOfFacts), file.path());
}

TrialFacts trial_facts_of(const std::string& text, const std::string& file) {
  return read_json_text(text, file, from_json<TrialFacts>);
}

}  // namespace holdfast

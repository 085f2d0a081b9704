#include "doctor/examination.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr const char* kRemedy = "; remedy: ";

std::vector<std::string> faults_that(const Diagnosis& found, bool available) {
  std::vector<std::string> out;
  for (const auto& one : found.all) {
    if (one.part == "fault" && (one.health == Health::ok) == available) out.push_back(one.name);
  }
  return out;
}

bool in_the_way(const Examination& one) {
  return one.needed && one.health != Health::ok;
}

std::string lines_of(const Examination& one, std::size_t width) {
  const bool aside = one.health == Health::failed && !one.needed;
  std::string out =
      fmt::format("{:<11}  {:<8}{:<{}}  {}{}\n", one.health == Health::failed ? "FAIL" : to_text(one.health), one.part,
                  one.name, width, one.says, aside ? " (not needed)" : "");
  if (!one.remedy.empty()) out += fmt::format("{:21}{:<{}}  remedy: {}\n", "", "", width, one.remedy);
  return out;
}

std::string conclusion(const Diagnosis& found) {
  const auto wrong = std::count_if(found.all.begin(), found.all.end(), in_the_way);
  if (wrong == 0) return fmt::format("OK    this machine can run {}\n", found.suite);
  return fmt::format("FAIL  this machine cannot run {}: {} of {} requirements are not met\n", found.suite, wrong,
                     std::count_if(found.all.begin(), found.all.end(), [](const auto& one) { return one.needed; }));
}

std::string list_of(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

const char* to_text(Health health) {
  return EnumWords<Health>({"ok", "unavailable", "failed", "not tried"})[health];
}

bool Diagnosis::can_run() const {
  return !all.empty() && std::none_of(all.begin(), all.end(), in_the_way);
}

std::vector<std::string> Diagnosis::faults() const {
  return faults_that(*this, true);
}

std::vector<std::string> Diagnosis::missing() const {
  return faults_that(*this, false);
}

void explain(Examination& of, const std::string& error) {
  const auto at = error.find(kRemedy);
  of.says = error.substr(0, at);
  of.remedy = at == std::string::npos ? "" : error.substr(at + std::string(kRemedy).size());
}

// Checks that were not tried have no line of their own; one reason above explains them.
std::string diagnosis_text(const Diagnosis& found) {
  std::size_t width = 0;
  for (const auto& one : found.all) width = std::max(width, one.name.size());
  std::string out;
  std::size_t not_tried = 0;
  for (const auto& one : found.all) {
    if (one.health == Health::not_tried) {
      ++not_tried;
    } else {
      out += lines_of(one, width);
    }
  }
  if (not_tried > 0)
    out += fmt::format("{:<11}  {} more, which depend on the failures above\n", "not tried", not_tried);
  out += "\n" + conclusion(found) + "faults available here: " + list_of(found.faults());
  const auto missing = found.missing();
  return out + (missing.empty() ? "" : "; not: " + list_of(missing)) + "\n";
}

nlohmann::ordered_json diagnosis_json(const Diagnosis& found) {
  nlohmann::ordered_json out{{"holdfast_doctor", 1}, {"suite", found.suite}, {"can_run", found.can_run()}};
  auto& all = out["examinations"] = nlohmann::ordered_json::array();
  for (const auto& one : found.all) {
    nlohmann::ordered_json entry{{"part", one.part},
                                 {"name", one.name},
                                 {"health", to_text(one.health)},
                                 {"needed", one.needed},
                                 {"says", one.says}};
    if (!one.remedy.empty()) entry["remedy"] = one.remedy;
    entry["seconds"] = one.seconds;
    all.push_back(entry);
  }
  out["faults_available"] = found.faults();
  out["faults_unavailable"] = found.missing();
  return out;
}

}  // namespace holdfast

// The texts of a lock in the form of src/lock/lock_texts.hpp, each paragraph and each item on a line of its own: what
// is read, written and read again is what it was.
#pragma once

#include <string>

#include "lock/lock_texts.hpp"

namespace holdfast::tests {

inline std::string written_lock_texts(const LockTexts& texts, const std::string& name) {
  std::string out = "# " + name + "\n\n" + texts.about + "\n";
  if (!texts.source.empty()) out += "\nSource: " + texts.source + "\n";
  if (!texts.does.empty()) out += "\n## What it does\n\n" + texts.does + "\n";
  if (!texts.rules.empty()) out += "\n## Rules\n\n";
  for (const auto& rule : texts.rules) out += "- " + rule.source + ": " + rule.text + "\n";
  if (!texts.flaws.empty()) out += "\n## Known flaws\n\n";
  for (const auto& flaw : texts.flaws) out += "- " + flaw + "\n";
  if (!texts.worst.empty()) out += "\n## Worst case\n\n" + texts.when + "\n\n| client A | client B |\n|---|---|\n";
  for (const auto& step : texts.worst) out += "| " + step.a + " | " + step.b + " |\n";
  if (!texts.instead.empty()) out += "\n## Use instead\n\n" + texts.instead + "\n";
  return out;
}

}  // namespace holdfast::tests

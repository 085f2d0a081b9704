#include "nemesis/nemesis_record.hpp"

#include "artifact/error.hpp"

namespace holdfast {

void NemesisRecord::tell(Event event) {
  const std::lock_guard guard(mutex_);
  report_.events.push_back(std::move(event));
}

void NemesisRecord::error(const std::string& fault, const std::string& why) {
  const std::lock_guard guard(mutex_);
  report_.errors.push_back("fault " + fault + ": " + why);
}

NemesisReport NemesisRecord::report() const {
  const std::lock_guard guard(mutex_);
  return report_;
}

void NemesisRecord::claim(const std::string& fault, const Victims& victims) {
  const std::lock_guard guard(mutex_);
  for (const auto victim : victims) {
    if (struck_.count({fault, victim}) == 0) continue;
    throw HarnessError("another " + fault + " still strikes the same; remedy: a later `at`, or a shorter one before");
  }
  for (const auto victim : victims) struck_.insert({fault, victim});
}

void NemesisRecord::give_back(const std::string& fault, const Victims& victims) {
  const std::lock_guard guard(mutex_);
  for (const auto victim : victims) struck_.erase({fault, victim});
}

}  // namespace holdfast

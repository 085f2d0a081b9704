#include "lab/last_words.hpp"

#include <fstream>

namespace holdfast {

LastWords last_words(const std::string& log) {
  static const std::string kOwn = "holdfast: ";
  std::ifstream in(log);
  LastWords out;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(kOwn, 0) == 0) out.own = line.substr(kOwn.size());
    if (!line.empty()) out.any = line;
  }
  return out;
}

}  // namespace holdfast

// The smallest adapter, in C++: it grants whatever it is asked for. For adapter_cost.
#include <iostream>
#include <string>

#include "adapter/adapter_message.hpp"

int main() {
  using namespace holdfast;
  for (std::string line; std::getline(std::cin, line);) {
    const AdapterMessage asked = read_request_line(line);
    if (asked.name == MessageName::bye) return 0;
    AdapterMessage answer{.name = MessageName::ok, .n = asked.n};
    if (asked.name == MessageName::hello) {
      answer = {.name = MessageName::ready,
                .n = asked.n,
                .v = 1,
                .adapter = "echo",
                .version = "1",
                .can = std::vector<std::string>{"renew"}};
    }
    if (asked.name == MessageName::acquire) answer.token = static_cast<std::uint64_t>(*asked.n);
    std::cout << to_line(answer) << std::endl;
  }
  return 0;
}

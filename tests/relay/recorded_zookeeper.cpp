// A conversation of ZooKeeper's protocol, made by hand.
#include <cstdint>

#include "tests/relay/recorded.hpp"

namespace holdfast {
namespace {

std::string number(std::int32_t value) {
  return postgres_number(static_cast<std::uint32_t>(value));
}

std::string text(const std::string& words) {
  return number(static_cast<std::int32_t>(words.size())) + words;
}

std::string message(const std::string& body) {
  return text(body);
}

std::string zeros(std::size_t count) {
  return std::string(count, '\0');
}

constexpr std::int32_t kCreate = 1;
constexpr std::int32_t kGetChildren = 12;
constexpr std::int32_t kPing = 11;
constexpr std::int32_t kAuth = 100;
constexpr std::int32_t kClose = -11;

}  // namespace

std::vector<Utterance> zookeeper_conversation() {
  const std::string ping = message(number(-2) + number(kPing));
  return {{true, message(zeros(12) + number(2000) + zeros(8) + text(zeros(16)) + zeros(1))},
          {false, message(zeros(4) + number(2000) + zeros(8) + text(zeros(16)) + zeros(1))},
          {true, message(number(1) + number(kCreate) + text("/locks/orders") + text("") + zeros(8))},
          {false, message(number(1) + zeros(12) + text("/locks/orders"))},
          {true, ping + message(number(2) + number(kGetChildren) + text("/locks/apples") + zeros(1))},
          {false, message(number(-1) + zeros(12) + number(1) + number(3) + text("/locks/orders"))},
          {false, message(number(-2) + zeros(12)) + message(number(2) + zeros(12) + zeros(4))},
          {true, message(number(3) + number(kGetChildren) + text("/locks/orders") + zeros(1)) +
                     message(number(-4) + number(kAuth) + zeros(4) + text("digest") + text("a:b"))},
          {false, message(number(-4) + zeros(12)) + message(number(3) + zeros(12) + zeros(4))},  // auth goes first
          {false, message(number(9) + zeros(12))},  // for an unknown request
          {true, message(number(4) + number(kClose))},
          {false, message(number(4) + zeros(12))}};
}

std::string zookeeper_told() {
  return "client 49\n"
         "server 41 aside\n"
         "client 41 counts repeatable asks\n"
         "server 37 answers 1\n"
         "client 12 counts in_background repeatable asks\n"
         "client 30 passes repeatable asks\n"
         "server 45 aside\n"
         "server 20 answers 2\n"
         "server 24 answers 3\n"
         "client 30 counts repeatable asks\n"
         "client 33 passes repeatable asks\n"
         "server 20 answers 5\n"
         "server 24 answers 4\n"
         "server 20 aside\n"
         "client 12 passes asks\n"
         "server 20 answers 6\n";
}

}  // namespace holdfast

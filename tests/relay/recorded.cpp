#include "tests/relay/recorded.hpp"

#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

using std::string_literals::operator""s;

constexpr std::uint32_t kProtocol = 1U << 9U;
constexpr std::uint32_t kNoEof = 1U << 24U;
constexpr std::uint32_t kAllButMariaDbs = 0xFFFFFFFF;

std::string little(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t n = 0; n < bytes; ++n) out += static_cast<char>(number >> (8 * n));
  return out;
}

// Answers to a query, from packet 1 on: packets in a row.
std::string in_a_row(const std::vector<std::string>& payloads) {
  std::string out;
  for (unsigned n = 0; n < payloads.size(); ++n) out += mysql_packet(n + 1, payloads[n]);
  return out;
}

std::string ok(unsigned status, char first = 0) {
  return std::string(1, first) + "\x01\x00"s + little(status, 2) + little(0, 2);
}

std::string eof(unsigned status) {
  return "\xfe"s + little(0, 2) + little(status, 2);
}

Utterance asks(const std::string& payload) {
  return {true, mysql_packet(0, payload)};
}

constexpr unsigned kAuto = 2;
constexpr unsigned kMore = 8;
constexpr unsigned kCursor = 0x40;

}  // namespace

std::string mysql_packet(unsigned sequence, const std::string& payload) {
  return little(payload.size(), 3) + static_cast<char>(sequence) + payload;
}

// A greeting of 95 bytes, and the client's answer to it.
std::vector<Utterance> mysql_login(std::uint32_t bits, std::size_t answer_length) {
  const std::string can = little(kAllButMariaDbs, 4);
  std::string greeting = "\x0a"s + "10.11.14-MariaDB" + "\0"s + little(7, 4) + "12345678" + "\0"s + can.substr(0, 2);
  greeting += "\x2d\x02\x00"s + can.substr(2) + "\x15"s + std::string(10, '\0') + "123456789012\0"s;
  greeting += "mysql_native_password\0"s;
  greeting.resize(91, ' ');
  std::string answer = little(kProtocol | 1U | bits, 4) + little(1U << 24U, 4) + "\x2d"s + std::string(23, '\0');
  answer.resize(answer_length, 'x');
  return {{false, mysql_packet(0, greeting)}, {true, mysql_packet(1, answer)}};
}

std::vector<Utterance> mysql_conversation() {
  auto out = mysql_login(kNoEof, 60);
  const auto add = [&](const Utterance& ask, const std::string& answer) {
    out.push_back(ask);
    if (!answer.empty()) out.push_back({false, answer});
  };
  out.push_back({false, mysql_packet(2, "\xfe"s + "other_plugin\0"s)});
  out.push_back({true, mysql_packet(3, "secret")});
  out.push_back({false, mysql_packet(4, ok(kAuto))});
  add(asks("\x0e"), in_a_row({ok(kAuto)}));
  add(asks("\x03UPDATE t SET a=1 WHERE name='orders'"), in_a_row({ok(kAuto)}));
  add(asks("\x03SELECT 'orders'"), in_a_row({"\x01", "column", "\x06orders", "\xfb", ok(kAuto, '\xfe')}));
  add(asks("\x03SELECT 1; UPDATE t"),
      in_a_row({"\x01", "column", "\x01x", ok(kAuto | kMore, '\xfe')}) + mysql_packet(5, ok(kAuto)));
  add(asks("\x03SELECT fails"), in_a_row({"\x01", "column", "\xff\x10\x04#HY000gone"}));
  add(asks("\x16SELECT ? + 'orders'"),
      in_a_row({"\0"s + little(5, 4) + little(1, 2) + little(1, 2) + "\0\0\0"s, "parameter", "column"}));
  add(asks("\x17"s + little(5, 4) + "\0\x01\0\0\0"s), in_a_row({ok(kAuto)}));
  add(asks("\x17"s + little(6, 4) + "\0\x01\0\0\0"s), in_a_row({ok(kAuto)}));
  add(asks("\x18"s + little(6, 4) + "\0\0orders"s), "");
  add(asks("\x17"s + little(6, 4) + "\0\x01\0\0\0"s), in_a_row({ok(kAuto)}));
  add(asks("\x19"s + little(5, 4)), "");
  add(asks("\x09"), in_a_row({"Uptime: 1"}));
  add(asks("\x04t\0"s), in_a_row({"column", "column", ok(kAuto, '\xfe')}));
  add(asks("\x03LOAD DATA LOCAL"), in_a_row({"\xfb/file"}));
  out.push_back({true, mysql_packet(2, "line\n") + mysql_packet(0, "sequence 0 again\n") + mysql_packet(3, "")});
  out.push_back({false, mysql_packet(4, ok(kAuto))});
  add(asks("\x03ROLLBACK TO SAVEPOINT a"), in_a_row({ok(kAuto)}));
  add(asks("\x03 commit"), in_a_row({ok(kAuto)}));
  add(asks("\x11user"), in_a_row({"\xfeplugin\0"s}));
  out.push_back({true, mysql_packet(2, "secret")});
  out.push_back({false, mysql_packet(3, ok(kAuto))});
  out.push_back({false, mysql_packet(0, "\xff\x87\x07#08S01closed")});
  add(asks("\x01"), "");
  return out;
}

std::string mysql_told() {
  return "server 95 aside\nclient 64\nserver 18 aside\nclient 10\nserver 11 aside\n"
         "client 5 passes asks\nserver 11\n"
         "client 41 counts repeatable asks\nserver 11\n"
         "client 20 counts repeatable asks\nserver 42\n"
         "client 23 passes repeatable asks\nserver 43\n"
         "client 17 passes repeatable asks\nserver 32\n"
         "client 24 passes asks\nserver 39\n"
         "client 14 counts asks\nserver 11\n"
         "client 14 passes asks\nserver 11\n"
         "client 17 passes\n"
         "client 14 counts asks\nserver 11\n"
         "client 9 passes\n"
         "client 5 passes asks\nserver 13\n"
         "client 7 passes asks\nserver 31\n"
         "client 20 passes repeatable asks\nclient 9\nclient 21\nclient 4\nserver 21\n"
         "client 28 passes repeatable asks\nserver 11\n"
         "client 12 passes ends repeatable asks\nserver 11\n"
         "client 9 passes asks\nclient 10\nserver 23\n"
         "server 19 aside\n"
         "client 5 passes\n";
}

std::vector<Utterance> mysql_conversation_with_eof() {
  auto out = mysql_login(0, 60);
  out.push_back({false, mysql_packet(2, ok(kAuto))});
  const auto add = [&](const std::string& ask, const std::string& answer) {
    out.push_back(asks(ask));
    out.push_back({false, answer});
  };
  add("\x03SELECT 1", in_a_row({"\x02", "column", "column", eof(kAuto), "\x01x\x01y", eof(kAuto)}));
  add("\x03SELECT 1; SELECT 2", in_a_row({"\x01", "column", eof(kAuto), "\x01x", eof(kAuto | kMore)}) +
                                    in_a_row({"\x01", "column", eof(kAuto), eof(kAuto)}));
  add("\x16SELECT ?", in_a_row({"\0"s + little(1, 4) + little(1, 2) + little(1, 2) + "\0\0\0"s, "parameter", eof(kAuto),
                                "column", eof(kAuto)}));
  add("\x17"s + little(1, 4) + "\x01\x01\0\0\0"s, in_a_row({"\x01", "column", eof(kAuto | kCursor)}));
  add("\x1b\0\0"s, in_a_row({eof(kAuto)}));
  return out;
}

std::string mysql_told_with_eof() {
  return "server 95 aside\nclient 64\nserver 11 aside\n"
         "client 13 passes repeatable asks\nserver 51\n"
         "client 23 passes repeatable asks\nserver 72\n"
         "client 13 passes asks\nserver 57\n"
         "client 14 passes asks\nserver 24\n"
         "client 7 passes asks\nserver 9\n";
}

std::vector<Utterance> resp_conversation() {
  return {{true, command({"HELLO", "3"})},
          {false, "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"},
          {true, command({"SET", "orders", "a\r\nb", "NX"}) + "PING\r\n" + command({"GET", ""})},
          {false, "+OK\r\n+PONG\r\n_\r\n"},
          {false, ">2\r\n$10\r\ninvalidate\r\n*1\r\n$6\r\norders\r\n"},
          {true, "\r\n*0\r\n" + command({"EVAL", "return {1, 2}", "1", "orders"})},
          {false, "*2\r\n:1\r\n*2\r\n$-1\r\n|1\r\n+a\r\n:1\r\n#t\r\n"},
          {true, "del orders\n"},
          {false, "-READONLY no\r\n"}};
}

}  // namespace holdfast

// Bytes of a false MySQL server, on a socket that holdfast's client connects to: an answer, or a clear refusal. The
// server gets neither the password nor a file, and the stored part of its answer stays below the limit.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz mysql_fuzz
//   build/fuzz/tests/fuzz/mysql_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/mysql
//
// The first byte selects the start of the false part: g, the greeting; a, or n without a password, after a true
// greeting; q, the answer to a query. The library that reads the packets has no sanitizer of its own: the program's use
// of them has, and so have its calls of the C library.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "servers/mysql/mysql_connection.hpp"

namespace holdfast {
namespace {

constexpr const char* kPassword = "what nobody may be told";
constexpr std::size_t kMost = std::size_t{1} << 20U;

void demand(bool what) {
  if (!what) std::abort();
}

std::string packet(unsigned number, const std::string& payload) {
  const auto byte = [](std::size_t value) { return static_cast<char>(value & 0xFFU); };
  const std::size_t n = payload.size();
  return std::string{byte(n), byte(n >> 8U), byte(n >> 16U), byte(number)} + payload;
}

std::string greeting() {
  using std::string_literals::operator""s;
  return packet(0,
                "\x0a"
                "8.0.99\0"s +
                    "\7\0\0\0"s + "12345678\0"s + "\x89\x82"s + "\x2d\2\0\x0b\0\x15"s + std::string(10, '\0') +
                    "123456789012\0"s + "mysql_native_password\0"s);
}

std::string ok(unsigned number) {
  return packet(number, std::string("\0\0\0\2\0\0\0", 7));
}

// One conversation: he speaks, and hears what the client says in between.
class Liar {
 public:
  Liar() : folder_(made_folder()), door_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path().copy(at.sun_path, sizeof at.sun_path - 1);
    demand(::bind(door_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 && ::listen(door_, 4) == 0);
  }
  Liar(const Liar&) = delete;
  Liar& operator=(const Liar&) = delete;
  ~Liar() {
    ::close(door_);
    std::filesystem::remove_all(folder_);
  }
  std::string path() const { return folder_ + "/s"; }

  void serve(char from, const std::string& lie) {
    heard_.clear();
    const int client = ::accept(door_, nullptr, nullptr);
    demand(client >= 0);
    if (from != 'g') {
      say(client, greeting());
      hear(client);
    }
    if (from == 'q') {
      say(client, ok(2));
      hear(client);
    }
    say(client, lie);
    ::shutdown(client, SHUT_WR);
    while (hear(client)) {
    }
    ::close(client);
  }
  const std::string& heard() const { return heard_; }

 private:
  static std::string made_folder() {
    std::string folder = "/tmp/holdfast-fuzz-XXXXXX";
    demand(::mkdtemp(folder.data()) != nullptr);
    return folder;
  }
  static void say(int client, const std::string& what) {
    for (std::size_t at = 0; at < what.size();) {
      const auto n = ::send(client, what.data() + at, what.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return;  // he has had enough
      at += static_cast<std::size_t>(n);
    }
  }
  bool hear(int client) {
    char buffer[4096];
    const auto n = ::read(client, buffer, sizeof buffer);
    if (n > 0) heard_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }

  std::string folder_;
  int door_;
  std::string heard_;
};

void kept_within(const Reply& reply) {
  std::size_t kept = 0;
  for (const auto& row : reply.rows) {
    demand(row.size() == reply.rows.front().size());
    for (const Field& field : row) kept += sizeof field + (field ? field->size() : 0);
  }
  demand(kept <= kMost);
}

void ask(const std::string& socket, const std::string& password) {
  MySqlAddress address;
  address.socket = socket;
  address.password = password;
  address.most_answer = kMost;
  MySqlConnection db(address);
  try {
    const Reply reply = db.query("SELECT 1");
    kept_within(reply);
    reply.evidence();
    reply.number(0, 0);
  } catch (const StatementFailed& refused) {
    demand(*refused.what() != '\0');
  }
}

}  // namespace
}  // namespace holdfast

// The library allocates as many columns as the false server claims, and reports failure. So does malloc.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=1000";
}

// Then the library forgets some of what it had made: 96 bytes a refusal, and the connection is closed.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libmariadb.so";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace holdfast;
  static Liar liar;
  if (size < 2 || std::string("ganq").find(static_cast<char>(data[0])) == std::string::npos) return 0;
  const char from = static_cast<char>(data[0]);
  const std::string lie(reinterpret_cast<const char*>(data + 1), size - 1);
  std::thread server([&] { liar.serve(from, lie); });
  ask(liar.path(), from == 'n' ? "" : kPassword);
  server.join();
  demand(liar.heard().find(kPassword) == std::string::npos);
  demand(liar.heard().find("root:x:0:0") == std::string::npos);  // a line of /etc/passwd
  return 0;
}

// Measures how much of a server's speed the client process keeps: rounds of insert_lease (acquire, read, write,
// release; without hold or wait) by the real client, with session, control page and journal, against a plain loop that
// sends the same statements over the same link. Both in one lab, in turns, so that other work on the machine affects
// both.
//
//   build/bench/bench/client_throughput [SECONDS A TURN] [PAIRS]
//
// HOLDFAST_PLAIN_TIMEOUTS=1 gives the plain loop the time-outs that the client has.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "artifact/error.hpp"
#include "bench/plain_loop.hpp"
#include "client/client.hpp"
#include "client/client_stage.hpp"
#include "driver/load_loop.hpp"
#include "driver/lock_driver.hpp"
#include "history/journal.hpp"
#include "lab/namespaces.hpp"
#include "lab/network.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/lock_server.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/mysql/start_mariadb.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

Plan sample_plan() {
  Plan plan;
  plan.lock = "insert_lease";
  plan.load.clients = 1;
  plan.load.lease_ms = 60'000;
  plan.load.hold_ms = plan.load.pause_ms = {0, 0};
  plan.load.poll_ms = 1;
  plan.clients.resize(1);
  return plan;
}

MySqlAddress address(const char* host) {
  MySqlAddress out;
  out.host = host;
  out.database = kDatabase;
  return out;
}

// One turn of the real client; counts the grants in its journal.
std::int64_t worker_rounds(const std::string& folder, const Plan& plan, std::int64_t turn_ms) {
  const SharedPage page = SharedPage::create();
  page->zero_ns = monotonic_ns();
  const std::string file = folder + "/client-0.journal";
  {
    JournalWriter journal(file, 0);
    auto connection = std::make_unique<MySqlStatements>(address(kLockAddress), SqlFile::parse(lock_file(plan.lock)));
    ClientSession session(*page, 0, std::move(connection), "", journal);
    ResourceClient resource(server_type("mysql").resource.connect({kResourceAddress, "", {}}), false);
    session.connect();
    resource.connect();
    std::thread bell([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(turn_ms));
      page->stop.store(1);
    });
    const LockType& type = *find_entry(locks(), plan.lock);
    LockDriver driver(type.make(), session);
    Team team{plan, type, *page, ""};
    ClientStage stage(team, {0, 0, plan.clients[0].seed, session, resource, journal, nullptr});
    LoadLoop({}, driver, stage).run();
    bell.join();
  }
  std::int64_t rounds = 0;
  JournalReader in(file);
  for (Event event; in.next(event);) rounds += event.op == Op::release && event.type == EventType::ok ? 1 : 0;
  return rounds;
}

int inside(const std::string& folder, std::int64_t turn_ms, int pairs) {
  const Plan plan = sample_plan();
  Network network(folder + "/lab.log");
  const std::size_t db = network.add_node("db", {kLockAddress, kResourceAddress});
  const std::size_t client = network.add_node("n0", {Network::client_address(0)});
  ServerSpec spec;
  spec.data = folder + "/lab";
  spec.log = folder + "/server.log";
  spec.network = network.node(db).descriptor;
  Process server = start_mariadb(spec);
  network.up();
  wait_for_answer(kLockAddress, kMySqlProbe, server, folder + "/server.log", 20'000);
  const auto resource = server_type("mysql").resource.open({kResourceAddress, "", {}});
  resource->make_database();
  resource->prepare(plan.load.keys);
  MySqlConnection db_of_lock(lab_address(kLockAddress));
  must_run(db_of_lock, SqlFile::parse(lock_file(plan.lock)).bind("schema", {}, [&](const auto& text) {
    return db_of_lock.quote(text);
  }));
  if (::setns(network.node(client).descriptor, CLONE_NEWNET) != 0) throw HarnessError("setns");
  PlainLoop plain(kLockAddress, kResourceAddress);
  std::vector<double> ratios;
  const double seconds = static_cast<double>(turn_ms) / 1e3;
  for (int pair = 0; pair < pairs; ++pair) {
    const auto ours = static_cast<double>(worker_rounds(folder, plan, turn_ms)) / seconds;
    const auto bare = static_cast<double>(plain.run(monotonic_ns() + turn_ms * 1'000'000)) / seconds;
    ratios.push_back(100 * ours / bare);
    std::printf("client %6.0f rounds/s   plain loop %6.0f rounds/s   %5.1f %%\n", ours, bare, ratios.back());
    std::fflush(stdout);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto quarter = ratios.size() / 4;
  std::printf("median %.1f %% (quarters %.1f to %.1f) of %d pairs, %.1f s a turn\n", ratios[ratios.size() / 2],
              ratios[quarter], ratios[ratios.size() - 1 - quarter], pairs, seconds);
  return 0;
}

// The process that makes the lab stays in it, so that it is not the one to tidy up.
int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "--inside") return inside(words[1], std::stoll(words[2]), std::stoi(words[3]));
  if (words.size() == 4 && words[0] == "--lab") {
    run_in_lab(words[1], {own_program(), "--inside", words[1], words[2], words[3]});
  }
  const auto turn_ms = static_cast<std::int64_t>(1e3 * (words.empty() ? 0.3 : std::stod(words[0])));
  const std::string folder = std::filesystem::temp_directory_path().string() + "/holdfast-throughput";
  std::filesystem::create_directories(folder);
  Spawn lab;
  lab.argv = {own_program(), "--lab", folder, std::to_string(turn_ms), words.size() > 1 ? words[1] : "30"};
  lab.keep_input = true;
  const int code = spawn_process(lab).wait(-1).value_or(kExitHarness);
  std::filesystem::remove_all(folder);
  return code;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  try {
    return holdfast::run(argc, argv);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "client_throughput: %s\n", failed.what());
    return 5;
  }
}

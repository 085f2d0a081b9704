#include "doctor/lab_probe.hpp"

#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_fields.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "doctor/doctor.hpp"
#include "lab/confinement.hpp"
#include "lab/launch_lab.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "lab/readiness_probe.hpp"

namespace holdfast {
namespace {

constexpr int kLab_ms = 30'000;
constexpr int kAsk_ms = 150;
constexpr const char* kFile = "probe.json";

Examination nameless(const char* name) {
  return {"machine", name, Health::not_tried, "", "", true, 0};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Examination attempt(const char* name, const std::function<std::string()>& work) {
  Examination one = nameless(name);
  const auto begin = std::chrono::steady_clock::now();
  try {
    one.says = work();
    one.health = Health::ok;
  } catch (const std::exception& failed) {
    one.health = Health::failed;
    explain(one, failed.what());
  }
  one.seconds = seconds_since(begin);
  return one;
}

constexpr ReadinessProbe kNoServer{9, "", 1, [](std::string_view) { return true; }};

// No process listens at the address: a connection is refused immediately if packets pass, and gets no answer if they
// are dropped.
std::string drop_packets(const Network& network, const Node& from, const std::string& to) {
  DroppingRules rules;
  rules.drop_to(to);
  network.filter(from, rules);
  probe(from, to, kNoServer, kAsk_ms);
  const std::int64_t dropped = network.dropped(from);
  network.filter(from, {});
  if (dropped == 0) throw HarnessError("a rule was loaded, but dropped nothing; remedy: use a kernel with nf_tables");
  return std::to_string(dropped) + " packet(s) dropped by a rule (nft)";
}

bool has_line(const InputFile& file, const char* wanted) {
  std::istringstream in(file.start(kEndOfLog));
  for (std::string line; std::getline(in, line);) {
    if (line == wanted) return true;
  }
  return false;
}

// Report of the process in the lab about one step.
struct LabStep {
  std::string name;
  bool ok = false;
  std::string says;
  std::string remedy;
  double seconds = 0;

  static const JsonForm<LabStep>& form();
};

struct LabSteps {
  std::vector<LabStep> steps;

  static const JsonForm<LabSteps>& form();
};

const JsonForm<LabStep>& LabStep::form() {
  static const JsonForm<LabStep> kForm{
      "step",
      "",
      {field("name", &LabStep::name), field("ok", &LabStep::ok), field("says", &LabStep::says),
       field("remedy", &LabStep::remedy), field("seconds", &LabStep::seconds)}};
  return kForm;
}

const JsonForm<LabSteps>& LabSteps::form() {
  static const JsonForm<LabSteps> kForm{"steps", "", {field("steps", &LabSteps::steps)}};
  return kForm;
}

void read_steps(const InputFile& file, std::vector<Examination>& out) {
  if (!file.is_there()) return;
  for (const auto& step : read_json_file(file, from_json<LabSteps>).steps) {
    for (auto& one : out) {
      if (one.name != step.name) continue;
      one.health = step.ok ? Health::ok : Health::failed;
      one.says = step.says;
      one.remedy = step.remedy;
      one.seconds = step.seconds;
    }
  }
}

}  // namespace

std::vector<Examination> probe_lab(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::vector<Examination> out{nameless("namespaces"), nameless("network"), nameless(kPacketFilter)};
  Examination& lab = out.front();
  LabOrder order{folder};
  order.part = "lab-probe";
  const LabEnd end = launch_lab(order, {.limit_ms = kLab_ms});
  lab.seconds = end.seconds;
  lab.health = Health::failed;
  if (end.late) {
    lab.says = "a lab did not end within " + std::to_string(kLab_ms / 1000) + " s";
  } else if (end.exit_code != 0) {
    explain(lab, end.last_words);
  } else {
    lab.health = Health::ok;
    lab.says = "private user, process, mount and network namespaces, as uid " + std::to_string(::getuid());
    if (has_line(InputFile::in(folder, "lab.log"), kFilesAreWritable))
      lab.says += std::string("; ") + kFilesAreWritable;
  }
  read_steps(InputFile::in(folder, kFile), out);
  return out;
}

void run_lab_probe(const std::string& folder) {
  LabSteps told;
  Network network(folder + "/lab.log");
  const auto tell = [&](const Examination& one) {
    told.steps.push_back({one.name, one.health == Health::ok, one.says, one.remedy, one.seconds});
    RunDirectory(folder).write(kFile, text_of_json(to_json(told), 1) + "\n");
    return one.health == Health::ok;
  };
  const bool connected = tell(attempt("network", [&] {
    network.add_node("db", {kLockAddress}, true);
    network.add_node("n0", {Network::client_address(0)});
    network.up();
    return "two nodes, each with its own link and address (ip)";
  }));
  if (!connected) return;
  tell(attempt(kPacketFilter, [&] { return drop_packets(network, network.node(1), kLockAddress); }));
}

}  // namespace holdfast

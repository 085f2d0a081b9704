#include "request_explore/request_lab.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "lab/process.hpp"
#include "relay/redirect_rules.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kConnections = 200;
constexpr std::size_t kFiles = 2048;
constexpr std::int64_t kNoLimit_ms = 24 * 3600 * 1000;  // of virtual time, which passes only by words

// The thread is in another network for as long as the object lasts.
class InNetwork {
 public:
  InNetwork(int network, int own) : own_(own) {
    if (::setns(network, CLONE_NEWNET) != 0) throw HarnessError("a client's network: " + system_text(errno));
  }
  ~InNetwork() { ::setns(own_, CLONE_NEWNET); }
  InNetwork(const InNetwork&) = delete;
  InNetwork& operator=(const InNetwork&) = delete;

 private:
  int own_;
};

const ProtocolType& protocol_of(const ServerType& type) {
  if (const std::string why = type.missing(); !why.empty()) throw Unavailable(why);
  if (type.start == nullptr) throw Unavailable(std::string(type.title) + " cannot be started in a lab");
  const std::string name = type.protocol;
  if (name.empty()) throw Unavailable(std::string("requests to ") + type.title + " cannot be distinguished");
  return protocol(name);
}

}  // namespace

RequestLab::RequestLab(std::string folder, const std::string& lock, std::uint32_t clients)
    : folder_(std::move(folder)),
      type_(lock_type(lock)),
      server_type_(holdfast::server_type(type_.server)),
      protocol_(protocol_of(server_type_)),
      clients_(clients),
      network_(folder_ + "/lab.log"),
      own_network_(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)) {
  allow_more_open_files(kFiles);
  const std::size_t db = network_.add_node("db", {kLockAddress}, true);
  for (std::uint32_t n = 0; n <= clients; ++n) {
    nodes_.push_back(network_.add_node("n" + std::to_string(n), {Network::client_address(n)}));
  }
  const int network = network_.node(db).descriptor;
  server_ = server_type_.start({folder_, network, kConnections, nullptr, {}, -1, {network}});
  for (TrialServer* process : server_->processes()) process->start();
  network_.up();
  server_->prepare({});
  server_version_ = server_->version();
  RelaySettings settings{.locks = {kNameOfLocks}, .most_records = 0};
  settings.hears = [this](const HeardBytes& heard) { heard_.hear(heard); };
  relay_ = std::make_unique<Relay>(settings);
  for (std::uint32_t n = 0; n <= clients; ++n) put_before_relay(n);
}

RequestLab::~RequestLab() {
  relay_.reset();
  for (TrialServer* process : server_->processes()) process->stop();
  ::close(own_network_);
}

void RequestLab::put_before_relay(std::uint32_t client) {
  const int network = network_.node(nodes_.at(client)).descriptor;
  const RelayClient relayed = relay_->add_client(network);
  const Redirect redirect{.ports = {static_cast<std::uint16_t>(server_type_.login.port)},
                          .to_port = relay_->listen(relayed, server_type_.protocol),
                          .spared = {}};
  load_redirect(network, redirect_rules(redirect), folder_ + "/lab.log");
}

std::unique_ptr<AdapterProgram> RequestLab::start_adapter(std::uint32_t number, const AdapterOrder& order,
                                                          AdapterProgram::Hear hear) {
  const Manifest& manifest = *type_.manifest;
  AdapterCommand command{found_command(manifest), adapter_environment(manifest),
                         folder_ + "/adapter-" + std::to_string(number) + ".log", manifest.folder, manifest.install};
  AdapterMessage hello;
  hello.client = number;
  hello.owner = "client-" + std::to_string(number);
  hello.servers = {{type_.server, "lock", kLockAddress, static_cast<std::int64_t>(server_type_.login.port),
                    server_type_.login.user, server_type_.login.database}};
  hello.locks = order.names;
  hello.lease_ms = order.lease_ms;
  hello.seed = number;
  hello.options = manifest.options;
  AdapterLimits limits;
  limits.start_ms = limits.answer_ms = kNoLimit_ms;
  limits.of_calls = false;
  const InNetwork there(network_.node(nodes_.at(number)).descriptor, own_network_);
  return AdapterProgram::start(manifest.name, command, std::move(hello), limits, std::move(hear));
}

}  // namespace holdfast

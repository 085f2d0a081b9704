// A kind of server of no use, for registry_test.sh: the one folder that adding a kind takes. Whatever it is asked, it
// answers that it changed nothing; it cannot be started, be a target, hold the resource or be explored.
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_dummy_server(std::string_view name);

namespace {

class DummyConnection : public StatementConnection {
 public:
  void connect() override {}
  Reply run(std::string_view, Params) override { return {}; }
  void close() override {}
  std::uint64_t id() const override { return 1; }
};

std::vector<std::string> names(const StatementFile&) {
  return {"acquire"};
}

std::unique_ptr<StatementConnection> connect(const StatementFile&, const ClientAccess&) {
  return std::make_unique<DummyConnection>();
}

}  // namespace

extern const ServerType server_dummy_server;
const ServerType server_dummy_server{
    .title = "Dummy",
    .about = "answers nothing",
    .form = {.folder = "dummy_server", .comment = "#", .fence = "", .text = embedded_dummy_server, .names = names},
    .topologies = {{.name = "single", .about = "one server"}},
    .url = {.scheme = "dummy", .form = "dummy://host"},
    .connect = connect,
};

}  // namespace holdfast

// ZooKeeper, through its own C client. The lab starts the Java program of Debian's package with the installed java, or
// the one named by --server java=PATH.
#include "servers/server_type.hpp"
#include "servers/zookeeper/zookeeper_file.hpp"
#include "servers/zookeeper/zookeeper_lock_server.hpp"

namespace holdfast {

std::string_view embedded_zookeeper(std::string_view name);

namespace {

std::vector<std::string> zookeeper_names(const StatementFile& file) {
  return ZooKeeperFile::parse(file).names();
}

std::vector<std::string> zookeeper_parameters(const StatementFile& file, std::string_view statement) {
  return ZooKeeperFile::parse(file).parameters(statement);
}

}  // namespace

extern const ServerType server_zookeeper;
const ServerType server_zookeeper = with_zookeeper_client({
    .title = "ZooKeeper",
    .about = "ZooKeeper: commands of zkCli.sh",
    .form = {.folder = "zookeeper",
             .comment = "#",
             .fence = "sh",
             .text = embedded_zookeeper,
             .notes = {"answers"},
             .names = zookeeper_names,
             .parameters = zookeeper_parameters},
    .topologies = {{.name = "single", .about = "one server"},
                   {.name = "cluster",
                    .about = "three ZooKeeper servers that elect a leader; the last one leads when the load begins",
                    .servers = 3,
                    .elects = true}},
    .programs = {{.name = "java"}},
    .vdso_clock = true,
    .login = {.port = 2181},
    .suite = "scenarios/zookeeper",
    .protocol = "zookeeper",
    .plain_lock = "zookeeper_ephemeral",
});

}  // namespace holdfast

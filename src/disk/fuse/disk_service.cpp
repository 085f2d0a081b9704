// The disk service on libfuse3: one thread answers the kernel, another the orders.
#include "disk/disk_service.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "artifact/error.hpp"
#include "disk/fuse/disk_requests.hpp"

namespace holdfast {
namespace {

struct EndSession {
  void operator()(fuse_session* session) const { fuse_session_destroy(session); }
};

using Session = std::unique_ptr<fuse_session, EndSession>;

// The device is already mounted; this path tells libfuse so.
Session session_on(int device, SharedDisk& disk) {
  std::vector<std::string> words{"holdfast"};
  std::vector<char*> argv{words.front().data(), nullptr};
  fuse_args arguments = FUSE_ARGS_INIT(1, argv.data());
  const fuse_lowlevel_ops requests = disk_requests();
  Session session(fuse_session_new(&arguments, &requests, sizeof requests, &disk));
  fuse_opt_free_args(&arguments);
  if (!session) throw HarnessError("the disk: libfuse3 cannot create a session");
  const std::string path = "/dev/fd/" + std::to_string(device);
  if (fuse_session_mount(session.get(), path.c_str()) != 0) {
    throw HarnessError("the disk: libfuse3 does not accept the device");
  }
  return session;
}

// Makes the kernel drop its caches and read again. It may first write back data through handles that are no longer
// valid, so the disk must not be locked here.
void forget_in_kernel(fuse_session* session, const std::vector<PowerDisk::Node>& nodes) {
  for (const auto node : nodes) fuse_lowlevel_notify_inval_inode(session, node, 0, 0);
}

DiskAnswer obey(DiskOrder order, fuse_session* session, SharedDisk& shared) {
  DiskAnswer answer;
  std::vector<PowerDisk::Node> held;
  {
    const std::lock_guard guard(shared.mutex);
    switch (order) {
      case DiskOrder::sync_all:
        shared.disk.sync_all();
        break;
      case DiskOrder::tell:
        answer.names = shared.disk.names();
        break;
      case DiskOrder::lose:
        held = shared.disk.held();
        const Unsynced lost = shared.disk.lose();
        answer.bytes = lost.bytes;
        answer.names = lost.names;
        ++shared.losses;
        break;
    }
    answer.losses = shared.losses;
  }
  forget_in_kernel(session, held);
  return answer;
}

void take_orders(int orders, fuse_session* session, SharedDisk& shared) {
  DiskOrder order{};
  while (::recv(orders, &order, sizeof order, 0) == sizeof order) {
    const DiskAnswer answer = obey(order, session, shared);
    if (::send(orders, &answer, sizeof answer, MSG_NOSIGNAL) < 0) break;
  }
  std::quick_exit(0);  // the other thread waits for the kernel
}

}  // namespace

std::string missing_disk_service() {
  return "";
}

void run_disk(int device, int orders) {
  SharedDisk disk;
  const Session session = session_on(device, disk);
  std::thread(take_orders, orders, session.get(), std::ref(disk)).detach();
  if (fuse_session_loop(session.get()) != 0) throw HarnessError("the disk: the kernel sends no more requests");
}

}  // namespace holdfast

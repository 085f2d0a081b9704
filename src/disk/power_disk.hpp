// A disk that can lose power: files, folders and their names, as processes see them and as they are on the disk. Pure:
// it knows no kernel and no process (disk/fuse shows it as a file system).
//
//   PowerDisk disk;
//   const auto log = disk.make(PowerDisk::kRoot, "log", {S_IFREG | 0600});
//   disk.write(log.node, 0, "grant");
//   disk.sync(log.node);                  // the bytes are on the disk, the name is not
//   disk.lose();                          // so the file is gone
//
// What is on the disk, as POSIX has it and no better:
//
// - the bytes and the size of a file, as they were when the file was last synced;
// - the names in a folder, as they were when the folder was last synced. A name whose file was never synced is there,
//   and the file is empty. A rename is one step: where a name moved between two folders, syncing one of them syncs the
//   other.
//
// Owners, modes and times are not lost: no server decides by them what it knows. Errors are numbers of errno.
#pragma once

#include <sys/stat.h>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "disk/kept_content.hpp"

namespace holdfast {

struct FileAttributes {
  mode_t mode = 0;  // with its kind, as in stat(2)
  uid_t uid = 0;
  gid_t gid = 0;
  timespec read{};
  timespec written{};
  timespec changed{};
};

// What a loss took away, or would take away now.
struct Unsynced {
  std::uint64_t bytes = 0;  // in files that have a name on the disk or had one
  std::uint64_t names = 0;  // that are there and not on the disk, or the other way about, or mean another file
};

class PowerDisk {
 public:
  using Node = std::uint64_t;
  static constexpr Node kRoot = 1;

  struct Found {
    int error = 0;
    Node node = 0;
  };

  PowerDisk();
  ~PowerDisk();
  PowerDisk(const PowerDisk&) = delete;
  PowerDisk& operator=(const PowerDisk&) = delete;

  // Names.
  Found find(Node folder, const std::string& name) const;
  Found make(Node folder, const std::string& name, const FileAttributes& attributes, const std::string& points_to = "");
  int link(Node file, Node folder, const std::string& name);
  int remove(Node folder, const std::string& name, bool a_folder);
  int rename(Node from, const std::string& name, Node to, const std::string& new_name, bool may_replace = true);
  std::vector<std::pair<std::string, Node>> list(Node folder) const;

  // Files. A node that nothing names any more is there for as long as it is held.
  bool there(Node node) const { return nodes_.count(node) > 0; }
  void hold(Node node);
  void let_go(Node node, std::uint64_t times);
  FileAttributes& attributes(Node node) { return at(node).attributes; }
  std::uint64_t links(Node node) const;  // names, as processes see them
  std::uint64_t size(Node node) const;
  std::string points_to(Node node) const { return at(node).points_to; }  // of a symbolic link
  std::string read(Node node, std::uint64_t offset, std::uint64_t length) const;
  void write(Node node, std::uint64_t offset, std::string_view bytes);
  void resize(Node node, std::uint64_t size);
  void zero(Node node, std::uint64_t offset, std::uint64_t length);

  void sync(Node node);  // a file: its bytes; a folder: its names
  void sync_all();
  Unsynced unsynced() const;
  Unsynced lose();              // all that was not synced; what was held stays, to no avail
  std::uint64_t names() const;  // that processes see
  std::vector<Node> held() const;

 private:
  struct Inode;
  using Names = std::map<std::string, std::shared_ptr<Inode>>;
  using Nodes = std::map<Node, std::weak_ptr<Inode>>;
  // Strikes itself off the list of all when nothing names or holds it any more: to look for such ones after each change
  // would take as long as there are files.
  struct Inode {
    Inode(Nodes& all, Node its_number) : nodes(all), number(its_number) {}
    ~Inode() { nodes.erase(number); }
    Inode(const Inode&) = delete;
    Inode& operator=(const Inode&) = delete;

    Nodes& nodes;
    const Node number;
    FileAttributes attributes;
    std::string points_to;
    std::uint64_t links = 0;
    KeptContent content;
    Names names;
    Names kept_names;
    std::set<std::string> changed_names;
  };

  Inode& at(Node node);
  const Inode& at(Node node) const;
  std::shared_ptr<Inode> shared(Node node) const { return nodes_.at(node).lock(); }
  int may_name(Node folder, const std::string& name) const;
  int may_replace(const Inode& moved, const Inode& there) const;
  bool is_below(const Inode& folder, Node node) const;
  void set_name(Inode& folder, const std::string& name, std::shared_ptr<Inode> inode);
  void take_name(Inode& folder, const std::string& name);
  std::set<const Inode*> named() const;
  std::vector<std::shared_ptr<Inode>> all() const;
  std::set<const Inode*> count_links_on_disk();
  static void sync_names(Inode& folder);

  std::shared_ptr<Inode> new_inode();

  Node last_ = 0;
  Nodes nodes_;  // all that are there; before all that has some, which strike themselves off it
  std::shared_ptr<Inode> root_;
  // Folders between which names moved since they were synced, each by the other; of some that are gone, too: a name may
  // have moved on.
  std::map<Node, std::set<Node>> tied_;
  std::map<Node, std::pair<std::shared_ptr<Inode>, std::uint64_t>> held_;
};

}  // namespace holdfast

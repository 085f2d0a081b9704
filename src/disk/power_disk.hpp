// A disk that can lose power: files, folders and names, as processes see them and as they are on the disk. Pure: it
// uses no kernel interface (disk/fuse serves it as a file system).
//
//   PowerDisk disk;
//   const auto log = disk.make(PowerDisk::kRoot, "log", {S_IFREG | 0600});
//   disk.write(log.node, 0, "grant");
//   disk.sync(log.node);                  // the bytes are on the disk, the name is not
//   disk.lose();                          // so the file is gone
//
// State of the disk, with the guarantees of POSIX and no more:
//
// - the bytes and the size of a file, as they were when the file was last synced;
// - the names in a folder, as of the folder's last sync. A name whose file was never synced exists with an empty file.
//   A rename is atomic: if a name moved between two folders, syncing one of them syncs the other.
//
// Owners, modes and times are not lost: servers do not store information in them. Errors are errno values.
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
  mode_t mode = 0;  // including the file type, as in stat(2)
  uid_t uid = 0;
  gid_t gid = 0;
  timespec read{};
  timespec written{};
  timespec changed{};
};

// Amount that a loss removed, or would remove now.
struct Unsynced {
  std::uint64_t bytes = 0;  // in files that have or had a name on the disk
  std::uint64_t names = 0;  // names that exist in one state only, or refer to different files
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

  // Files. A node without a name exists as long as it is held.
  bool there(Node node) const { return nodes_.count(node) > 0; }
  void hold(Node node);
  void let_go(Node node, std::uint64_t times);
  FileAttributes& attributes(Node node) { return at(node).attributes; }
  std::uint64_t links(Node node) const;  // names, as processes see them
  std::uint64_t size(Node node) const;
  std::string points_to(Node node) const { return at(node).points_to; }  // target of a symbolic link
  std::string read(Node node, std::uint64_t offset, std::uint64_t length) const;
  void write(Node node, std::uint64_t offset, std::string_view bytes);
  void resize(Node node, std::uint64_t size);
  void zero(Node node, std::uint64_t offset, std::uint64_t length);

  void sync(Node node);  // of a file: its bytes; of a folder: its names
  void sync_all();
  Unsynced unsynced() const;
  Unsynced lose();              // drops everything not synced; held nodes stay but are unusable
  std::uint64_t names() const;  // number visible to processes
  std::vector<Node> held() const;

 private:
  struct Inode;
  using Names = std::map<std::string, std::shared_ptr<Inode>>;
  using Nodes = std::map<Node, std::weak_ptr<Inode>>;
  // Removes itself from the list of all inodes when it is neither named nor held; searching for such inodes after each
  // change would take time proportional to the number of files.
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
  Nodes nodes_;  // all inodes; declared before the members whose inodes remove themselves from it
  std::shared_ptr<Inode> root_;
  // Folders between which names have moved since their last sync, in both directions; includes removed folders, since a
  // name may have moved on.
  std::map<Node, std::set<Node>> tied_;
  std::map<Node, std::pair<std::shared_ptr<Inode>, std::uint64_t>> held_;
};

}  // namespace holdfast

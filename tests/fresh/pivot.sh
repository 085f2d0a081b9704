# pivot.sh FOLDER COMMAND...: makes FOLDER the root of this (fresh) mount namespace and runs COMMAND there. See tree.sh.
set -eu
root=$1
shift
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys 2>/dev/null || mount --rbind /sys sys
mount -t cgroup2 cgroup2 sys/fs/cgroup 2>/dev/null || true
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do
  : >"dev/$node"
  mount --bind "/dev/$node" "dev/$node"
done
mkdir dev/pts dev/shm dev/net
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
if [ -e /dev/net/tun ]; then : >dev/net/tun && mount --bind /dev/net/tun dev/net/tun; fi
mkdir -p .outside
pivot_root . .outside
cd /
umount -l /.outside
rmdir /.outside
exec "$@"

# Makes what a lab is made of, without holdfast: namespaces, whose root this user is, and networks and packet filters in
# them. A machine that refuses one of these says which; the tests that need a lab are skipped there.
exec unshare --user --map-root-user --mount --pid --ipc --net --fork --mount-proc sh -c '
  PATH=$PATH:/usr/sbin:/sbin
  ip link add h0 type bridge && ip link add h1 type veth peer name h2 && nft add table inet h'

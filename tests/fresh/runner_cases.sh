# Sourced by empty_debian.sh. The samples of Go, Node and JUnit on the empty system, with its own Go, Node, Java and
# Maven, and the program of a wheel. Unlike the other cases this one reaches what this machine reaches: the samples need
# modules that Debian does not have.

# An empty system must show these of each flawed lock.
story=("expected as_safe_as_a_lease, is broken" "GET orders" "DEL orders" "replay: holdfast replay")

# lend_names: this machine's servers of names, and the certificates that it trusts beyond Debian's.
lend_names() {
  cp -L -- /etc/resolv.conf "$copy/etc/resolv.conf"
  sed -i 's/^hosts:.*/hosts: files dns/' "$copy/etc/nsswitch.conf"
  mkdir -p -- "$copy/usr/local/share/ca-certificates"
  cp -r -- /usr/local/share/ca-certificates/. "$copy/usr/local/share/ca-certificates"
}

case_runners() {
  has_wheel || return
  add_user
  lend_names
  step "runners packages" 0 enter bash -c 'apt-get -q update && apt-get -qy install --no-install-recommends \
    ca-certificates python3-venv mariadb-server-core redis-server iproute2 nftables \
    golang-go nodejs npm maven default-jdk-headless && update-ca-certificates'
  cp -- "$wheel" "$copy/opt"
  step "runners program" 0 enter bash -c 'python3 -m venv /opt/env && /opt/env/bin/pip install --no-index /opt/*.whl'
  put_source /home/tester/holdfast tester
  echo 'export HOLDFAST_FOR=120 HOLDFAST_SEED=5 HOLDFAST_PROGRAM=/opt/env/bin/holdfast' >"$copy/home/tester/.profile"
  echo 'export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' >>"$copy/home/tester/.profile"
  go_sample
  node_sample
  junit_sample
}

# Debian 12 has Go 1.19, which is too old for the module.
go_sample() {
  if [[ $release == bookworm ]]; then echo "      Go: not tried, since Debian 12 has Go 1.19" && return; fi
  step "runners go" 1 as_user 'cd holdfast/samples/go && ../../go/make.sh holdfast &&
    GOTOOLCHAIN=local go test -count=1 -v -timeout 30m'
  listed "--- PASS: TestTokenLock" "--- FAIL: TestGetThenDelLock" "${story[@]}"
}

node_sample() {
  step "runners node" 1 as_user 'cd holdfast/samples/node && npm ci &&
    npm install --no-save "$(../../node/make.sh ~)" && node --test --test-reporter=tap'
  listed "ok 1 - token lock" "not ok 2 - get then del lock" "${story[@]}"
}

junit_sample() {
  step "runners junit" 1 as_user 'cd holdfast/java && mvn -B -ntp -q install && cd ../samples/junit && mvn -B -ntp test'
  listed "Failures: 1, Errors: 0, Skipped: 0" "get_then_del_lock: ${story[0]}" "${story[@]:1}"
}

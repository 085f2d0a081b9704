#!/bin/sh
# Builds a library's adapter into ./target, with Maven and Java 17 or later.
#
#   install.sh                    the versions of pom.xml, each jar as jars.sha256 has it (made by pin.sh)
#   install.sh PACKAGE VERSION    that version of the library, without hashes of ours
set -eu
for tool in mvn:maven javac:openjdk-17-jdk-headless sha256sum:coreutils; do
  command -v "${tool%%:*}" >/dev/null || {
    echo "${tool%%:*} is missing; remedy: apt-get install ${tool#*:}" >&2
    exit 4
  }
done
rm -rf target
# It ends with this script, however that ends. Some of its output is there even if all is well.
setpriv --pdeathsig KILL mvn -B -q package ${2:+"-Dlibrary.version=$2"} >build.log 2>&1 || {
  cat build.log >&2
  exit 1
}
rm build.log
if [ $# -eq 0 ]; then
  (cd target/lib && sha256sum --quiet --strict -c ../../jars.sha256)
  if [ "$(ls target/lib | wc -l)" -ne "$(wc -l <jars.sha256)" ]; then
    echo "target/lib has jars that jars.sha256 does not name" >&2
    exit 1
  fi
fi
chmod -R a+rX target
# In the place of this process, which ends with the one that installs.
if [ -n "${HOLDFAST:-}" ]; then exec sh ./share_classes.sh "$HOLDFAST"; fi

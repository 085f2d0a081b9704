# `cpack -G DEB` in a build folder: a Debian package. It depends on the libraries that the program links (found by
# dpkg-shlibdeps; needs the packages dpkg-dev and file) and on those that it loads late, and recommends the programs
# that it starts: without them it checks histories, but runs nothing. `holdfast doctor` names what is missing. The
# release that it is built on is part of its version, 0.1.0~debian13: a package fits the libraries of that release only.
execute_process(COMMAND bash -c ". setup/release.sh && release_of" WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                OUTPUT_VARIABLE built_for OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}~${built_for}")
set(CPACK_PACKAGE_VENDOR "holdfast")
set(CPACK_PACKAGE_CONTACT "The authors of holdfast <holdfast@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
get_property(late GLOBAL PROPERTY holdfast_late_packages)
list(REMOVE_DUPLICATES late)
list(JOIN late ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "mariadb-server-core | mariadb-server, mariadb-client-core | mariadb-client"
    "redis-tools | redis-server, nftables, iproute2")
list(JOIN CPACK_DEBIAN_PACKAGE_RECOMMENDS ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "galera-4, etcd-server, postgresql, pgbouncer, zookeeper")
set(CPACK_PACKAGE_DESCRIPTION
"Runs real locks with many client processes against a real server in a private
network, injects faults (pauses, partitions, lost replies, kills, wrong
clocks), records which clients believed to hold the lock and when, and judges
the record.
Needs no root and starts no service; holdfast doctor tests what a machine
supports.")

# What Debian wants of every package.
set(debian ${CMAKE_BINARY_DIR}/debian)
file(WRITE ${debian}/copyright
     "Upstream-Name: holdfast\nCopyright: 2026 the authors of holdfast\nLicense: Apache-2.0\n\n"
     "The whole text is in /usr/share/common-licenses/Apache-2.0 on Debian systems.\n")
file(WRITE ${debian}/changelog
     "holdfast (${CPACK_DEBIAN_PACKAGE_VERSION}) stable; urgency=medium\n\n  * Built from its sources.\n\n"
     " -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000\n")
execute_process(COMMAND gzip -9nf changelog WORKING_DIRECTORY ${debian} COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${debian}/copyright ${debian}/changelog.gz TYPE DOC)
include(CPack)

"""Targets with TLS, real ones: what is sent is encrypted, and only a server with the right certificate gets it."""

import unittest

from on_target import OnTarget
from own_servers import PASSWORD, OwnMariaDb, OwnRedis
from program import quick

# Requires TLS.
SECURE = ["--require-secure-transport=ON", "--ssl-cert=FOLDER/server.pem", "--ssl-key=FOLDER/server.key"]


class SecureMariaDb(OwnMariaDb):
    def __init__(self):
        super().__init__(*SECURE)


class MariaDbOfAnother(OwnMariaDb):
    def __init__(self):
        where = "--bind-address=127.0.0.2"  # MariaDB's library trusts 127.0.0.1 under any name, from 3.4 on
        super().__init__(*[word.replace("server.", "elsewhere.") for word in SECURE], where)


class SecureRedis(OwnRedis):
    def __init__(self):
        super().__init__(tls=True)


class OnSecureTarget(OnTarget):
    asks = ""  # the part of a URL that asks for TLS

    def ca(self, name):
        return f"?{self.asks}ca={self.own.data}/{name}.pem"

    def assert_runs(self):
        url = self.own.url(query=self.ca("ca"))
        answer = self.run_on(url, self.scenario("none", quick(locks=[self.lock])))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("ca=", self.verdict()["command"], "to be run again it needs the same")
        self.assert_no_password()
        self.assert_untouched()

    def assert_strangers_refused(self):
        self.assert_refused(self.own.url(query=self.ca("stranger")), 4, "certificate")
        self.assert_refused(self.own.url(query="?" + self.asks.rstrip("&")), 4, "certificate")
        self.assert_refused(self.own.url(query=self.ca("nowhere")), 2, "ca: the file cannot be read")


class MySqlWithTls(OnSecureTarget):
    kind = SecureMariaDb
    lock = "insert_lease"
    asks = "tls=required&"

    def test_run_with_tls(self):
        self.assert_runs()

    def test_server_with_an_untrusted_certificate_is_refused(self):
        self.assert_strangers_refused()
        self.assert_refused(self.own.url(), 4, "connect: ")

    def test_tls_settings_are_checked(self):
        for query in ("?tls=preferred", "?tls=", "?ca=/etc/passwd", "?ssl=1", "?tls=required&x"):
            self.assert_refused(self.own.url(query=query), 2, "--target")


class AnotherHost(OnSecureTarget):
    kind = MariaDbOfAnother
    lock = "insert_lease"
    asks = "tls=required&"

    def test_certificate_of_another_host_is_refused(self):
        url = self.own.url(query=self.ca("ca")).replace("@127.0.0.1:", "@127.0.0.2:")
        self.assert_refused(url, 4, "TLS/SSL error: ")


class RedisWithTls(OnSecureTarget):
    kind = SecureRedis
    lock = "redis_token"

    def test_run_with_tls(self):
        self.assert_runs()

    def test_server_with_an_untrusted_certificate_is_refused(self):
        self.assert_strangers_refused()
        plain = f"redis://:{PASSWORD.replace('@', '%40')}@127.0.0.1:{self.own.port}"
        self.assert_refused(plain, 4, f"127.0.0.1:{self.own.port}")


if __name__ == "__main__":
    unittest.main()

"""Parts of explore that need a server, but no lab: tests/stepped with a MariaDB that is started for it."""

import os
import subprocess
import unittest

from with_mariadb import MariaDbTest


class Stepped(MariaDbTest):
    def test_stepped_tests_pass_on_a_server(self):
        command = [os.environ["HOLDFAST_STEPPED"], "--gtest_brief=1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "HOLDFAST_TEST_SOCKET": str(self.socket)})  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("[  PASSED  ]", done.stdout)


if __name__ == "__main__":
    unittest.main()

"""Every file of sql/ can be pasted into a database client as it stands: the real client, a real server."""

import pathlib
import unittest

from program import SOURCE
from with_mariadb import MariaDbTest


class SqlFiles(MariaDbTest):
    def pasted(self, sql):
        self.client("DROP DATABASE IF EXISTS pasted; CREATE DATABASE pasted")
        return self.client(sql, "--show-warnings", "pasted")

    def test_each_file_can_be_pasted(self):
        files = sorted(pathlib.Path(SOURCE, "sql").glob("*.sql"))
        self.assertGreaterEqual(len(files), 5)
        for path in files:
            with self.subTest(file=path.name):
                answer = self.pasted(path.read_text())
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))
                self.assertNotIn("Error", answer.stdout)

    def test_mistakes_are_found(self):
        self.assertNotEqual(self.pasted("SELECT @a; SELEC 1;").returncode, 0)
        self.assertNotEqual(self.pasted("INSERT INTO nowhere VALUES (1);").returncode, 0)


if __name__ == "__main__":
    unittest.main()

"""Each crowd is judged as it says: the bound of the exclusions, which no stored history reaches."""

import os
import unittest

import crowds
import histories


class Crowds(unittest.TestCase):
    def test_each_crowd_gets_its_declared_verdict(self):
        with crowds.made() as entries:
            for entry in entries:
                with self.subTest(entry["file"]):
                    said = histories.judge(os.environ["HOLDFAST_JUDGE"], [entry])[histories.name_of(entry)]
                    self.assertEqual(histories.different(entry["verdict"], said), [])


if __name__ == "__main__":
    unittest.main()

"""Closes its output instead of answering, and lives on."""

import os
from time import sleep

from base import Bot


class ClosesStdout(Bot):
    def go(self, *limits):
        os.close(1)
        sleep(60)


ClosesStdout().run()

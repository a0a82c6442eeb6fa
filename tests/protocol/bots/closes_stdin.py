"""Closes its input once a game begins, and lives on."""

import os
from time import sleep

from base import Bot


class ClosesStdin(Bot):
    def newgame(self, *words):
        os.close(0)
        self.isready()
        sleep(60)


ClosesStdin().run()

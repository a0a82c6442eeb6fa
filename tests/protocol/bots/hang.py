"""Never answers `go`, nor anything after it."""

from time import sleep

from base import Bot


class Hang(Bot):
    def go(self, *limits):
        sleep(60)


Hang().run()

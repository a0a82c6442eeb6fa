"""Takes 60 ms for each answer."""

from time import sleep

from base import Bot


class Slow(Bot):
    def go(self, *limits):
        sleep(0.06)
        super().go(*limits)


Slow().run()

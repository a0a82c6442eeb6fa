"""Says hello and then nothing more."""

from base import Bot


class NeverReady(Bot):
    def isready(self):
        pass


NeverReady().run()

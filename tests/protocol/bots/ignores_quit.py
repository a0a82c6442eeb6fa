"""Ignores `quit`, the end of its input and signals; so does its child, whose id is its author."""

import os
import signal
from time import sleep

from base import Bot, say


class IgnoresQuit(Bot):
    def uhi(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        child = os.fork()
        if child == 0:
            sleep(60)
            os._exit(0)
        say(f"id author {child}")
        say("uhiok")

    def quit(self):
        sleep(60)


IgnoresQuit().run()

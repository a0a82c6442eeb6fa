"""Says `error` at the commands named in its arguments, and plays well all the same."""

import sys

from base import Bot, say


class Objects(Bot):
    def __getattribute__(self, name):
        if name in sys.argv[1:]:
            say(f"error view I do not like {name}")
        return super().__getattribute__(name)


Objects().run()

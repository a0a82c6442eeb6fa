"""Dies of its third `go`."""

import sys

from base import Bot


class Crash(Bot):
    asked = 0

    def go(self, *limits):
        self.asked += 1
        if self.asked == 3:
            print("thinking...\nout of ideas", file=sys.stderr)
            sys.exit(3)
        super().go(*limits)


Crash().run()

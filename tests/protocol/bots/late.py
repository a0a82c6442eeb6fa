"""Answers its first `go` late, and with a stale second answer; then behaves well."""

from time import sleep

from base import Bot, say


class Late(Bot):
    asked = 0

    def go(self, *limits):
        self.asked += 1
        if self.asked == 1:
            sleep(0.3)
            say(f"bestmove {self.moves[0]}")
        say(f"bestmove {self.moves[0]}")


Late().run()

"""The smallest UHI bot: any legal move, no knowledge of any game. Python 3, no packages."""

import random
import sys

moves = []
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "uhi":
        print("id name minimal\nuhiok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "legal":
        moves = words
    elif command == "go":
        print("bestmove", random.choice(moves), flush=True)
    elif command == "quit":
        break

"""Matches between bots: schedule, play, records, standings (docs/arena.md)."""

from henro.arena.config import ArenaConfig, Bot, parse_bot
from henro.arena.records import load_game, read_records, replay
from henro.arena.run import Arena, Results, Update, load
from henro.arena.sprt import SprtConfig, parse_sprt
from henro.arena.standing import BotStanding, Estimate, PairStanding, SprtStanding, Standing
from henro.arena.store import BusyError

__all__ = [
    "Arena",
    "ArenaConfig",
    "Bot",
    "BotStanding",
    "BusyError",
    "Estimate",
    "PairStanding",
    "Results",
    "SprtConfig",
    "SprtStanding",
    "Standing",
    "Update",
    "load",
    "load_game",
    "parse_bot",
    "parse_sprt",
    "read_records",
    "replay",
]

"""UHI, the text protocol between a referee and its bots (docs/protocol.md)."""

from henro.protocol.engine import UhiEngine
from henro.protocol.options import Option
from henro.protocol.process import Answer, BotProcess
from henro.protocol.referee import ChanceSource, play_game
from henro.protocol.types import (
    RECORD_FORMAT,
    BotFault,
    BotSpec,
    Complaint,
    Fault,
    FaultKind,
    GameRecord,
    Limits,
    OnFault,
    Thought,
)

__all__ = [
    "RECORD_FORMAT",
    "Answer",
    "BotFault",
    "BotProcess",
    "BotSpec",
    "ChanceSource",
    "Complaint",
    "Fault",
    "FaultKind",
    "GameRecord",
    "Limits",
    "OnFault",
    "Option",
    "Thought",
    "UhiEngine",
    "play_game",
]

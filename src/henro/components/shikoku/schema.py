"""The components of Shikoku that differ from box to box: the icons on the mantra cards."""

from henro.components.schema import Schema, Table, Whole

SCHEMA = Schema(
    game="shikoku",
    tables=(
        Table(
            name="cards",
            item="card",
            key="number",
            columns={"number": Whole(1, 33), "icons": Whole(1, 6)},
        ),
    ),
)

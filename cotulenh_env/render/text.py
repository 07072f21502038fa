"""A grid of text cells, as wide as their widest content, with labels on all four sides."""

from __future__ import annotations

from collections.abc import Sequence


def text_grid(
    cells: Sequence[Sequence[str]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    extra_rows: dict[int, Sequence[str]] | None = None,
) -> str:
    """Draws a board as lines of text.

    Args:
        cells: texts by row from the top, and column from the left.
        row_labels: one per row, written at both ends of it.
        column_labels: one per column, written above and below.
        extra_rows: unlabelled rows of cells to put below the row of the given index.

    Returns:
        The lines, without spaces at their ends.
    """
    between = extra_rows or {}
    every = [*cells, *between.values(), list(column_labels)]
    width = max(len(text) for row in every for text in row)
    margin = max(map(len, row_labels))

    def line(label: str, row: Sequence[str]) -> str:
        body = "  ".join(text.center(width) for text in row)
        return f"{label.rjust(margin)}  {body}  {label}".rstrip()

    lines = [line("", column_labels)]
    for index, (label, row) in enumerate(zip(row_labels, cells, strict=True)):
        lines.append(line(label, row))
        if index in between:
            lines.append(line("", between[index]))
    lines.append(line("", column_labels))
    return "\n".join(lines)

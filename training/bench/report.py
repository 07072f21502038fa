"""Results of a benchmark as a table for the terminal, and as JSON."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from training.bench.rows import Curve, Row
from training.bench.suite import Results

FORMAT = 1
"""Of the JSON file; raised when the meaning of something in it changes."""


def as_json(results: Results) -> str:
    """All that was found, as the text of a JSON file."""
    content = {
        "format": FORMAT,
        "date": results.date,
        "seconds": round(results.seconds, 1),
        "machine": results.machine,
        "versions": results.versions,
        "settings": dataclasses.asdict(results.settings),
        "rows": [_row_to_dict(row) for row in results.rows],
        "curves": [dataclasses.asdict(curve) for curve in results.curves],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _row_to_dict(row: Row) -> dict[str, Any]:
    content = dataclasses.asdict(row)
    content["name"] = row.name.strip()
    return content | {"verdict": row.verdict}


def as_text(results: Results) -> str:
    """Machine, table and curves."""
    machine, versions = results.machine, results.versions
    lines = [
        f"{results.date}, {machine['processor']}, {machine['cores']} cores, "
        f"load {machine['load']}, {machine['system']}",
        ", ".join(f"{name} {number}" for name, number in versions.items()),
        "median, lowest and highest of "
        f"{results.settings.num_repeats} repeats in {results.seconds:.0f} s; rates and µs by CPU "
        "time of one thread, s by the wall",
        "",
        *_table(results.rows),
    ]
    for curve in results.curves:
        lines += ["", curve.name, *_curve_lines(curve)]
    return "\n".join(lines)


def _table(rows: list[Row]) -> list[str]:
    header = ("", "median", "lowest – highest", "by the wall", "", "ratio", "target", "")
    lines: list[tuple[str, ...]] = [header]
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append((f"[{group}]", "", "", "", "", "", "", ""))
        lines.append(_cells(row))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = (False, True, True, True, False, True, True, False)
    return [
        "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    ]


def _cells(row: Row) -> tuple[str, ...]:
    value, wall = row.value, row.values.get("wall")
    if value is None:
        return (row.name, row.note, "", "", "", "", _target_text(row), "")
    is_spread = value.low != value.high
    cpu = row.values.get("cpu")
    of_cpu = f"{number_text(cpu.median)} s of CPU" if row.basis == "wall" and cpu else ""
    remark = ", ".join(filter(None, (row.verdict, of_cpu, row.note)))
    return (
        row.name,
        number_text(value.median),
        f"{number_text(value.low)} – {number_text(value.high)}" if is_spread else "",
        number_text(wall.median) if wall is not None and row.basis != "wall" else "",
        row.unit,
        "" if row.ratio is None else f"× {number_text(row.ratio)}",
        _target_text(row),
        remark,
    )


def _target_text(row: Row) -> str:
    if row.target is None:
        return ""
    limit = f"{row.target.limit:g}"
    if row.target.of == "ratio":
        return f"≥ {limit} ×"
    return f"≤ {limit}"


def _curve_lines(curve: Curve) -> list[str]:
    lines = [curve.columns, *(tuple(map(number_text, point)) for point in curve.points)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    ]


def number_text(number: float) -> str:
    """A number with about three digits that mean something, such as 1,234,000 or 0.62."""
    if number == 0 or abs(number) >= 100 or number == int(number):
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"

"""Lines that cannot be tagged: counted all, kept the first few, said once at the end; the others are tagged."""

from nerbridge.errors import DataError

KEPT = 1_000  # more than anybody reads, less than fills the memory
SHOWN = 5


class FaultLog:
    """Collects the faults of an input. `count` is their number, `kept` the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[DataError] = []

    def add(self, fault: DataError) -> None:
        """Take note of one fault."""
        self.count += 1
        if len(self.kept) < KEPT:
            self.kept.append(fault)

    def drain(self, faults: list[DataError]) -> None:
        """Take note of all `faults` and empty the list."""
        for fault in faults:
            self.add(fault)
        faults.clear()

    def error(self, num_done: int) -> DataError:
        """One error for all faults, after `num_done` texts were tagged."""
        assert self.kept, "no fault, no error"
        first = self.kept[0]
        if self.count == 1 and not num_done:
            return first
        lines = [f"{fault.what}\n    at {fault.where}" for fault in self.kept[:SHOWN]]
        rest = self.count - len(lines)
        more = [f"... and {rest:,} more"] if rest else []
        inputs = "input was" if self.count == 1 else "inputs were"
        return DataError(
            "\n  ".join([f"{self.count:,} {inputs} left out, {num_done:,} tagged", *lines, *more]),
            where=first.where,
            expected=first.expected,
            hint=first.hint,
        )

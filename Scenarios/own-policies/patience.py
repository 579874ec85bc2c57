"""A policy of one's own, as a process: a line in, a line out.

It waits until a few seconds are ahead, and asks for twice as much after each stall. A scenario names
it by `"policy": { "command": ["python3", "patience.py"] }`.
"""

import json
import sys

PROTOCOL = 1
FIRST_MARK = 2.0


class Patience:
    """Says whether playback may begin, or go on."""

    def __init__(self):
        self.mark = FIRST_MARK
        self.wait = None

    def answer(self, question):
        if question["wait"] == "stall" and self.wait != "stall":
            self.mark *= 2
        self.wait = question["wait"]
        end = question["end"]
        wanted = self.mark
        if end is not None:
            wanted = min(wanted, end - question["playhead"])
        if question["wait"] == "nothing":
            return {"value": question["ahead"] > 0, "reason": "playing"}
        if question["ahead"] > 0 and question["ahead"] >= wanted:
            return {"value": True, "reason": f"{wanted:g} s are ahead"}
        return {"value": False, "reason": f"waits for {wanted:g} s"}


def main():
    policy = Patience()
    for line in sys.stdin:
        question = json.loads(line)
        if "goldilocks" in question:
            answer = {"version": PROTOCOL}
        elif "ask" in question:
            answer = {"answer": question["ask"], **policy.answer(question)}
        else:
            continue
        print(json.dumps(answer), flush=True)


main()

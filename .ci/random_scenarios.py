#!/usr/bin/env python3
"""Writes seeded random scenarios: files, streams, queues and live, over links that change.

usage: random_scenarios.py FOLDER COUNT [SEED]
"""
import json
import os
import random
import sys


def seconds(value):
    return f"{value:g} s"


def link(r):
    rate = r.choice([300, 700, 1200, 2000, 3500, 8000, 20000])
    made = {"delay": f"{r.choice([0, 10, 40, 120])} ms"}
    if r.random() < 0.45:
        steps = [
            {"for": seconds(r.randint(2, 25)),
             "bandwidth": f"{r.choice([0, 100, 400, 900, 1500, 2500, 6000, 15000])} kbit/s"}
            for _ in range(r.randint(2, 6))
        ]
        if all(step["bandwidth"].startswith("0 ") for step in steps):
            steps[0]["bandwidth"] = "2000 kbit/s"
        made["schedule"] = {"steps": steps, "then": r.choice(["hold", "repeat"])}
        if made["schedule"]["then"] == "hold" and steps[-1]["bandwidth"].startswith("0 "):
            steps[-1]["bandwidth"] = "1500 kbit/s"
    else:
        made["bandwidth"] = f"{rate} kbit/s"
    if r.random() < 0.15:
        made["loss"] = r.choice(["0.1 %", "1 %"])
    if r.random() < 0.25:
        made["outages"] = [{"from": seconds(r.randint(2, 30)), "for": seconds(r.randint(1, 20))}]
    return made


def file(r, kind):
    made = {"duration": seconds(r.choice([4, 8, 15, 39, 60])),
            "bitrate": f"{r.choice([300, 800, 2000, 4000])} kbit/s"}
    if kind == "progressive" and r.random() < 0.2:
        made["headAtom"] = {"size": "200 KB", "at": "end"}
    return {kind: made}


def stream(r, live=False):
    rates = sorted(r.sample([110, 250, 400, 600, 1000, 1800, 2500, 4500], r.randint(1, 4)))
    if r.random() < 0.3:
        r.shuffle(rates)
    made = {"ladder": [{"bitrate": f"{rate} kbit/s"} for rate in rates],
            "duration": seconds(r.choice([20, 40, 90]) if not live else 600)}
    if r.random() < 0.4:
        made["segmentDuration"] = seconds(r.choice([2, 4, 6]))
    if live:
        made["live"] = {"startsWith": seconds(r.choice([30, 63, 90]))}
    return {"hls": made}


def media(r, live):
    if live:
        return stream(r, True)
    return r.choice([lambda: file(r, "progressive"), lambda: file(r, "progressive"),
                     lambda: file(r, "local"), lambda: stream(r), lambda: stream(r),
                     lambda: stream(r)])()


def script(r, isQueue, isStream):
    steps = [{"at": seconds(r.choice([0, 0, 0, 0.5, 3])), "do": "play"}]
    for _ in range(r.choice([0, 0, 1, 2, 3, 5])):
        at = seconds(round(r.uniform(0.2, 50), 3))
        choice = r.random()
        if choice < 0.24:
            steps.append({"at": at, "do": "seek", "to": seconds(r.randint(0, 60))})
        elif choice < 0.38:
            steps.append({"at": at, "do": "pause"})
        elif choice < 0.58:
            steps.append({"at": at, "do": "play"})
        elif choice < 0.64:
            steps.append({"at": at, "do": "playImmediately", "rate": r.choice([1, 1.5, 2])})
        elif choice < 0.70:
            steps.append({"at": at, "do": "setRate", "rate": r.choice([0.5, 1, 2])})
        elif choice < 0.78:
            steps.append({"at": at, "do": "setAutomaticallyWaitsToMinimizeStalling",
                          "to": r.random() < 0.5})
        elif choice < 0.84:
            steps.append({"at": at, "do": "beginInterruption"})
            steps.append({"at": seconds(r.randint(20, 60)), "do": "endInterruption"})
        elif choice < 0.88:
            steps.append({"at": at, "do": "removeItem"})
        elif isQueue:
            steps.append({"at": at, "do": "advanceToNextItem"})
        elif isStream:
            steps.append({"at": at, "do": "setPreferredPeakBitRate", "to": "700 kbit/s"})
        else:
            steps.append({"at": at, "do": "setPreferredForwardBufferDuration", "to": "5 s"})
    for number, step in enumerate(steps):
        step["name"] = f"{step['do']}-{number}"
    return steps


def scenario(number, seed):
    r = random.Random(f"{seed}/{number}")
    isLive = r.random() < 0.1
    isQueue = not isLive and r.random() < 0.25
    made = {"scenario": f"random {number}", "about": "Drawn at random.",
            "seed": r.randint(0, 1 << 31), "horizon": "3 min",
            "link": link(r), "media": media(r, isLive)}
    if r.random() < 0.25:
        made["fidelity"] = "tcp"
    player = {}
    if r.random() < 0.25:
        player["automaticallyWaitsToMinimizeStalling"] = False
    if r.random() < 0.2:
        player["linkedSDK"] = r.choice(["iOS 9", "iOS 10", "iOS 13", "iOS 17"])
    if r.random() < 0.25:
        player["policy"] = r.choice(
            ["Media3 1.6", "Chromium 156 MSE", "hls.js 1.6", "Shaka 4.7", "Firefox 153 play",
             "mpv 0.35", "dash.js 5.1", "VLC 3.0", "avfoundation"])
    if isQueue:
        made["assets"] = [{"name": "other", "media": media(r, False)}]
        made["items"] = [{"name": "a"}, {"name": "b", "asset": "other"}, {"name": "c"}]
        made["queue"] = r.choice([["a", "b"], ["a", "b", "c"], ["b", "c"]])
    if player:
        made["player"] = player
    made["script"] = script(r, isQueue, "hls" in made["media"])
    if r.random() < 0.08 and "hls" in made["media"]:
        made["faults"] = [{"status": 404, "url": "video-0/segment3*"}]
    return made


def write(folder, count, seed):
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        with open(os.path.join(folder, f"r{number:05}.json"), "w") as out:
            json.dump(scenario(number, seed), out, indent=1)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "1")

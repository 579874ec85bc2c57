"""Works out every figure of a study's results from its sessions, and says what differs.

usage: recompute.py results.json sessions.jsonl

It shares no code with the simulator: whole numbers of the smallest unit, fractions, and the
definitions that the README names.
"""
import json
import sys
from decimal import Decimal
from fractions import Fraction

NEVER = "never"
MASK = (1 << 64) - 1
BOUNDS = [24109, 48218, 60273, 64291, 65296, 65497, 65530, 65535]
PLACES = {"startupDelaySeconds": 9, "stalledSeconds": 9, "rebufferRatio": 6, "stallCount": 6,
          "stallShare": 6, "neverPlayedShare": 6, "neverRecoveredShare": 6, "firstBitrate": 0,
          "timeWeightedBitrate": 0, "variantSwitchCount": 6, "bytesTransferred": 0,
          "bytesWasted": 0}
SHARES = ["stallShare", "neverPlayedShare", "neverRecoveredShare"]
GAINS = ["firstBitrate", "timeWeightedBitrate", "pensieveLinear", "mpcBalanced",
         "mpcAvoidInstability", "mpcAvoidRebuffering", "startupScore", "meanBitrate"]


def units(value, places):
    return None if value is None else int(Decimal(str(value)).scaleb(places))


def value(session, figure):
    started = session["startupDelaySeconds"] is not None
    broken = not started or session["outcome"] != "played"
    if session["end"] == "budget" and not (figure == "startupDelaySeconds" and started):
        return None
    if figure == "startupDelaySeconds":
        return units(session[figure], 9) if started else NEVER
    if figure == "stalledSeconds":
        return NEVER if broken else units(session[figure], 9)
    if figure == "rebufferRatio":
        if broken:
            return NEVER
        stalled, played = units(session["stalledSeconds"], 9), units(session["playedSeconds"], 9)
        return stalled * 10**6 // (stalled + played) if stalled + played else 0
    if figure == "stallCount":
        return session[figure] * 10**6 if started else NEVER
    if figure == "stallShare":
        return NEVER if not started else 10**6 if session["stallCount"] > 0 else 0
    if figure == "neverPlayedShare":
        return 0 if started else 10**6
    if figure == "neverRecoveredShare":
        return None if not started else 10**6 if broken else 0
    if figure == "variantSwitchCount":
        return session[figure] * 10**6
    if figure == "regretSeconds":
        return NEVER if broken else units(session[figure], 9)
    if figure in ("rebufferPercentage", "meanRebuffer") and broken:
        return NEVER
    if figure in PLACES:
        return session[figure]
    if figure.endswith("Regret"):
        found = session["objectiveRegrets"][figure.removesuffix("Regret")]
    else:
        found = session["objectives"][figure]
    return units(found, 9) if found is not None else NEVER if broken else None


def half_up(fraction):
    return (2 * fraction.numerator + fraction.denominator) // (2 * fraction.denominator)


def rank(found, gain):
    return (-1, 0) if found == NEVER and gain else (1, 0) if found == NEVER else (0, found)


def word(state):
    state = (state + 0x9E3779B97F4A7C15) & MASK
    state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ state >> 27) * 0x94D049BB133111EB) & MASK
    return state ^ state >> 31


def fnv1a(text):
    found = 0xCBF29CE484222325
    for byte in text.encode():
        found = ((found ^ byte) * 0x100000001B3) & MASK
    return found


def drawn(sessions):
    """What differs first is drawn: links, else scenarios, else seeds."""
    for name, field in (("link", "link"), ("scenario", "file")):
        if len({one[field] for one in sessions}) > 1:
            return name
    return "seed"


def key(session, unit):
    if unit != "seed":
        return fnv1a(session[unit])
    names = session["scenario"] + "\n" + session["link"]
    return fnv1a(names) ^ (session["seed"] * 0x9E3779B97F4A7C15 & MASK)


def weights(keys, draws, seed):
    rows = []
    for block in range((draws + 3) // 4):
        salt = word(seed ^ (block * 0xD1342543DE82EF95 & MASK))
        words = [word(one ^ salt) for one in keys]
        for part in range(min(4, draws - 4 * block)):
            bits = [found >> 16 * part & 0xFFFF for found in words]
            rows.append([sum(one >= bound for bound in BOUNDS) for one in bits])
    return rows


def interval(found, gain):
    if len(found) < 40:
        return None
    found = sorted(found, key=lambda one: rank(one, gain))
    cut = len(found) // 40
    return [found[cut], found[-1 - cut]]


def mean(values, weights=None):
    pairs = [(one, 1) for one in values] if weights is None else list(zip(values, weights))
    pairs = [(one, weight) for one, weight in pairs if one not in (None, NEVER)]
    count = sum(weight for _, weight in pairs)
    return half_up(Fraction(sum(one * weight for one, weight in pairs), count)) if count else None


def between(sorted_values, percent):
    """Linear interpolation, as numpy.percentile does it."""
    if not sorted_values:
        return None
    place, hundredths = divmod(percent * (len(sorted_values) - 1), 100)
    low = sorted_values[place]
    high = sorted_values[place + 1] if hundredths else low
    if low == high:
        return low
    if NEVER in (low, high):
        return NEVER
    return half_up(Fraction(low * (100 - hundredths) + high * hundredths, 100))


def share(ordered, percent, weights):
    return between([one for place, one in ordered for _ in range(weights[place])], percent)


def statistic(point, values, draws, gain, units):
    if point is None or units < 2:
        return point, None
    if all(one == values[0] for one in values):
        return point, [point, point]
    return point, interval([one for one in draws if one is not None], gain)


def evidence(values, keys):
    """How many of what is drawn have a value, and how many a number."""
    return (len({key for key, one in zip(keys, values) if one is not None}),
            len({key for key, one in zip(keys, values) if one not in (None, NEVER)}))


def statistics(values, rows, gain, percentiles, keys):
    units, numbers = evidence(values, keys)
    known = [one for one in values if one not in (None, NEVER)]
    found = {"known": len(known), "never": values.count(NEVER), "unknown": values.count(None)}
    name = "mean" if not found["never"] else "meanOfRest"
    if found["never"]:
        found["mean"] = found["meanInterval"] = None
    draws = [mean(values, row) for row in rows]
    found[name], found[name + "Interval"] = statistic(mean(values), values, draws, gain,
                                                    numbers)
    if not percentiles:
        return found
    ordered = sorted(((place, one) for place, one in enumerate(values) if one is not None),
                     key=lambda pair: rank(pair[1], gain))
    middle = high = None
    if ordered:
        middle = between([one for _, one in ordered], 50)
    if min(len(ordered), units) >= 59:
        high = between([one for _, one in ordered], 95)
    for name, point, percent in (("median", middle, 50), ("p95", high, 95)):
        draws = [share(ordered, percent, row) for row in rows] if point is not None else []
        found[name], found[name + "Interval"] = statistic(point, values, draws, gain, units)
    return found


def difference(values, base, rows, gain, keys):
    found = {"pairs": 0, "better": 0, "worse": 0, "equal": 0, "oneSided": 0}
    deltas = []
    for one, other in zip(values, base):
        if one is None or other is None:
            deltas.append(None)
            continue
        numbers = NEVER not in (one, other)
        deltas.append(one - other if numbers else None)
        found["pairs"] += numbers
        found["oneSided"] += not numbers and one != other
        a, b = rank(one, gain), rank(other, gain)
        found["equal" if a == b else "better" if (a < b) != gain else "worse"] += 1
    draws = [mean(deltas, row) for row in rows]
    found["mean"], found["meanInterval"] = statistic(mean(deltas), deltas, draws, False,
                                                        evidence(deltas, keys)[1])
    sign = mean(deltas) or 0
    order = [one for one in deltas if one and sign and (one < 0) == (sign < 0)]
    order.sort(key=abs, reverse=True)
    passed = count = 0
    while 2 * passed < sum(map(abs, order)):
        passed += abs(order[count])
        count += 1
    found["decidedBy"] = count
    found["first"] = order[:min(3, count)]
    return found


def shown(found, places):
    if isinstance(found, list):
        return [shown(one, places) for one in found]
    return found if found is None or found == NEVER else Decimal(found).scaleb(-places)


problems, checked = [], 0


def check(path, got, wanted):
    global checked
    checked += 1
    if got != wanted:
        problems.append(f"{path}: {got}, and from the sessions {wanted}")


def are_alike(lines):
    """Whether sessions differ in nothing but their seeds."""
    rests = [{name: one for name, one in line.items() if name not in ("session", "seed")}
             for line in lines]
    return all(rest == rests[0] for rest in rests)


def check_summary(title, summary, lines, resampling):
    by_policy = {}
    for line in lines:
        by_policy.setdefault(line["policy"], []).append(line)
    rows, places_of_front, bases = None, {}, {}
    for policy in summary["policies"]:
        own = by_policy[policy["policy"]]
        name = f"{title} {policy['policy']}"
        if rows is None:
            unit = drawn(own)
            all_keys = [key(one, unit) for one in own]
            units = len(set(all_keys))
            rows = weights(all_keys, resampling["draws"], resampling["seed"]) if units > 1 else []
            check(f"{title} drawn", summary["drawn"], unit)
            base = by_policy[summary["policies"][0]["policy"]]
            for one in summary["policies"]:
                if "against" in one:
                    base = by_policy[one["against"]["policy"]]
            is_base_alike = unit == "seed" and are_alike(base)
        # Sessions that are the same with every seed are no sample.
        is_alike = unit == "seed" and are_alike(own)
        keys = [0] * len(own) if is_alike else all_keys
        pair_keys = [0] * len(own) if is_alike and is_base_alike else all_keys
        check(name, policy["sessions"], len(own))
        for figure, got in policy["figures"].items():
            places, gain = PLACES.get(figure, 9), figure in GAINS
            values = [value(one, figure) for one in own]
            bases[policy["policy"], figure] = values
            wanted = statistics(values, rows, gain, figure not in SHARES, keys)
            for part, found in wanted.items():
                counts = part in ("known", "never", "unknown")
                check(f"{name} {figure} {part}", got[part],
                      found if counts else shown(found, places))
            assert set(got) == set(wanted), (figure, set(got) ^ set(wanted))
        places_of_front[policy["policy"]] = [
            (bases[policy["policy"], one].count(NEVER),
             sign * mean(bases[policy["policy"], one])
             if mean(bases[policy["policy"], one]) is not None else MASK)
            for one, sign in (("startupDelaySeconds", 1), ("stalledSeconds", 1),
                              ("timeWeightedBitrate", -1))]
        if "against" in policy:
            for figure, got in policy["against"]["figures"].items():
                places, gain = PLACES.get(figure, 9), figure in GAINS
                base = bases[policy["against"]["policy"], figure]
                wanted = difference(bases[policy["policy"], figure], base, rows, gain, pair_keys)
                for part, found in wanted.items():
                    if part == "first":
                        check(f"{name} {figure} first", [one["difference"] for one in got["first"]],
                              shown(found, places))
                    else:
                        check(f"{name} {figure} against {part}", got[part],
                              shown(found, places) if part.startswith("mean") else found)
    for policy in summary["policies"]:
        mine = places_of_front[policy["policy"]]
        beaten = any(all(a <= b for a, b in zip(other, mine)) and other != mine
                     for other in places_of_front.values())
        check(f"{title} {policy['policy']} front", policy["isOnFront"], not beaten)


def belongs(line, group):
    """A folder of recordings is one group, and each of its links begins with its name."""
    if "scenario" in group:
        return line["file"] == group["scenario"]
    if "seed" in group:
        return str(line["seed"]) == group["seed"]
    if "link" in group:
        return line["link"] == group["link"]
    name = group["folder"]
    return line["link"] == name or line["link"].startswith(name.rstrip("/") + "/")


def main(results, sessions):
    study = json.load(open(results), parse_float=Decimal)
    lines = [json.loads(line, parse_float=Decimal) for line in open(sessions)][1:]
    assert len(lines) == study["sessions"], "every session has a line"
    check_summary("all", study, lines, study["resampling"])
    seen = {}
    for group in study.get("groups", []):
        kind = next(one for one in ("link", "scenario", "seed") if one in group)
        own = [line for line in lines if belongs(line, group)]
        check_summary(f"{kind} {group[kind]}", group, own,
                      {**study["resampling"], "draws": group.get("draws", study["resampling"]["draws"])})
        seen[kind] = seen.get(kind, 0) + len(own)
    assert all(count == len(lines) for count in seen.values()), "groups hold every session once"
    print("\n".join(problems) or f"{checked} values are equal")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""What round robin must cost: every server consumes every message, the rest is as with affinity.

With affinity a message costs all servers together publish + consume + deliver. Round robin it costs N - 1 consumes
more, at the price that the consuming threads' CPU tells. From that and the affinity row beside it the ratio is
expected, not fitted.
"""

#: Threads of a server by the beginning of their names, and what they do; Tomcat reads on virtual threads. Compilers,
#: collector and timers are the rest.
ROLES = [("ForkJoinPool-", "publish"), ("http-nio-", "publish"), ("chat-lane-", "publish"), ("chat-amqp-publi", "publish"),
         ("chat-amqp-consu", "consume"), ("chat-reader-", "consume"), ("chat-writer-", "deliver")]
NAMES = list(dict.fromkeys(role for _, role in ROLES))


def expected(servers, affinity_ratio, message, consume):
    """Deliveries/s as a ratio to one server's; µs a message with affinity, µs a message that one server consumes."""
    return affinity_ratio * message / (message + (servers - 1) * consume)


def fill(rows):
    """Puts what the model expects into the rows; returns the sentences that say what it is made of."""
    affinity = {row["servers"]: row for row in rows if row["affinity"] == "on"}
    notes = [_made_of(row) for row in rows]
    for row in rows:
        beside = affinity.get(row["servers"])
        row["expected"] = float(row["servers"]) if row is beside else beside and expected(
            row["servers"], beside["ratio"], beside["message"], row["consume"] / row["servers"])
    return "µs a message, all servers together: " + "; ".join(notes) + "."


def _made_of(row):
    name = f"{row['servers']} " + ("affinity" if row["affinity"] == "on" else "round robin")
    rest = row["message"] - sum(row[role] for role in NAMES)
    return (f"{name} {row['message']:.1f} = " + " + ".join(f"{role} {row[role]:.1f}" for role in NAMES) + f" + rest {rest:.1f}")

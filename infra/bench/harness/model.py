"""What round robin must cost: every server consumes every message, each publishes and delivers its share.

A message costs all servers together publish + N x consume + members x delivery. Three measured rows give the three:
the usual rooms and small rooms on one server tell delivery from the rest, small rooms on two servers tell consume
from publish. The rows of the usual rooms on several servers are then expected, not fitted.
"""


def costs(one, one_small, two_small, members, few):
    """(publish, consume, delivery) in µs from the servers' µs a message in those three rows."""
    delivery = (one - one_small) / (members - few)
    consume = two_small - one_small
    return one_small - few * delivery - consume, consume, delivery


def expected(servers, publish, consume, delivery, members):
    """Deliveries/s as a ratio to one server's, each with the same CPU."""
    work = members * delivery + publish
    return servers * (work + consume) / (work + servers * consume)


def fill(rows, usual, small):
    """Puts what the model expects into the rows; returns the sentence that says what it is made of."""
    def message(servers, members):
        return next((row["message"] for row in rows if row["servers"] == servers and row["members"] == members), None)

    members, few = usual[1], small[1]
    measured = message(1, members), message(1, few), message(2, few)
    for row in rows:
        row["expected"] = float(row["servers"]) if row["affinity"] == "on" and row["members"] == members else None
    if None in measured:
        return "No model: it needs 1 and 2 servers."
    publish, consume, delivery = costs(*measured, members, few)
    for row in rows:
        if row["affinity"] == "off" and row["members"] == members:
            row["expected"] = expected(row["servers"], publish, consume, delivery, members)
    return (f"Model: {publish:.1f} µs to publish a message, {consume:.1f} µs to consume it on each server, "
            f"{delivery:.2f} µs a delivery; from {measured[0]:.1f} µs a message with {members} members on one server, "
            f"{measured[1]:.1f} µs with {few} on one and {measured[2]:.1f} µs with {few} on two.")

"""Runs fault scenarios under load, judged by the load client, and attacks."""
from ..common import LAUNCHER, call
from .registry import NAMED, check

#: Maximum seconds of a message's delay beyond the fault, on a busy machine.
GRACE = "10"


def played(run, *options):
    run.session.lab()
    said = call(LAUNCHER, "chaos", "--grace", GRACE, *options, timeout=3600)
    run.say(said)
    rows = [line for line in said.splitlines() if line.endswith("| pass |")]
    return f"{len(rows)} scenarios"


@check("faults", "short fault scenarios, embedded broker", 270, uses_programs=True, mostly_waits=True)
def faults(run):
    return played(run, "--quick")


@check("attacks", "known attacks against test servers, which must all fail", 100, uses_programs=True, mostly_waits=True)
def attacks(run):
    run.session.lab()
    said = call(LAUNCHER, "attack", timeout=1800)
    run.say(said)
    return f"{len([line for line in said.splitlines() if line.startswith('held')])} attacks"


@check("faults-rabbitmq", "short fault scenarios, RabbitMQ", 330, needs=("rabbitmq",), uses_programs=True, mostly_waits=True)
def faults_rabbitmq(run):
    return played(run, "--quick", "--broker", "rabbitmq")


#: Requirements of a cluster of brokers.
CLUSTER = ("root", "debootstrap", "ip")

def on_cluster(run, *options):
    run.session.rabbitmq_cluster()
    return played(run, *options, "--broker", "rabbitmq", "--nodes", "3")


@check("faults-cluster", "a node of three brokers dies under load", 100, needs=CLUSTER, uses_programs=True, mostly_waits=True)
def faults_cluster(run):
    return on_cluster(run, "--quick")


@check("faults-random", "three minutes of random faults, four servers, three brokers", 300, needs=CLUSTER, uses_programs=True, mostly_waits=True)
def faults_random(run):
    return on_cluster(run, "random", "--minutes", "3")


@check("faults-random-long", "half an hour of random faults, four servers, three brokers", 2000, when=NAMED, needs=CLUSTER,
       uses_programs=True)
def faults_random_long(run):
    return on_cluster(run, "random", "--minutes", "30")


@check("faults-all-cluster", "every fault scenario of three brokers", 1000, when=NAMED, needs=CLUSTER, uses_programs=True)
def faults_all_cluster(run):
    return on_cluster(run)


@check("faults-all", "every fault scenario, embedded broker", 700, when=NAMED, uses_programs=True)
def faults_all(run):
    return played(run)


@check("faults-all-rabbitmq", "every fault scenario, RabbitMQ", 900, when=NAMED, needs=("rabbitmq",), uses_programs=True)
def faults_all_rabbitmq(run):
    return played(run, "--broker", "rabbitmq")

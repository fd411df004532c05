"""Tests TLS from clients and to the broker, and tokens."""
import re
import shutil
import socket
import ssl
import stat
import urllib.error
import urllib.request

from ..common import CLIENT, expect, wait_until
from ..programs import Authority, total
from .registry import check

SMALL = ["--rooms", "4", "--room-size", "10", "--messages", "100"]


@check("tls", "TLS from clients and to RabbitMQ: exact over wss, untrusted clients rejected, a new certificate without lost connections", 60,
       needs=("linux", "rabbitmq", "openssl"), uses_programs=True, mostly_waits=True)
def tls(run):
    ours, others = Authority(run.directory / "ours"), Authority(run.directory / "others")
    broker = run.site.broker(certificate=ours.certificate("broker"))
    first, second = ours.certificate("first"), ours.certificate("second")
    certificate, key = run.directory / "chat.pem", run.directory / "chat.key"
    put(first, certificate, key)
    server = run.site.server(broker=broker.secure_uri("server"), CHATFLOW_AMQP_CA=ours.file, CHATFLOW_TLS_CERTIFICATE=certificate,
                             CHATFLOW_TLS_KEY=key)
    consumer = run.site.consumer(broker.secure_uri("consumer"), CHATFLOW_AMQP_CA=ours.file, CHATFLOW_TLS_CERTIFICATE=first.file,
                                 CHATFLOW_TLS_KEY=first.key)
    expect(answer(consumer.api + "/health", ssl.create_default_context(cafile=ours.file)) == 200, f"the consumer at {consumer.api}")
    expect(server.chat.startswith("wss://"), f"the server's address is {server.chat}")
    serial(server, ours)  # the load client need not wait for the first handshake
    expect(total(server.metrics(), "chatflow_info", 'sink="direct"') == 1, "the direct sink is not used")
    result = run.site.load(server.chats, *SMALL, "--cacert", ours.file).proved()
    stranger = run.site.load(server.chats, *SMALL, "--cacert", others.file)
    status = stranger.wait()
    expect(status != 0 and "certificate not trusted" in stranger.text(), f"with another authority: {status} {stranger.text()}")
    renewed(run, server, ours, second, certificate, key)
    refused(run, broker, others)
    return f"{result['counts']['deliveries']:,} verified deliveries over wss"


def put(made, certificate, key):
    shutil.copy(made.key, key)
    shutil.copy(made.file, certificate)


def renewed(run, server, ours, second, certificate, key):
    """Checks that connections stay, and that later ones get the new certificate."""
    before = serial(server, ours)
    talk = run.site.load(server.chats, "--rooms", "4", "--room-size", "5", "--rate", "40", "-d", "20s", "--cacert", ours.file, "--slo", "none")
    wait_until(lambda: total(server.metrics(), "chatflow_members") == 20, "20 members")
    put(second, certificate, key)
    wait_until(lambda: serial(server, ours) != before, "the new certificate is shown")
    expect(total(server.metrics(), "chatflow_members") == 20, "a new certificate ended a connection")
    counts = talk.proved()["counts"]
    expect(counts["connectionsLost"] == 0, f"{counts['connectionsLost']} connections were lost")
    certificate.write_text("no certificate", encoding="utf-8")
    server.await_line("the new certificate cannot be used")
    serial(server, ours)


def serial(server, ours):
    """Returns the serial number of a new connection's certificate."""
    host, port = server.http.removeprefix("https://").split(":")
    with socket.create_connection((host, int(port)), 30) as plain:
        with ssl.create_default_context(cafile=ours.file).wrap_socket(plain, server_hostname="localhost") as peer:
            return peer.getpeercert()["serialNumber"]


def refused(run, broker, others):
    """Checks that an untrusted broker gets no password."""
    server = run.site.server(broker=broker.secure_uri("server"), CHATFLOW_AMQP_CA=others.file, is_awaited=False)
    server.await_line("^not ready yet")
    server.await_reason("CHATFLOW_AMQP_CA")


@check("secure", "up --secure with two servers: wss and tokens, its printed commands run a verified load, no access without a token", 30,
       needs=("linux",), uses_programs=True)
def secure(run):
    """Runs with a separate home directory for its files."""
    server = run.site.server("--secure", "--servers", "2", HOME=run.directory)
    folder = run.directory / ".chatflow/secure"
    authority, key = folder / "ca.pem", folder / "token.key"
    for file, mode in ((folder, 0o700), (key, 0o600), (folder / "key.pem", 0o600)):
        expect(stat.S_IMODE(file.stat().st_mode) == mode, f"{file} is readable by others")
    said = server.text()
    expect(all(url.startswith("wss://") for url in server.chats) and len(server.chats) == 2, f"the servers' addresses are {server.chats}")
    command = re.search(r"^ *load +\./chatflow load (.*)$", said, re.M)[1].split()
    expect(command[:4] == ["--cacert", str(authority), "--token-key", str(key)], f"the load command is {command}")
    expect(key.read_text(encoding="utf-8").strip() not in said, "the secret itself is printed")
    trust = ssl.create_default_context(cafile=authority)
    page, token = re.search(r"^ *link +(https://\S+/)#token=(\S+)", said, re.M).groups()
    for url in server.chats:  # every server has the key; the link is to the first
        rooms = re.sub("^wss(.*)/chat$", r"https\1/api/rooms", url)
        expect(answer(rooms, trust) == 401, f"{rooms} answers without a token")
        expect(answer(rooms, trust, token) == 200, f"{rooms} rejects the token of the link")
    expect(answer(page, trust) == 200, f"{page} is no page")
    result = run.site.load([*command[4:], server.chats[1]], *SMALL, *command[:4]).proved()
    smoke = run.site.java("smoke", "-jar", CLIENT, "smoke", *command)
    expect(smoke.wait() == 0 and "4001 without a token" in smoke.text(), f"the rejections differ:\n{smoke.text()}")
    stranger = run.site.load(server.chats, *SMALL, "--cacert", authority).result()
    expect(stranger["verdict"]["exitCode"] != 0 and not stranger["counts"]["deliveries"] and stranger["counts"]["unauthorized"],
           f"without a token: {stranger['verdict']['headline']}, {stranger['counts']}")
    return f"{result['counts']['deliveries']:,} verified deliveries over wss with tokens; without a token: {stranger['counts']['unauthorized']} times 4001"


def answer(url, trust, token=None):
    """Returns the HTTP status."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=30, context=trust) as response:
            return response.status
    except urllib.error.HTTPError as e:
        with e:
            return e.code

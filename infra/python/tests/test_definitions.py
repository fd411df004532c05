import base64
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "rabbitmq/definitions"


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("definitions", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("definitions", loader))
    loader.exec_module(module)
    return module


made = load()
PASSWORDS = {"server": "s" * 12, "consumer": "c" * 12, "monitor": "m" * 12, "admin": "a" * 12}


def run(*arguments, **environment):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BROKER_PASSWORD_")}
    return subprocess.run([SCRIPT, *arguments], env=kept | environment, capture_output=True, text=True, timeout=30)


class DefinitionsTest(unittest.TestCase):
    def test_hash_is_rabbitmqs_salted_sha256(self):
        # The example of RabbitMQ's documentation.
        self.assertEqual("kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR",
                         made.password_hash("test12", bytes.fromhex("908dc60a")))

    def test_each_hash_has_a_salt_of_its_own(self):
        raw = base64.b64decode(made.password_hash("test12"))
        self.assertEqual(hashlib.sha256(raw[:4] + b"test12").digest(), raw[4:])
        self.assertNotEqual(made.password_hash("test12"), made.password_hash("test12"))

    def test_only_the_admin_has_rights_outside_of_chat(self):
        for right in made.definitions(PASSWORDS)["permissions"]:
            for kind in ("configure", "write", "read"):
                for name in ("amq.default", "amq.topic", "other", "chatter", "chat.shards2", "xchat.exchange"):
                    allowed = re.search(right[kind], name) is not None
                    self.assertEqual(right["user"] == "admin", allowed, f"{right['user']} {kind} {name}")

    def test_whoever_works_with_the_number_of_shards_may_hold_it(self):
        for right in made.definitions(PASSWORDS)["permissions"]:
            self.assertEqual(right["user"] != "monitor", re.search(right["read"], "chat.shards") is not None, right["user"])

    def test_the_consumer_changes_nothing_of_the_servers(self):
        rights = {right["user"]: right for right in made.definitions(PASSWORDS)["permissions"]}["consumer"]
        for name in ("chat.log.0", "chat.log.evil", "chat.shards", "chat.exchange", "chat.dead"):
            for kind in ("configure", "write"):
                self.assertIsNone(re.search(rights[kind], name), f"{kind} {name}")
        for name in ("chat.log.12", "chat.shards"):
            self.assertIsNotNone(re.search(rights["read"], name), name)

    def test_so_many_servers_have_room_for_all_shards(self):
        limits = {user["name"]: user["limits"] for user in made.definitions(PASSWORDS)["users"]}["server"]
        self.assertGreaterEqual(limits["max-connections"], 2 * made.MAX_SERVERS)
        self.assertGreaterEqual(limits["max-channels"], 2 * made.MAX_SERVERS * made.MAX_SHARDS)

    def test_no_password_and_nothing_but_the_virtual_host_asked_for(self):
        text = json.dumps(made.definitions(PASSWORDS, vhost="chat"))
        for password in PASSWORDS.values():
            self.assertNotIn(password, text)
        self.assertNotIn('"vhost": "/"', text)

    def test_a_disk_that_the_logs_may_fill_is_told_of(self):
        self.assertEqual(1_088_000_000, made.disk_bytes(4))
        self.assertEqual("", made.shortage(4, 4_176_000_000))
        self.assertIn("take up to 17.4 GB, and the disk of /var/lib/rabbitmq has 20.0 GB: it needs 36.8 GB",
                      made.shortage(64, 20_000_000_000))

    def test_of_users_alone_nothing_has_copies(self):
        environment = {made.variable(role): password for role, password in PASSWORDS.items()}
        done = run("--users", "--nodes", "3", **environment)
        self.assertEqual({"users", "vhosts", "permissions"}, set(json.loads(done.stdout)), done.stderr)

    def test_missing_short_and_shared_passwords_are_refused_in_one_line(self):
        short = {made.variable(role): password for role, password in PASSWORDS.items()}
        for environment, expected in [({}, "BROKER_PASSWORD_SERVER"), (short | {"BROKER_PASSWORD_ADMIN": "x"}, "12 char"),
                                      (short | {"BROKER_PASSWORD_ADMIN": "s" * 12}, "share")]:
            result = run(**environment)
            self.assertEqual(1, result.returncode)
            self.assertIn(expected, result.stderr)
            self.assertEqual(1, result.stderr.count("\n"), result.stderr)
            self.assertEqual("", result.stdout)

    def test_passwords_are_made_up_once_kept_and_readable_by_their_owner_alone(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "passwords")
            file.write_text("OTHER=kept\nBROKER_PASSWORD_ADMIN=chosen-by-hand", encoding="utf-8")
            self.assertEqual(0, run("--passwords", file).returncode)
            first = file.read_text(encoding="utf-8")
            self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode))
            self.assertTrue(first.startswith("OTHER=kept\nBROKER_PASSWORD_ADMIN=chosen-by-hand\nBROKER_PASSWORD_SERVER="))
            result = run("--passwords", file)
            self.assertEqual(first, file.read_text(encoding="utf-8"))
            self.assertEqual(["server", "consumer", "monitor", "admin"], [u["name"] for u in json.loads(result.stdout)["users"]])

    def test_one_node_has_its_logs_made_by_servers(self):
        single = made.definitions(PASSWORDS)
        self.assertEqual([("chat.dead", {"x-max-length": 10_000})], [(q["name"], q["arguments"]) for q in single["queues"]])

    def test_a_cluster_has_every_log_bound_and_all_else_copied(self):
        cluster = made.definitions(PASSWORDS, nodes=3, shards=4)
        queues = {q["name"]: q["arguments"] for q in cluster["queues"]}
        self.assertEqual({"chat.dead", "chat.shards", *(f"chat.log.{n}" for n in range(4))}, set(queues))
        for name, arguments in queues.items():
            self.assertEqual("stream" if ".log." in name else "quorum", arguments["x-queue-type"])
        self.assertEqual(4, queues["chat.shards"]["x-max-length"])
        bound = {b["destination"]: (b["source"], b["routing_key"]) for b in cluster["bindings"]}
        self.assertEqual(("chat.exchange", "room.s3.#"), bound["chat.log.3"])

    def test_logs_are_those_of_the_servers(self):
        topology = Path(__file__).resolve().parents[3] / "consumer-lib/src/main/java/dev/chatflow/broker/Topology.java"
        java = topology.read_text(encoding="utf-8").replace("_", "")
        for constant, argument in [("LOGMAXBYTES", "x-max-length-bytes"), ("LOGSEGMENTBYTES", "x-stream-max-segment-size-bytes")]:
            self.assertEqual(made.LOG_ARGUMENTS[argument], int(re.search(rf"{constant} = (\d+);", java)[1]))
        shard = topology.parents[1] / "room/Shard.java"
        self.assertEqual(made.MAX_SHARDS, int(re.search(r"MAX_COUNT = (\d+);", shard.read_text(encoding="utf-8"))[1]))
        self.assertEqual(made.DEAD_MESSAGES, int(re.search(r"DEADQUEUEMAXLENGTH = (\d+);", java)[1]))
        for argument in made.LOG_ARGUMENTS:
            self.assertIn(f'"{argument}"', java)

    def test_an_even_number_of_nodes_is_refused(self):
        result = run("--nodes", "2")
        self.assertEqual(2, result.returncode)
        self.assertIn("1, or 3, 5 or 7", result.stderr)


if __name__ == "__main__":
    unittest.main()

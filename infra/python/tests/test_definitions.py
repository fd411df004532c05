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

    def test_no_password_and_nothing_but_the_virtual_host_asked_for(self):
        text = json.dumps(made.definitions(PASSWORDS, vhost="chat"))
        for password in PASSWORDS.values():
            self.assertNotIn(password, text)
        self.assertNotIn('"vhost": "/"', text)

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


if __name__ == "__main__":
    unittest.main()

"""A small disk for a test, which can be filled and made unwritable."""
import errno
import os
import tempfile
from pathlib import Path

from .common import Problem, Skipped, call

BLOCK = 4096


class SmallDisk:
    """A disk of `megabytes` in memory, mounted in a directory; needs root. Removed at the end."""

    def __init__(self, directory, megabytes):
        self.path = Path(tempfile.mkdtemp(prefix="disk-", dir=directory))
        self.filler = self.path / "filler"
        try:
            call("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "chatflow-check", self.path)
        except Problem as e:
            raise Skipped(f"cannot mount here: {str(e).strip().splitlines()[-1]}") from e

    def fill(self):
        """Fills all blocks."""
        with open(self.filler, "wb", buffering=0) as out:
            try:
                while True:
                    out.write(bytes(BLOCK))
            except OSError as e:
                if e.errno != errno.ENOSPC:
                    raise

    def free(self):
        self.filler.unlink()

    def seal(self, *files):
        """Makes these files unwritable."""
        call("chattr", "+i", *files)

    def unseal(self, *files):
        call("chattr", "-i", *files)

    def stop(self):
        call("umount", self.path)
        os.rmdir(self.path)

"""python3 infra/python VERB [ARGUMENT]...: runs the verbs of ./chatflow that are written in Python."""
import importlib
import signal
import sys

sys.dont_write_bytecode = True
VERBS = {"bench": "bench", "cluster": "cluster", "dashboards": "check.dashboards",
         "dist": "dist", "test": "check"}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in VERBS:
        sys.exit(f"chatflow: python3 infra/python {'|'.join(VERBS)} [ARGUMENT]...")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that started processes are stopped
    try:
        sys.exit(importlib.import_module(f"chatflow_infra.{VERBS[sys.argv[1]]}").main(sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

package dev.chatflow.lab.attack;

/**
 * An attack on a server.
 *
 * @param name name on the command line
 * @param does description for readers, the same as in docs/lab/security.md
 */
record Attack(String name, String does, Script script) {

  /** The script of an attack. */
  interface Script {
    /** Runs the attack and returns what it achieved; empty if it failed. */
    String on(Arena arena) throws Exception;
  }

  /** Returns its row in the documentation's table. */
  String row() {
    return "| `" + name + "` | " + does + " |";
  }
}

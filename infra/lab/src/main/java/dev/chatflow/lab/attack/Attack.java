package dev.chatflow.lab.attack;

/**
 * An attack on a server by a stranger.
 *
 * @param name name on the command line
 * @param does description for readers, the same as in docs/lab/security.md
 */
record Attack(String name, String does, Script script) {

  /** The script of an attack. */
  interface Script {
    /** Attacks and returns what the stranger gained; empty for nothing. */
    String on(Arena arena) throws Exception;
  }

  /** Returns its row in the documentation's table. */
  String row() {
    return "| `" + name + "` | " + does + " |";
  }
}

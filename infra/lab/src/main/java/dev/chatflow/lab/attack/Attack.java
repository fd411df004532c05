package dev.chatflow.lab.attack;

/**
 * Something that a stranger does to a server.
 *
 * @param name as the command line knows it
 * @param does what it does, for a reader; docs/lab/security.md has the same words
 */
record Attack(String name, String does, Script script) {

  /** How it is done. */
  interface Script {
    /** What the stranger got; empty: nothing. */
    String on(Arena arena) throws Exception;
  }

  /** Its row in the documentation's table. */
  String row() {
    return "| `" + name + "` | " + does + " |";
  }
}

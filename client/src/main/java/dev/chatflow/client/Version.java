package dev.chatflow.client;

/** Which client this is. */
public final class Version {
  private Version() {}

  /** As the jar's manifest has it. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}

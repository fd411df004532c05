package dev.chatflow.client;

/** The version of this client. */
public final class Version {
  private Version() {}

  /** Returns the version in the jar's manifest. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}

package dev.chatflow.server.launch;

/** Something that happens while servers run and that the launcher answers. */
sealed interface LaunchEvent {

  /** The application in this process cannot go on. */
  record Failed(String reason) implements LaunchEvent {}

  /** Server {@code number} takes connections. */
  record ChildReady(int number) implements LaunchEvent {}

  /** The process of server {@code number} ended by itself or was killed. */
  record ChildEnded(int number, int status) implements LaunchEvent {}

  /** The process that started this one is gone or asks for the end. */
  record StopRequested() implements LaunchEvent {}
}

package dev.chatflow.server.launch;

/** An event while servers run, handled by the launcher. */
sealed interface LaunchEvent {

  /** The application in this process cannot continue. */
  record Failed(String reason) implements LaunchEvent {}

  /** Server {@code number} accepts connections. */
  record ChildReady(int number) implements LaunchEvent {}

  /** The process of server {@code number} ended by itself or was killed. */
  record ChildEnded(int number, int status) implements LaunchEvent {}

  /** The parent process ended or requests the stop. */
  record StopRequested() implements LaunchEvent {}
}

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * This process, begun anew with one more option of the JVM: same number, same files, same
 * arguments, by the system call {@code execv}.
 *
 * <p>For options that can only be given on the command line. To be called first thing: what the
 * process has begun is gone.
 */
@SuppressWarnings({
  "DefaultPackage",
  "restricted"
}) // the root of the WAR; its manifest allows this call
final class SameProcess {

  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private SameProcess() {}

  /**
   * Begins anew.
   *
   * @param wanted asked at the last moment: false leaves the process as it is
   * @return why that cannot be, on this system; empty when it was not wanted any more; when it can
   *     be this does not return
   */
  static Optional<String> withOption(String option, Callable<Boolean> wanted) {
    Optional<MemorySegment> execv = Linker.nativeLinker().defaultLookup().find("execv");
    Optional<List<String>> arguments = arguments();
    if (execv.isEmpty() || arguments.isEmpty()) {
      return Optional.of("this system has no such call");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(option);
    command.addAll(arguments.get());
    return exec(execv.get(), command, wanted).map(error -> "error " + error);
  }

  private static Optional<Integer> exec(
      MemorySegment execv, List<String> command, Callable<Boolean> wanted) {
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(
                execv,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment vector = arena.allocate(ValueLayout.ADDRESS, command.size() + 1L);
      for (int i = 0; i < command.size(); i++) {
        vector.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i)));
      }
      vector.setAtIndex(ValueLayout.ADDRESS, command.size(), MemorySegment.NULL);
      MemorySegment program = arena.allocateFrom(command.getFirst());
      return wanted.call()
          ? Optional.of((int) call.invokeExact(program, vector))
          : Optional.empty();
    } catch (Throwable e) { // what a method handle declares
      throw new IllegalStateException("cannot begin anew", e);
    }
  }

  /** Of the JVM and of the program; the JDK's own way cuts long ones off. */
  private static Optional<List<String>> arguments() {
    if (Files.isReadable(COMMAND_LINE)) {
      try {
        String[] words = Files.readString(COMMAND_LINE, StandardCharsets.UTF_8).split("\0", -1);
        return Optional.of(List.of(words).subList(1, words.length - 1));
      } catch (IOException _) {
        // The other way.
      }
    }
    return ProcessHandle.current().info().arguments().map(List::of);
  }
}

package dev.chatflow.server.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Puts the program into a folder from which it starts without being unpacked, as the JVM's
 * ahead-of-time cache needs it: {@code chatflow.jar}, which has all classes of this project and
 * names all other jars as its class path, and {@code application}, the unpacked WAR.
 *
 * <p>One thread.
 */
final class UnpackedProgram {

  private static final String APPLICATION = "application";
  private static final String JAR = "chatflow.jar";

  private final Path directory;
  private final Path application;

  private UnpackedProgram(Path directory) {
    this.directory = directory;
    this.application = directory.resolve(APPLICATION);
  }

  /**
   * Makes the folder.
   *
   * @param unpacked the unpacked WAR, which is copied
   * @throws IOException also when the folder is there already: a server may run from it
   */
  static void make(Path unpacked, Path directory) throws IOException {
    Files.createDirectory(directory);
    UnpackedProgram program = new UnpackedProgram(directory);
    for (Path path : tree(unpacked)) {
      Files.copy(path, program.application.resolve(unpacked.relativize(path).toString()));
    }
    program.pack();
  }

  private static List<Path> tree(Path top) throws IOException {
    try (Stream<Path> paths = Files.walk(top)) {
      return paths.toList();
    }
  }

  /** A cache knows classes of archives alone, so those of folders become one. */
  private void pack() throws IOException {
    Set<String> packed = new HashSet<>();
    try (JarOutputStream out =
        new JarOutputStream(Files.newOutputStream(directory.resolve(JAR)), manifest())) {
      try (Stream<Path> frontDoor = Files.list(application)) {
        for (Path file : frontDoor.filter(file -> file.toString().endsWith(".class")).toList()) {
          add(out, application, file);
        }
      }
      for (String folder : List.of("WEB-INF/embed/classes", "WEB-INF/classes")) {
        Path top = application.resolve(folder);
        for (Path file : tree(top)) {
          if (Files.isRegularFile(file) && packed.add(top.relativize(file).toString())) {
            add(out, top, file);
          }
        }
      }
    }
  }

  private static void add(JarOutputStream out, Path top, Path file) throws IOException {
    out.putNextEntry(new ZipEntry(top.relativize(file).toString().replace('\\', '/')));
    Files.copy(file, out);
  }

  private Manifest manifest() throws IOException {
    try (InputStream bytes = Files.newInputStream(application.resolve("META-INF/MANIFEST.MF"))) {
      Manifest manifest = new Manifest(bytes);
      String jars =
          tree(application.resolve("WEB-INF")).stream()
              .filter(file -> file.toString().endsWith(".jar"))
              .map(file -> directory.relativize(file).toString().replace('\\', '/'))
              .sorted()
              .collect(Collectors.joining(" "));
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, jars);
      return manifest;
    }
  }
}

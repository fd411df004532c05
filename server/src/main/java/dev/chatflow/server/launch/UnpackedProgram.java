package dev.chatflow.server.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Unpacks the program for the JVM's ahead-of-time cache, which accepts only a class path of jars:
 * {@code chatflow.jar} contains all classes of this project and has the jars of {@code lib} as its
 * class path. The folder also contains {@code chatflow.war} with the files for browsers.
 */
final class UnpackedProgram {

  private static final String WAR = "chatflow.war";
  private static final String JAR = "chatflow.jar";
  private static final String ENTRY = "Main.class";
  private static final String CLASSES = "WEB-INF/classes/";
  private static final String LIB = "lib/";

  private UnpackedProgram() {}

  /**
   * Returns the WAR that a program belongs to.
   *
   * @param program the file started by {@code java -jar}: a WAR, or the jar of an unpacked program
   */
  static Path war(Path program) {
    return program.endsWith(JAR) ? program.resolveSibling(WAR) : program;
  }

  /**
   * Creates the folder.
   *
   * @throws IOException also if the folder exists, because a server may run from it
   */
  static void make(Path war, Path directory) throws IOException {
    Files.createDirectory(directory);
    Files.createDirectory(directory.resolve(LIB));
    Files.copy(war, directory.resolve(WAR));
    try (ZipFile zip = new ZipFile(war.toFile())) {
      List<? extends ZipEntry> jars =
          zip.stream().filter(entry -> entry.getName().endsWith(".jar")).toList();
      for (ZipEntry jar : jars) {
        try (OutputStream out = Files.newOutputStream(directory.resolve(inLib(jar)))) {
          copy(zip, jar, out);
        }
      }
      packClasses(zip, directory.resolve(JAR), manifest(zip, jars));
    }
  }

  private static void packClasses(ZipFile zip, Path jar, Manifest manifest) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (ZipEntry entry : zip.stream().filter(UnpackedProgram::isOwn).toList()) {
        out.putNextEntry(new ZipEntry(entry.getName().replace(CLASSES, "")));
        copy(zip, entry, out);
      }
    }
  }

  private static boolean isOwn(ZipEntry entry) {
    String name = entry.getName();
    return !entry.isDirectory() && (name.startsWith(CLASSES) || name.equals(ENTRY));
  }

  private static Manifest manifest(ZipFile zip, List<? extends ZipEntry> jars) throws IOException {
    try (InputStream bytes = zip.getInputStream(zip.getEntry("META-INF/MANIFEST.MF"))) {
      Manifest manifest = new Manifest(bytes);
      Attributes attributes = manifest.getMainAttributes();
      attributes.put(
          Attributes.Name.CLASS_PATH,
          jars.stream().map(UnpackedProgram::inLib).sorted().collect(Collectors.joining(" ")));
      attributes.putValue("Program-Class", Launcher.class.getName());
      return manifest;
    }
  }

  private static String inLib(ZipEntry jar) {
    return LIB + Path.of(jar.getName()).getFileName();
  }

  private static void copy(ZipFile zip, ZipEntry entry, OutputStream out) throws IOException {
    try (InputStream bytes = zip.getInputStream(entry)) {
      bytes.transferTo(out);
    }
  }
}

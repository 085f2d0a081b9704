package holdfast;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The adapter's folder of a class: lock.json, and java.options with the class path of the tests. */
final class AdapterFolder {
  private static final Gson JSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  // A client lives for seconds: compile little, with one thread for the heap. Standard output belongs to the protocol.
  private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
      "-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=warning:stderr");

  private final Class<? extends LockAdapter> type;
  private final Set<String> can = new TreeSet<>();
  private final Map<String, Object> manifest = new LinkedHashMap<>();

  AdapterFolder(Class<? extends LockAdapter> type, String... servers) {
    this.type = type;
    requireConstructor();
    if (overrides("renew")) can.add("renew");
    if (overrides("owned")) can.add("owned");
    manifest.put("name", snakeCase(type.getSimpleName()));
    manifest.put("language", "Java");
    manifest.put("servers", servers);
  }

  void key(String name, Object value) {
    manifest.put(name, value);
  }

  void can(List<String> words) {
    can.addAll(words);
  }

  /** Writes FOLDER/NAME and returns its path. */
  Path write(Path folder) throws IOException {
    Path into = Files.createDirectories(folder.resolve(manifest.get("name").toString()));
    Path copies = into.resolve("classes");
    delete(copies);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("@./java.options", "HoldfastMain", type.getName()));
    command.addAll(can);
    Map<String, Object> written = new LinkedHashMap<>(Map.of("command", command, "can", can));
    written.put("paths", List.of("java.options"));
    written.putAll(manifest);
    Files.writeString(into.resolve("lock.json"), JSON.toJson(written) + "\n");
    Files.writeString(into.resolve("java.options"), options(copies));
    return into;
  }

  private void requireConstructor() {
    boolean inner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
    try {
      if (inner || Modifier.isAbstract(type.getModifiers())) throw new NoSuchMethodException();
      type.getDeclaredConstructor(Hello.class);
    } catch (NoSuchMethodException error) {
      throw new IllegalArgumentException(type.getName() + ": holdfast cannot make an object of it; remedy: a class"
          + " that is neither abstract nor inner (static, if nested), with the constructor " + type.getSimpleName()
          + "(Hello hello)");
    }
  }

  private boolean overrides(String method) {
    try {
      return type.getMethod(method, Ask.class).getDeclaringClass() != LockAdapter.class;
    } catch (NoSuchMethodException error) {
      throw new IllegalStateException(error); // the interface has it
    }
  }

  private static String snakeCase(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  private static String options(Path copies) throws IOException {
    List<String> places = new ArrayList<>();
    boolean root = isRoot();
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(place).toAbsolutePath().normalize();
      if (!Files.exists(path)) continue;
      // Started by root, the lab's user is nobody, who can read neither /root/.m2 nor private files.
      boolean closed = root && !readableByAll(path);
      places.add((closed ? copy(path, copies.resolve(String.valueOf(places.size()))) : path).toString());
    }
    String path = String.join(File.pathSeparator, places).replace("\\", "\\\\").replace("\"", "\\\"");
    return String.join("\n", OPTIONS) + "\n-cp \"" + path + "\"\n";
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  private static boolean readableByAll(Path path) throws IOException {
    for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
      if (!permissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE)) return false;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Set<PosixFilePermission> found = permissions(file);
        if (!found.contains(PosixFilePermission.OTHERS_READ)) return false;
        if (Files.isDirectory(file) && !found.contains(PosixFilePermission.OTHERS_EXECUTE)) return false;
      }
    }
    return true;
  }

  private static Set<PosixFilePermission> permissions(Path path) throws IOException {
    return Files.getPosixFilePermissions(path);
  }

  private static Path copy(Path from, Path folder) throws IOException {
    Path to = Files.createDirectories(folder).resolve(from.getFileName()).toAbsolutePath();
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copied = to.resolve(from.relativize(file).toString());
        Files.copy(file, copied, StandardCopyOption.REPLACE_EXISTING);
        String mode = Files.isDirectory(copied) ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(copied, PosixFilePermissions.fromString(mode));
      }
    }
    return to;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, IOException error) throws IOException {
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}

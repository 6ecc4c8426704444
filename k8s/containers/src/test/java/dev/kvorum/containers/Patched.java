package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The node of a later version: its sources with numbers raised, compiled again. */
final class Patched {
  private static final Path APP = Images.ROOT.resolve("app");

  private Patched() {}

  /** The node's image in which the numbers after this text in a line of this class are larger. */
  static String image(String className, String before, int by) {
    String file = className.replace('.', '/');
    String name = className.substring(className.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    try {
      Path work = Path.of("target", "patched", name).toAbsolutePath();
      Path source = work.resolve(file + ".java");
      Files.createDirectories(source.getParent());
      Files.writeString(
          source,
          raised(Files.readString(APP.resolve("src/main/java/" + file + ".java")), before, by));
      compile(source, work);
      Path jar = work.resolve("kvorum-app.jar");
      Files.copy(
          APP.resolve("target/node/kvorum-app.jar"), jar, StandardCopyOption.REPLACE_EXISTING);
      try (FileSystem inside =
          FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
        Path to = inside.getPath(file + ".class");
        assertThat(to).exists();
        Files.copy(work.resolve(file + ".class"), to, StandardCopyOption.REPLACE_EXISTING);
      }
      return Images.withJar(
          className.substring(className.lastIndexOf('.') + 1).toLowerCase(java.util.Locale.ROOT),
          jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String raised(String source, String before, int by) {
    Matcher line = Pattern.compile(Pattern.quote(before) + "[^\n]*\\d[^\n]*").matcher(source);
    assertThat(line.find()).as("'%s' and a number are in the source", before).isTrue();
    String raised =
        Pattern.compile("\\d+")
            .matcher(line.group())
            .replaceAll(number -> String.valueOf(Integer.parseInt(number.group()) + by));
    return line.replaceFirst(Matcher.quoteReplacement(raised));
  }

  private static void compile(Path source, Path to) throws IOException {
    List<String> classPath = new ArrayList<>(List.of(APP.resolve("target/classes").toString()));
    try (Stream<Path> libraries = Files.list(APP.resolve("target/node/lib"))) {
      libraries.map(Path::toString).forEach(classPath::add);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int code =
        compiler.run(
            null,
            null,
            null,
            "--release",
            "25",
            "-proc:none",
            "-parameters",
            "-d",
            to.toString(),
            "-cp",
            String.join(System.getProperty("path.separator"), classPath),
            source.toString());
    assertThat(code).as("exit code of javac").isZero();
  }
}

package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What the sources of all modules look like. */
class HouseRulesTest {
  /** Far above what is usual: a file is as long as its one purpose. */
  private static final int LINES_MAX = 500;

  private static final int METHODS_MAX = 40;
  private static final int CONSTRUCTOR_PARAMETERS_MAX = 6;
  private static final Set<String> GRAB_BAGS =
      Set.of("common", "util", "utils", "impl", "service", "manager", "helper");
  private static final Pattern GRAB_BAG_SUFFIX =
      Pattern.compile(".*(Common|Utils?|Impl|Service|Manager|Helper)\\.java");

  private static final String PERIODIC = ".scheduleWithFixedDelay(";
  // What another task of the loop throws, Netty logs.
  private static final Pattern APART =
      Pattern.compile(Pattern.quote(PERIODIC) + "\\s*\\(\\) -> loop\\.execute\\(");

  private static List<Path> sources(String module, String kind) throws IOException {
    Path root = Modules.ROOT.resolve(module).resolve(Path.of("src", kind, "java"));
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> found = all.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(found).as("sources below %s", root).isNotEmpty();
      return found;
    }
  }

  /** What is not for tests. */
  private static List<Path> product() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module : Modules.with("src/main/java")) {
      found.addAll(sources(module, "main"));
    }
    return found;
  }

  private static List<Path> allSources() throws IOException {
    List<Path> found = product();
    for (String module : Modules.with("src/test/java")) {
      found.addAll(sources(module, "test"));
    }
    return found;
  }

  /** A periodic task that throws is not run again, and nobody learns of it. */
  @Test
  void periodicTasksSurviveWhatTheyThrow() throws IOException {
    int files = 0;
    for (Path file : sources("app", "main")) {
      String text = Files.readString(file);
      if (text.contains(PERIODIC)) {
        files++;
        boolean catches = text.contains("catch (RuntimeException | Error e)");
        assertThat(catches || APART.matcher(text).find()).as(file.toString()).isTrue();
      }
    }
    assertThat(files).as("files with periodic tasks").isGreaterThan(4);
  }

  @Test
  void noFileIsOverFiveHundredLines() throws IOException {
    for (Path file : allSources()) {
      assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
  }

  /** Apart from records, whose components are what they are. */
  @Test
  void noClassHasOverFortyMethodsAndNoConstructorOverSixParameters() throws IOException {
    List<String> found = new ArrayList<>();
    for (CompilationUnitTree file : parsed(allSources())) {
      new Sizes(file, found).scan(file, null);
    }
    assertThat(found).isEmpty();
  }

  private static Iterable<? extends CompilationUnitTree> parsed(List<Path> files)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager sources =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    JavaCompiler.CompilationTask task =
        compiler.getTask(
            null,
            sources,
            null,
            List.of("-proc:none"),
            null,
            sources.getJavaFileObjectsFromPaths(files));
    return ((JavacTask) task).parse();
  }

  /** Collects the classes and constructors of a file that are too large. */
  private static final class Sizes extends TreeScanner<Void, ClassTree> {
    private final String file;
    private final List<String> found;

    Sizes(CompilationUnitTree file, List<String> found) {
      this.file = file.getSourceFile().getName();
      this.found = found;
    }

    @Override
    public Void visitClass(ClassTree type, ClassTree outer) {
      long methods =
          type.getMembers().stream().filter(MethodTree.class::isInstance).count()
              - type.getMembers().stream().filter(Sizes::isConstructor).count();
      if (methods > METHODS_MAX) {
        found.add("%s: %s has %d methods".formatted(file, type.getSimpleName(), methods));
      }
      return super.visitClass(type, type);
    }

    @Override
    public Void visitMethod(MethodTree method, ClassTree type) {
      int parameters = method.getParameters().size();
      if (type.getKind() != Tree.Kind.RECORD
          && isConstructor(method)
          && parameters > CONSTRUCTOR_PARAMETERS_MAX) {
        found.add(
            "%s: a constructor of %s has %d parameters"
                .formatted(file, type.getSimpleName(), parameters));
      }
      return super.visitMethod(method, type);
    }

    private static boolean isConstructor(Tree member) {
      return member instanceof MethodTree method && method.getReturnType() == null;
    }
  }

  @Test
  void nothingIsAGrabBag() throws IOException {
    for (Path file : allSources()) {
      assertThat(file.getFileName().toString()).doesNotMatch(GRAB_BAG_SUFFIX);
      for (Path part : file.getParent()) {
        assertThat(GRAB_BAGS).as(file.toString()).doesNotContain(part.toString());
      }
    }
  }

  @Test
  void everyPackageDescribesItselfAndItsImportsAndIsNullMarked() throws IOException {
    for (Path file : product()) {
      Path info = file.resolveSibling("package-info.java");
      assertThat(info).exists();
      assertThat(Files.readString(info))
          .startsWith("/**")
          .contains("@NullMarked")
          .contains("Imports ");
    }
  }
}

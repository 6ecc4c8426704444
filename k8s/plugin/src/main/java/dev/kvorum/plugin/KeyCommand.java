package dev.kvorum.plugin;

import dev.kvorum.cli.Kv;
import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A verb of {@code kv}, whose requests go through the API server to a ready member. */
@Command(sortOptions = false)
final class KeyCommand implements Callable<Integer> {
  private static final int PORT = 8080;

  private final String verb;

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Mixin private final TargetOption option = new TargetOption();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "KvorumUser as which requests come, if you may read its token")
  private @Nullable String user;

  @Option(
      names = {"-h", "--help"},
      description = "show this, and the help of kv")
  private boolean isHelp;

  @Unmatched private List<String> rest = new ArrayList<>();

  private KeyCommand(String verb) {
    this.verb = verb;
  }

  /** The command of a verb; what it does not know itself is left to {@code kv}. */
  static CommandLine of(String verb) {
    CommandLine line = new CommandLine(new KeyCommand(verb));
    line.setStopAtUnmatched(true);
    line.getCommandSpec()
        .usageMessage()
        .description(
            "kv "
                + verb
                + " on a cluster, through the API server. Options and parameters of kv come after"
                + " those of the cluster.");
    return line;
  }

  @Override
  public Integer call() throws IOException {
    if (isHelp) {
      spec.commandLine().usage(spec.commandLine().getOut());
      return Kv.run(verb, "--help");
    }
    try (Target target = option.target()) {
      return run(target);
    }
  }

  private int run(Target target) throws IOException {
    KvorumCluster cluster = target.cluster();
    Access access = new Access(target, cluster);
    Pod pod =
        target.pods(cluster).stream()
            .filter(Target::isReady)
            .findFirst()
            .orElseThrow(() ->
                Target.failed("No member of " + cluster.getMetadata().getName() + " is ready"));
    Path directory =
        Files.createTempDirectory(
            "kubectl-kvorum",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (PodPort port = PodPort.open(target.client(), pod, PORT)) {
      return Kv.run(arguments(directory, access, cluster.getSpec().needsTls(), port.local()));
    } finally {
      for (String file : List.of("ca.crt", "token")) {
        Files.deleteIfExists(directory.resolve(file));
      }
      Files.delete(directory);
    }
  }

  private String[] arguments(Path directory, Access access, boolean isTls, int port)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(verb));
    arguments.add("--url=" + (isTls ? "https" : "http") + "://localhost:" + port);
    Optional<String> authorities = isTls ? access.authorities() : Optional.empty();
    if (authorities.isPresent() && rest.stream().noneMatch(it -> it.startsWith("--ca"))) {
      arguments.add("--ca=" + Files.writeString(directory.resolve("ca.crt"), authorities.get()));
    }
    if (user != null) {
      arguments.add(
          "--token-file=" + Files.writeString(directory.resolve("token"), access.token(user)));
    }
    arguments.addAll(rest);
    return arguments.toArray(String[]::new);
  }
}

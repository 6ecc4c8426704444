package dev.kvorum.plugin;

import dev.kvorum.cli.ApiClient;
import dev.kvorum.cli.ClientAccess;
import dev.kvorum.cli.Connector;
import dev.kvorum.cli.Kv;
import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of a verb of {@code kv}, whose requests go through the API server to a ready member. */
@Command
final class KeyAccess implements Connector {
  private static final int PORT = 8080;

  private final TargetOption option;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "KvorumUser as which requests come, if you may read its token")
  private @Nullable String user;

  @Mixin private final ClientAccess given = new ClientAccess();

  private KeyAccess(TargetOption option) {
    this.option = option;
  }

  /** The command line of a verb. */
  static CommandLine verb(String name, TargetOption option) {
    KeyAccess access = new KeyAccess(option);
    CommandLine line = Kv.verb(name, access);
    line.getCommandSpec().addMixin("access", CommandSpec.forAnnotatedObject(access));
    return line;
  }

  @Override
  public int connected(Verb verb) throws IOException {
    try (Target target = option.target()) {
      KvorumCluster cluster = target.cluster();
      Access access = new Access(target, cluster);
      Pod pod =
          target.pods(cluster).stream()
              .filter(Target::isReady)
              .findFirst()
              .orElseThrow(() ->
                  Target.failed("No member of " + cluster.getMetadata().getName() + " is ready"));
      boolean isTls = cluster.getSpec().needsTls();
      Optional<SSLContext> tls =
          isTls ? given.tls("the CA of the cluster", access.authorities()) : Optional.empty();
      Optional<String> token =
          user == null
              ? given.token()
              : Optional.of(ClientAccess.word("the Secret of " + user, access.token(user)));
      try (PodPort port = PodPort.open(target.client(), pod, PORT)) {
        String url = (isTls ? "https" : "http") + "://localhost:" + port.local();
        return verb.run(ApiClient.of(url, tls.orElse(null), token));
      }
    }
  }
}

package dev.kvorum.operator;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real API server on an etcd of its own, without controllers or machines, from the binaries in
 * {@code $KUBEBUILDER_ASSETS}.
 */
final class ApiServer implements AutoCloseable {
  private static final long START_MILLIS_MAX = 60_000;

  private final List<Process> processes = new ArrayList<>();
  private final int port = freePort();
  private final KubernetesClient client;

  /** Where the binaries are, if they are anywhere. */
  static Optional<Path> binaries() {
    return Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
        .map(Path::of)
        .filter(path ->
            Files.isExecutable(path.resolve("kube-apiserver"))
                && Files.isExecutable(path.resolve("etcd")));
  }

  ApiServer(Path binaries, Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    int etcd = freePort();
    int peers = freePort();
    Path log = directory.resolve("log");
    run(
        log,
        binaries.resolve("etcd").toString(),
        "--data-dir=" + directory.resolve("etcd"),
        "--unsafe-no-fsync",
        "--listen-client-urls=http://127.0.0.1:" + etcd,
        "--advertise-client-urls=http://127.0.0.1:" + etcd,
        "--listen-peer-urls=http://127.0.0.1:" + peers);
    Path key = serviceAccountKey(directory);
    Path tokens = Files.writeString(directory.resolve("tokens"), "secret,admin,1,system:masters\n");
    run(
        log,
        binaries.resolve("kube-apiserver").toString(),
        "--etcd-servers=http://127.0.0.1:" + etcd,
        "--secure-port=" + port,
        "--bind-address=127.0.0.1",
        "--cert-dir=" + directory.resolve("certificates"),
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key);
    client = newClient();
    awaitReady(log);
  }

  KubernetesClient client() {
    return client;
  }

  KubernetesClient newClient() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:" + port)
            .withTrustCerts(true)
            .withOauthToken("secret")
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** A namespace {@code test}, and these kinds. */
  void prepare(String... kinds) throws IOException {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("test").endMetadata().build())
        .create();
    for (String kind : kinds) {
      client
          .load(Files.newInputStream(Path.of("../helm/kvorum/crds/" + kind + ".kvorum.dev.yaml")))
          .create();
      client
          .apiextensions()
          .v1()
          .customResourceDefinitions()
          .withName(kind + ".kvorum.dev")
          .waitUntilCondition(
              crd ->
                  crd != null
                      && crd.getStatus() != null
                      && crd.getStatus().getConditions() != null
                      && crd.getStatus().getConditions().stream()
                          .anyMatch(it ->
                              it.getType().equals("Established") && it.getStatus().equals("True")),
              30,
              TimeUnit.SECONDS);
    }
  }

  private void awaitReady(Path log) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS_MAX);
    while (!ready()) {
      if (System.nanoTime() > until || !processes.stream().allMatch(Process::isAlive)) {
        close();
        throw new IOException("the API server does not start: " + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private boolean ready() {
    try {
      return client.namespaces().withName("default").get() != null;
    } catch (KubernetesClientException notYet) {
      return false;
    }
  }

  private void run(Path log, String... command) throws IOException {
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  private static Path serviceAccountKey(Path directory)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    String key =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(pair.getPrivate().getEncoded());
    return Files.writeString(
        directory.resolve("service-account.key"),
        "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new IllegalStateException(none);
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    for (Process process : processes.reversed()) {
      process.destroy();
      process
          .onExit()
          .orTimeout(10, TimeUnit.SECONDS)
          .exceptionally(late -> process.destroyForcibly())
          .join();
    }
  }
}

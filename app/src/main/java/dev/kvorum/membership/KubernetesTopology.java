package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the {@code KvorumTopology} object of one cluster and the addresses of its pods. Deletions
 * in the API change nothing. A member remains one until a newer epoch removes it. A pod that is not
 * ready has an address. The last address of a pod remains until the pod has another one.
 *
 * <p>Watches can silently stop delivering events (fabric8io/kubernetes-client#4781, #6065), so all
 * objects are also read again periodically. If no address was received because the API server is
 * unreachable, the headless Service is resolved. The handshake then proves that the process at that
 * address is the member.
 */
public final class KubernetesTopology implements TopologySource {
  private static final Logger log = LoggerFactory.getLogger(KubernetesTopology.class);
  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("kvorum.dev")
          .withVersion("v1alpha1")
          .withKind("KvorumTopology")
          .withPlural("kvorumtopologies")
          .withNamespaced(true)
          .build();
  private static final long RETRY_MILLIS = 500;
  private static final String NAME_LABEL = "app.kubernetes.io/name";
  private static final String INSTANCE_LABEL = "app.kubernetes.io/instance";

  private final KubernetesClient client;
  private final NamespacedName object;
  private final int port;
  private final Duration resync;
  private final Function<MemberId, String> host;
  private final PodConditions conditions;
  private final HostNameResolver names = new HostNameResolver();
  private final Map<String, String> addresses = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kvorum-topology").factory());
  private @Nullable SharedIndexInformer<GenericKubernetesResource> topologies;
  private Consumer<Topology> listener = topology -> {};
  private @Nullable Topology newest;
  private volatile TopologyAnnotations annotations = TopologyAnnotations.NONE;
  private volatile long receivedNanos = System.nanoTime();
  private volatile String lastTrouble = "";

  /**
   * Creates a source that does not watch yet.
   *
   * @param client closed with this source
   * @param object the topology's, whose name is also that of the cluster
   * @param self this node, whose pod has its name
   * @param port port on which members listen for each other
   * @param host returns the host name of a member
   */
  KubernetesTopology(
      KubernetesClient client,
      NamespacedName object,
      MemberId self,
      int port,
      Duration resync,
      Function<MemberId, String> host) {
    this.client = client;
    this.object = object;
    this.port = port;
    this.resync = resync;
    this.host = host;
    this.conditions = new PodConditions(client, self.name());
  }

  /** Creates a source whose client is configured by the environment, such as a pod's account. */
  public static KubernetesTopology connect(
      String setting, String name, MemberId self, int port, Duration resync) {
    String namespace = namespace(setting);
    return new KubernetesTopology(
        new KubernetesClientBuilder().build(),
        new NamespacedName(namespace, name),
        self,
        port,
        resync,
        member -> member.name() + "." + name + "-peers." + namespace + ".svc");
  }

  /** The namespace of a setting; that of this pod if it is empty. */
  public static String namespace(String setting) {
    String own = setting.isEmpty() ? Config.autoConfigure(null).getNamespace() : setting;
    return own == null ? "default" : own;
  }

  @Override
  public synchronized void follow(Consumer<Topology> follower) {
    listener = follower;
    Topology known = newest;
    if (known != null) {
      follower.accept(known);
    }
    if (topologies == null) {
      watchAll();
    }
  }

  private void watchAll() {
    topologies =
        client
            .genericKubernetesResources(KIND)
            .inNamespace(object.namespace())
            .withName(object.name())
            .runnableInformer(resync.toMillis())
            .addEventHandler(new Changes());
    SharedIndexInformer<Pod> pods =
        pods().runnableInformer(resync.toMillis()).addEventHandler(new Addresses());
    // If the API server is unavailable at the start, the watch retries.
    topologies.exceptionHandler((started, failure) -> troubled(failure));
    pods.exceptionHandler((started, failure) -> troubled(failure));
    topologies.start();
    pods.start();
    thread.scheduleWithFixedDelay(
        this::relist, resync.toMillis(), resync.toMillis(), TimeUnit.MILLISECONDS);
  }

  private FilterWatchListDeletable<Pod, PodList, PodResource> pods() {
    return client
        .pods()
        .inNamespace(object.namespace())
        .withLabelSelector(NAME_LABEL + "=kvorum," + INSTANCE_LABEL + "=" + object.name());
  }

  private boolean troubled(Throwable failure) {
    String trouble = String.valueOf(failure.getMessage());
    if (!trouble.equals(lastTrouble)) {
      lastTrouble = trouble;
      log.warn("Unexpected response of the API server: {}", trouble);
    }
    return true;
  }

  private void relist() {
    try {
      GenericKubernetesResource found =
          client
              .genericKubernetesResources(KIND)
              .inNamespace(object.namespace())
              .withName(object.name())
              .get();
      if (found != null) {
        publish(found);
      }
      pods().list().getItems().forEach(this::note);
      receivedNanos = System.nanoTime();
    } catch (RuntimeException | Error e) {
      // A periodic task that throws is not run again.
      troubled(e);
    }
  }

  private synchronized void publish(GenericKubernetesResource found) {
    try {
      if (!(found.get("spec") instanceof Map<?, ?> spec)) {
        throw new IllegalArgumentException("spec is missing");
      }
      Topology read = TopologyMapper.read(spec);
      annotations = annotations.next(found.getMetadata());
      newest = read;
      listener.accept(read);
    } catch (IllegalArgumentException e) {
      log.error(
          "Ignored KvorumTopology {} at resourceVersion {}: {}",
          object.name(),
          found.getMetadata().getResourceVersion(),
          e.getMessage());
    }
  }

  @Override
  public boolean isFounded() {
    return annotations.isFounded();
  }

  @Override
  public Optional<String> restore() {
    return annotations.restore();
  }

  @Override
  public void reportWaiting(OptionalLong left) {
    conditions.waiting(left);
    conditions.updateOn(thread);
  }

  @Override
  public void reportListed() throws InterruptedException {
    while (!conditions.listed()) {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    }
  }

  /**
   * An open watch may deliver nothing, so only received events count. They are at most a resync
   * old.
   */
  @Override
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - receivedNanos);
  }

  @Override
  public CompletionStage<InetSocketAddress> locate(MemberId member) {
    String address = addresses.get(member.name());
    if (address == null) {
      return names.find(host.apply(member), port);
    }
    return CompletableFuture.completedFuture(new InetSocketAddress(address, port));
  }

  private void note(Pod pod) {
    if (conditions.see(pod) && !thread.isShutdown()) {
      conditions.updateOn(thread);
    }
    String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
    if (address != null && !address.isEmpty()) {
      addresses.put(pod.getMetadata().getName(), address);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    names.close();
    client.close();
  }

  private final class Addresses implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod added) {
      note(added);
    }

    @Override
    public void onUpdate(Pod old, Pod now) {
      note(now);
    }

    @Override
    public void onDelete(Pod gone, boolean finalStateUnknown) {
      // An empty list must not remove the addresses of all other members.
    }
  }

  private final class Changes implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource added) {
      receivedNanos = System.nanoTime();
      publish(added);
    }

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource now) {
      // A resync repeats the cached state without asking the server.
      if (!old.getMetadata().getResourceVersion().equals(now.getMetadata().getResourceVersion())) {
        receivedNanos = System.nanoTime();
      }
      publish(now);
    }

    @Override
    public void onDelete(GenericKubernetesResource gone, boolean finalStateUnknown) {
      log.warn("KvorumTopology {} was deleted; the members stay unchanged", object.name());
    }
  }
}

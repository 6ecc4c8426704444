package dev.kvorum.operator.observe;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.resources.PeerTls;
import dev.kvorum.operator.resources.SpecHash;
import dev.kvorum.operator.resources.StatefulSets;
import dev.kvorum.operator.resources.Topologies;
import dev.kvorum.operator.view.ImageView;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.ObjectsView;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Ordinals;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.SpareDomains;
import dev.kvorum.operator.view.TaskView;
import dev.kvorum.operator.view.TopologyView;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads a cluster and everything that belongs to it from the API, and the reports of its nodes. */
public final class Observer {
  private static final Duration REPORT_TIMEOUT = Duration.ofMillis(1500);

  private final ReportSource reports;
  private final InstantSource clock;
  private final Optional<String> operators;
  private final ImageReader images;
  private final Machines machines;

  /**
   * Creates one.
   *
   * @param operators namespace of the operator; empty: it runs outside of Kubernetes
   * @param defaultImage image of clusters that have none
   */
  public Observer(
      KubernetesClient client,
      ReportSource reports,
      InstantSource clock,
      Optional<String> operators,
      String defaultImage) {
    this.reports = reports;
    this.clock = clock;
    this.operators = operators;
    this.images = new ImageReader(defaultImage);
    this.machines = new Machines(client, clock);
  }

  /**
   * Returns the current state; empty if there is no such cluster. All but the cluster itself, its
   * StatefulSet, its topology, its pods and their reports is as old as what was read before.
   */
  public Optional<Snapshot> observe(String namespace, String name, Reads reads) {
    KubernetesClient client = reads.client();
    KvorumCluster cluster =
        client.resources(KvorumCluster.class).inNamespace(namespace).withName(name).get();
    if (cluster == null) {
      return Optional.empty();
    }
    Optional<StatefulSet> set =
        Optional.ofNullable(
            client.apps().statefulSets().inNamespace(namespace).withName(name).get());
    Optional<KvorumTopology> topology =
        Optional.ofNullable(
            client.resources(KvorumTopology.class).inNamespace(namespace).withName(name).get());
    Map<String, Pod> pods = pods(client, cluster, name);
    Map<String, PersistentVolumeClaim> volumes = volumes(reads, namespace, name);
    // After the topology: a task that has ended since is not taken for one to do again.
    List<KvorumTask> tasks = TaskReader.open(reads, cluster);
    CertificateReader certificates = CertificateReader.read(reads, cluster, clock.instant());
    PeerTls tls = PeerTls.next(cluster, running(pods, set), certificates.areIssued(name));
    UserReader users = UserReader.read(reads, cluster, set, pods.values(), tls);
    RestoreReader.Read restore = RestoreReader.read(reads, cluster, topology, clock.instant());
    Observed view =
        view(
            reads,
            cluster,
            restore.view(),
            set,
            topology,
            pods,
            volumes,
            TaskReader.first(tasks, cluster),
            certificates,
            users,
            SpecHash.of(cluster, tls, users.areMounted()));
    ObjectReader.Read others =
        new ObjectReader(reads, cluster, operators).read(certificates, users, set, view);
    return Optional.of(
        new Snapshot(
            view.withObjects(others.view()),
            cluster,
            set,
            topology,
            pods,
            volumes,
            tls,
            users.areMounted(),
            users.objects(),
            others.wanted(),
            others.found(),
            restore.source(),
            restore.jobs(),
            restore.user(),
            tasks));
  }

  /** TLS of the pods, or of those that will be started. */
  private static List<PeerTls> running(Map<String, Pod> pods, Optional<StatefulSet> set) {
    Stream<PodSpec> specs =
        pods.isEmpty()
            ? set.stream().map(it -> it.getSpec().getTemplate().getSpec())
            : pods.values().stream().map(Pod::getSpec);
    return specs.map(PeerTls::of).toList();
  }

  private Observed view(
      Reads reads,
      KvorumCluster cluster,
      RestoreView restore,
      Optional<StatefulSet> set,
      Optional<KvorumTopology> topology,
      Map<String, Pod> pods,
      Map<String, PersistentVolumeClaim> volumes,
      Optional<TaskView> task,
      CertificateReader certificates,
      UserReader users,
      String specHash) {
    Instant now = clock.instant();
    trustNodes(reads, cluster, pods.values(), users.objects().token(), now);
    SortedMap<Integer, PodView> views = podViews(cluster, set, pods, now);
    ImageView image =
        images.view(
            cluster,
            topology.isPresent(),
            set,
            pods,
            views.values(),
            specHash,
            it -> ImageCheckReader.check(reads, cluster, it, now));
    List<Notice> invalid = new ArrayList<>(StatefulSets.invalid(cluster, image.wanted()));
    certificates.objection(cluster).ifPresent(invalid::add);
    users.objection().ifPresent(invalid::add);
    return new Observed(
        now,
        cluster.getMetadata().getName(),
        cluster.getMetadata().getDeletionTimestamp() != null,
        cluster.getSpec(),
        cluster.known(),
        set.map(it -> Views.statefulSet(it, cluster)),
        views,
        spare(reads, cluster, views.values()),
        set.flatMap(it -> podCreationFailure(reads, it, pods, now)),
        new VolumeReader(reads, cluster).views(volumes),
        topology.map(it ->
            new TopologyView(
                it.getSpec(),
                Labels.isOwned(it, cluster),
                Topologies.isKept(it),
                Topologies.isFounded(it),
                Topologies.replication(it),
                it.getMetadata().getResourceVersion())),
        task,
        ObjectsView.NONE,
        restore,
        image,
        invalid.isEmpty() ? Optional.of(specHash) : Optional.empty(),
        invalid);
  }

  private static Map<String, Pod> pods(
      KubernetesClient client, KvorumCluster cluster, String name) {
    return client
        .pods()
        .inNamespace(cluster.getMetadata().getNamespace())
        .withLabels(Labels.selector(name))
        .list()
        .getItems()
        .stream()
        .filter(pod -> isOf(name, pod.getMetadata().getName()))
        .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), Function.identity()));
  }

  private static Optional<String> podCreationFailure(
      Reads reads, StatefulSet set, Map<String, Pod> pods, Instant now) {
    String name = set.getMetadata().getName();
    return IntStream.range(0, requireNonNullElse(set.getSpec().getReplicas(), 1))
        .mapToObj(ordinal -> name + "-" + ordinal)
        .filter(pod -> !pods.containsKey(pod))
        .findFirst()
        .flatMap(pod -> new Warnings(reads).of(set, pod, now));
  }

  private static boolean isOf(String name, String member) {
    return member.equals(name + "-" + Ordinals.of(member));
  }

  private static Map<String, PersistentVolumeClaim> volumes(
      Reads reads, String namespace, String name) {
    return reads
        .list(
            PersistentVolumeClaim.class,
            "all",
            () ->
                reads
                    .client()
                    .persistentVolumeClaims()
                    .inNamespace(namespace)
                    .withLabels(Labels.selector(name))
                    .list()
                    .getItems())
        .stream()
        .filter(claim -> isOf(StatefulSets.VOLUME + "-" + name, claim.getMetadata().getName()))
        .collect(Collectors.toMap(claim -> claim.getMetadata().getName(), Function.identity()));
  }

  /** Lets nodes that are asked by TLS be known by what their pods are mounted. */
  private void trustNodes(
      Reads reads,
      KvorumCluster cluster,
      Collection<Pod> pods,
      Optional<String> token,
      Instant now) {
    pods.stream()
        .filter(pod -> ManagementPort.speaksTls(pod.getSpec()))
        .collect(Collectors.groupingBy(pod -> PeerTls.of(pod.getSpec()).secret()))
        .forEach((secret, theirs) ->
            reports.trust(
                ReportSource.addresses(theirs),
                CertificateReader.ofNodes(reads, cluster, secret, now),
                token));
  }

  private SortedMap<Integer, PodView> podViews(
      KvorumCluster cluster, Optional<StatefulSet> set, Map<String, Pod> pods, Instant now) {
    Map<String, NodeReport> said =
        reports.fetch(ReportSource.addresses(pods.values()), REPORT_TIMEOUT);
    String zoneLabel = cluster.getSpec().zones().key();
    SortedMap<Integer, PodView> views = new TreeMap<>();
    pods.forEach((name, pod) ->
        views.put(
            Ordinals.of(name),
            PodReader.view(
                pod,
                set,
                machines.place(pod, zoneLabel),
                Optional.ofNullable(said.get(name)),
                now)));
    return views;
  }

  private SpareDomains spare(Reads reads, KvorumCluster cluster, Collection<PodView> pods) {
    List<Place> places = pods.stream().flatMap(pod -> pod.place().stream()).toList();
    KvorumClusterSpec spec = cluster.getSpec();
    return machines.spare(reads, places, spec.zones().key(), spec.replication());
  }
}

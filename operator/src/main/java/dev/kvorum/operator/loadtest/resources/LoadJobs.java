package dev.kvorum.operator.loadtest.resources;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.PodExtras;
import dev.kvorum.operator.api.Quantities;
import dev.kvorum.operator.api.ResourcesSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the Jobs of a load test. A Job that failed is never retried: a retry would offer the load
 * again, to a cluster that the first attempt may have brought down. A fill that ended successfully
 * but left keys out is retried, since it is no measurement.
 */
public final class LoadJobs {
  public static final String CONTAINER = "wrk2";

  /** Allowance for scheduling, the image and a clean end. */
  private static final long AROUND_SECONDS = 180;

  /** Deadline of a fill, which ends by itself. */
  private static final long FILL_SECONDS = 3600;

  /** Rate of a fill: it is never reached, so that no connection waits before it sends. */
  private static final long RATE_WITHOUT_BOUND = 10_000_000;

  /**
   * Maximum number of connections of a fill. At its rate, each connection always has a request in
   * flight, and a node sheds requests above {@code kvorum.limits.in-flight-min}, 256. The number of
   * threads has the same maximum.
   */
  private static final int FILL_CONNECTIONS_MAX = 64;

  /**
   * Suffixes of the test's name for the attempts at a fill; no rate of another test can have the
   * same name.
   */
  private static final List<String> FILLS = List.of("-fill", "-fill-second", "-fill-third");

  /** Maximum number of attempts at a fill while it leaves keys out. */
  public static final int FILL_ATTEMPTS = FILLS.size();

  /** The results are in the status by then; Jobs are deleted with their load test anyway. */
  private static final int TTL_SECONDS = 86_400;

  /** wrk2 ignores SIGTERM when it is the first process of its container. */
  private static final long TERMINATION_SECONDS = 2;

  private static final long USER = 10_001;
  private static final int HTTP_PORT = 8080;
  private static final String NOT_SAID = "-";

  /** Name of the variable with the token of the user. */
  private static final String TOKEN = "KVORUM_TOKEN";

  private LoadJobs() {}

  /** Returns the name of the Job for a rate. */
  public static String name(String test, int step) {
    return test + "-" + step;
  }

  /** Returns the name of the Job for an attempt at the fill, from 0. */
  public static String fillName(String test, int attempt) {
    return test + FILLS.get(attempt);
  }

  /**
   * Returns the Job that offers a rate.
   *
   * @param access what the cluster demands of its clients
   * @param image the image of load tests that name none
   */
  public static Job of(KvorumLoadTest test, int step, LoadAccess access, String image) {
    KvorumLoadTestSpec spec = test.getSpec();
    long seconds = Durations.seconds(spec.duration());
    long rate = spec.rates().get(step);
    List<String> extras = new ArrayList<>();
    switch (spec.workload()) {
      case PUT, GET -> {}
      case MIXED -> extras.add(said(spec.gets()));
      case SKEWED -> {
        extras.add(said(spec.gets()));
        extras.add(said(spec.skew()));
      }
      case RANGE -> extras.add(said(spec.records()));
    }
    Offer offer =
        new Offer(
            spec.workload().label(), rate, spec.connections(), seconds, extras, access, image);
    return job(test, name(test.getMetadata().getName(), step), offer);
  }

  /**
   * Returns the Job that writes every key once.
   *
   * @param access what the cluster demands of its clients
   * @param image the image of load tests that name none
   */
  public static Job fill(KvorumLoadTest test, int attempt, LoadAccess access, String image) {
    KvorumLoadTestSpec spec = test.getSpec();
    List<String> extras = List.of(Integer.toString(spec.threads()));
    int connections = Math.max(spec.threads(), Math.min(spec.connections(), FILL_CONNECTIONS_MAX));
    return job(
        test,
        fillName(test.getMetadata().getName(), attempt),
        new Offer(
            LoadScripts.FILL,
            RATE_WITHOUT_BOUND,
            connections,
            FILL_SECONDS,
            extras,
            access,
            image));
  }

  /** The arguments of wrk2, and its image where the load test names none. */
  private record Offer(
      String script,
      long rate,
      int connections,
      long seconds,
      List<String> extras,
      LoadAccess access,
      String image) {}

  /** Returns the text of an argument; an empty text if it is left out. */
  private static String said(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static List<String> wrk2(KvorumLoadTest test, Offer offer) {
    KvorumLoadTestSpec spec = test.getSpec();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of("-t", spec.threads().toString(), "-c", Integer.toString(offer.connections())));
    arguments.addAll(List.of("-d", offer.seconds() + "s", "-R", Long.toString(offer.rate()), "-L"));
    arguments.addAll(List.of("--timeout", "5s", "-s", "/scripts/" + offer.script() + ".lua"));
    if (offer.access().secret().isPresent()) {
      // Kubernetes puts the variable's value there.
      arguments.addAll(List.of("-H", "Authorization: Bearer $(" + TOKEN + ")"));
    }
    // wrk2 takes any certificate.
    arguments.add(
        "%s://%s.%s.svc:%d"
            .formatted(
                offer.access().tls() ? "https" : "http",
                spec.cluster(),
                test.getMetadata().getNamespace(),
                HTTP_PORT));
    arguments.addAll(
        List.of("--", spec.keys().toString(), Objects.toString(spec.valueBytes().getValue())));
    arguments.add(spec.ack() == null ? NOT_SAID : spec.ack().toString());
    arguments.add(spec.from() == null ? NOT_SAID : spec.from().toString());
    arguments.addAll(offer.extras());
    return arguments;
  }

  private static Container container(KvorumLoadTest test, Offer offer) {
    KvorumLoadTestSpec spec = test.getSpec();
    return new ContainerBuilder()
        .withName(CONTAINER)
        .withImage(requireNonNullElse(spec.image(), offer.image()))
        .withImagePullPolicy(spec.imagePullPolicy().label())
        .withArgs(wrk2(test, offer))
        .addNewEnv()
        .withName("RESULT")
        .withValue("/dev/termination-log")
        .endEnv()
        .addNewEnv()
        .withName("RATE")
        .withValue(Long.toString(offer.rate()))
        .endEnv()
        .addNewEnv()
        .withName("CONNECTIONS")
        .withValue(Integer.toString(offer.connections()))
        .endEnv()
        .addAllToEnv(token(offer.access()))
        .withTerminationMessagePath("/dev/termination-log")
        // Falls back to wrk2's last output if it left no result.
        .withTerminationMessagePolicy("FallbackToLogsOnError")
        .withResources(resources(requireNonNullElse(spec.resources(), ResourcesSpec.NONE)))
        .addNewVolumeMount()
        .withName("scripts")
        .withMountPath("/scripts")
        .withReadOnly(true)
        .endVolumeMount()
        .withNewSecurityContext()
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .endSecurityContext()
        .build();
  }

  private static List<EnvVar> token(LoadAccess access) {
    return access.secret().stream()
        .map(secret ->
            new EnvVarBuilder()
                .withName(TOKEN)
                .withNewValueFrom()
                .withNewSecretKeyRef("token", secret, false)
                .endValueFrom()
                .build())
        .toList();
  }

  private static ResourceRequirements resources(ResourcesSpec said) {
    Map<String, Quantity> limits = Quantities.of(said.limits());
    Map<String, Quantity> requests = Quantities.of(said.requests());
    limits.putIfAbsent("memory", new Quantity("256Mi"));
    requests.putIfAbsent("memory", requireNonNullElse(limits.get("memory"), new Quantity("256Mi")));
    requests.putIfAbsent("cpu", new Quantity("500m"));
    return new ResourceRequirementsBuilder().withLimits(limits).withRequests(requests).build();
  }

  private static Job job(KvorumLoadTest test, String name, Offer offer) {
    return new JobBuilder()
        .withMetadata(LoadLabels.metadata(test, name))
        .withNewSpec()
        .withBackoffLimit(0)
        .withActiveDeadlineSeconds(offer.seconds() + AROUND_SECONDS)
        .withTtlSecondsAfterFinished(TTL_SECONDS)
        .withTemplate(pod(test, container(test, offer)))
        .endSpec()
        .build();
  }

  private static PodTemplateSpec pod(KvorumLoadTest test, Container container) {
    return requireNonNullElse(test.getSpec().pod(), PodExtras.NONE)
        .template(LoadLabels.labels(test))
        .editSpec()
        .withRestartPolicy("Never")
        .withTerminationGracePeriodSeconds(TERMINATION_SECONDS)
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withRunAsUser(USER)
        .withRunAsGroup(USER)
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .withContainers(container)
        .addNewVolume()
        .withName("scripts")
        .withNewConfigMap()
        .withName(LoadScripts.name(test.getMetadata().getName()))
        .endConfigMap()
        .endVolume()
        .endSpec()
        .build();
  }
}

package dev.kvorum.membership;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets two conditions of this node's own pod. {@code Reachable} is its readiness gate, which the
 * operator closes and opens; only the node of a new pod opens it itself, since a new pod must not
 * wait for an operator that may be away (docs/adr/0026). {@code Listed} is false while the node has
 * no topology that lists it: it then has no copy of a topology that is lost (docs/adr/0027).
 *
 * <p>Another pod of this name may exist while this process ends. Its own pod is the one that has an
 * address of this machine.
 */
final class PodConditions {
  static final String REACHABLE = "kvorum.dev/Reachable";
  static final String LISTED = "kvorum.dev/Listed";
  private static final Logger log = LoggerFactory.getLogger(PodConditions.class);
  private static final long RETRY_MILLIS = 2000;
  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;

  private final KubernetesClient client;
  private final String name;
  private final AtomicBoolean isRetryScheduled = new AtomicBoolean();
  private volatile @Nullable Pod own;
  private volatile @Nullable String waits;
  private volatile boolean waitingStored;
  private boolean waitingMayBeStored;
  private String lastTrouble = "";

  /** What is known of a write. */
  private enum Outcome {
    STORED,
    REJECTED,
    UNKNOWN
  }

  PodConditions(KubernetesClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Remembers this node's own pod; returns whether a condition has to be set. */
  boolean see(Pod pod) {
    if (!pod.getMetadata().getName().equals(name) || !isHere(pod)) {
      return false;
    }
    own = pod;
    return isGateUnset(pod) || (waits != null && !waitingStored);
  }

  /**
   * The node waits for a topology that lists it.
   *
   * @param left the epoch in which it has left, which the operator reads from the message
   */
  void waiting(OptionalLong left) {
    waits = left.isPresent() ? "left in epoch " + left.getAsLong() : "never listed";
  }

  /**
   * Sets the conditions that have to be set on a thread, and again until all are: the operator
   * waits for them.
   */
  void updateOn(ScheduledExecutorService thread) {
    thread.execute(() -> {
      if (!update() && isRetryScheduled.compareAndSet(false, true)) {
        thread.schedule(
            () -> {
              isRetryScheduled.set(false);
              updateOn(thread);
            },
            RETRY_MILLIS,
            TimeUnit.MILLISECONDS);
      }
    });
  }

  /**
   * Sets the conditions that have to be set; a failure is logged once. Blocks.
   *
   * @return false if one was not set, and this must be called again
   */
  synchronized boolean update() {
    Pod pod = own;
    if (pod == null) {
      // It is called again when the pod is seen.
      return true;
    }
    boolean set = !isGateUnset(pod) || set(pod, REACHABLE, true, "") == Outcome.STORED;
    String why = waits;
    if (why != null && !waitingStored) {
      Outcome outcome = set(pod, LISTED, false, why);
      waitingStored = outcome == Outcome.STORED;
      waitingMayBeStored |= outcome != Outcome.REJECTED;
      set &= waitingStored;
    }
    return set;
  }

  /**
   * Takes back that the node waits, before it stores a topology. Blocks.
   *
   * @return false if it may still be said, and this must be called again
   */
  synchronized boolean listed() {
    waits = null;
    Pod pod = own;
    return !waitingMayBeStored || pod == null || set(pod, LISTED, true, "") != Outcome.UNKNOWN;
  }

  private Outcome set(Pod pod, String type, boolean value, String message) {
    String patch =
        """
        {"metadata": {"uid": "%s"},
         "status": {"conditions": [
           {"type": "%s", "status": "%s", "message": "%s", "lastTransitionTime": "%s"}]}}
        """
            .formatted(
                pod.getMetadata().getUid(),
                type,
                value ? "True" : "False",
                message,
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    try {
      // The next call must not set again what others have changed since.
      own =
          client
              .pods()
              .inNamespace(pod.getMetadata().getNamespace())
              .withName(name)
              .subresource("status")
              .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
      return Outcome.STORED;
    } catch (KubernetesClientException failure) {
      String trouble = String.valueOf(failure.getMessage());
      if (!trouble.equals(lastTrouble)) {
        lastTrouble = trouble;
        log.warn("The condition {} of this pod was not set: {}", type, trouble);
      }
      boolean rejected = failure.getCode() >= CLIENT_ERROR && failure.getCode() < SERVER_ERROR;
      return rejected ? Outcome.REJECTED : Outcome.UNKNOWN;
    }
  }

  private static boolean isGateUnset(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getReadinessGates().stream()
            .anyMatch(gate -> gate.getConditionType().equals(REACHABLE))
        && pod.getStatus().getConditions().stream()
            .noneMatch(condition -> condition.getType().equals(REACHABLE));
  }

  private static boolean isHere(Pod pod) {
    String address = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
    try {
      return address != null
          && !address.isEmpty()
          && NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
    } catch (UnknownHostException | SocketException e) {
      return false;
    }
  }
}

package dev.kvorum.boot;

import dev.kvorum.node.Node;
import dev.kvorum.node.NodeStatus;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * When a node is ready for clients, and when its process has to be restarted. {@code
 * application.yaml} says which of these indicators are part of readiness, which of liveness; Spring
 * names each after its bean, without {@code HealthIndicator}.
 */
@Configuration(proxyBeanMethods = false)
public class NodeReadiness {
  /** Runners finish before Spring reports readiness. */
  @Bean
  ApplicationRunner readiness(Node node) {
    return arguments -> node.ready().join();
  }

  /** Readiness: while its store rejects writes, other members serve. */
  @Bean
  HealthIndicator storeHealthIndicator(Node node) {
    return upIf(
        node,
        status -> status.serving().healthy(),
        status -> Health.down().withDetail("store", "failed"));
  }

  /** Readiness: one that has left only forwards requests. */
  @Bean
  HealthIndicator memberHealthIndicator(Node node) {
    return upIf(
        node,
        status -> status.serving().member(),
        status -> Health.outOfService().withDetail("member", "has left the cluster"));
  }

  /** Readiness: while another process of this member is running, other members serve. */
  @Bean
  HealthIndicator fenceHealthIndicator(Node node) {
    return upIf(
        node,
        status -> !status.fencing().raised(),
        status ->
            Health.outOfService()
                .withDetail("fence", "another process of this member")
                .withDetail("rejectedBy", names(status.fencing().rejectedBy()))
                .withDetail("unreachable", names(status.fencing().unreachable())));
  }

  /** Readiness: the records that are not restored yet would be missing. */
  @Bean
  HealthIndicator restoreHealthIndicator(Node node) {
    return upIf(
        node,
        status -> !status.serving().restoring(),
        status -> Health.outOfService().withDetail("restore", "a backup is being restored"));
  }

  /**
   * Liveness: a new process finishes the replacement that this one could not, and reads from disk
   * what an error has left uncertain in memory.
   */
  @Bean
  HealthIndicator storeRestartHealthIndicator(Node node) {
    return upIf(
        node,
        status -> !status.serving().needsRestart(),
        status -> Health.down().withDetail("store", "unusable until the process is restarted"));
  }

  /** Liveness: a superseded process never recovers; only a restart helps. */
  @Bean
  HealthIndicator supersededHealthIndicator(Node node) {
    return upIf(
        node,
        status -> !status.fencing().superseded(),
        status -> Health.down().withDetail("process", "superseded by a later one"));
  }

  private static HealthIndicator upIf(
      Node node, Predicate<NodeStatus> up, Function<NodeStatus, Health.Builder> otherwise) {
    return () -> {
      NodeStatus status = node.status();
      return (up.test(status) ? Health.up() : otherwise.apply(status)).build();
    };
  }

  private static List<String> names(Set<MemberId> members) {
    return members.stream().map(MemberId::name).sorted().toList();
  }
}

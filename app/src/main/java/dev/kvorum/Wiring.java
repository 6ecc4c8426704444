package dev.kvorum;

import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.ClientConnections;
import dev.kvorum.http.EntitiesHandler;
import dev.kvorum.http.EntityHandler;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.FlushPerTurn;
import dev.kvorum.http.MalformedRequests;
import dev.kvorum.http.OtherRoutes;
import dev.kvorum.http.RangePlaces;
import dev.kvorum.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Puts the node into Spring's hands. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KvorumProperties.class)
class Wiring {
  @Bean
  NodeSettings nodeSettings(KvorumProperties properties) {
    return NodeSettings.of(properties);
  }

  @Bean
  Meters meters(MeterRegistry registry) {
    return new Meters(registry);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  Node node(NodeSettings settings, Meters meters) {
    return new Node(settings, WallClock.skewedBy(settings.properties().clock().skew()), meters);
  }

  /** HTTP runs on the node's own loops, so that a request meets its coordinator there. */
  @Bean
  ReactorResourceFactory reactorResourceFactory(Node node) {
    ReactorResourceFactory resources = new ReactorResourceFactory();
    resources.setUseGlobalResources(false);
    resources.setLoopResources(node.loops());
    return resources;
  }

  @Bean(destroyMethod = "")
  AdmissionControl admissionControl(KvorumProperties properties) {
    KvorumProperties.Limits limits = properties.limits();
    return new AdmissionControl(
        limits.inFlightMin(), limits.inFlightMax(), limits.inFlightMemory().toBytes());
  }

  @Bean
  LastRequests lastRequests(AdmissionControl admission, KvorumProperties properties) {
    return new LastRequests(admission, properties.limits().requestTimeout());
  }

  @Bean
  EntityRoutes entityRoutes(Node node, NodeSettings settings, AdmissionControl admission) {
    RangeProperties range = settings.properties().range();
    return new EntityRoutes(
        new EntityHandler(node::coordinator, node::fromMax, admission, settings.http()),
        new EntitiesHandler(
            node::coordinator,
            settings.range(),
            new RangePlaces(range.streamsMax()),
            range.idleTimeout()));
  }

  @Bean
  ClientConnections clientConnections(NodeSettings settings) {
    return new ClientConnections(settings.http());
  }

  @Bean
  FlushPerTurn flushPerTurn() {
    return new FlushPerTurn();
  }

  @Bean
  MalformedRequests malformedRequests() {
    return new MalformedRequests();
  }

  @Bean
  RouterFunction<ServerResponse> otherRoutes(ApplicationContext context) {
    return OtherRoutes.routes(context);
  }

  /** Runners end before Spring says that traffic is welcome. */
  @Bean
  ApplicationRunner readiness(Node node) {
    return arguments -> node.ready().join();
  }

  @Bean
  HealthIndicator storeHealthIndicator(Node node) {
    return () ->
        node.isHealthy()
            ? Health.up().build()
            : Health.down().withDetail("store", "failed").build();
  }

  @Bean
  HealthIndicator memberHealthIndicator(Node node) {
    return () ->
        node.isMember()
            ? Health.up().build()
            : Health.outOfService().withDetail("member", "has left the cluster").build();
  }

  @Bean
  KvorumEndpoint kvorumEndpoint(Node node) {
    return new KvorumEndpoint(node);
  }
}

package dev.kvorum.boot;

import dev.kvorum.auth.UserFile;
import dev.kvorum.config.KvorumProperties;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.config.StrayVariables;
import dev.kvorum.console.ConsoleRoutes;
import dev.kvorum.data.Versioned;
import dev.kvorum.http.AccessControl;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.FallbackRoutes;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.http.RequestLog;
import dev.kvorum.http.connection.ClientConnections;
import dev.kvorum.http.connection.FlushBatcher;
import dev.kvorum.http.connection.MalformedRequests;
import dev.kvorum.http.connection.TlsConnections;
import dev.kvorum.metrics.Meters;
import dev.kvorum.node.Node;
import dev.kvorum.node.WallClock;
import dev.kvorum.security.HttpTls;
import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsMode;
import dev.kvorum.tracing.Tracer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The Spring beans of a node. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KvorumProperties.class)
@Import({AccessConfiguration.class, BackupConfiguration.class, NodeReadiness.class})
public class NodeConfiguration {
  private static final Logger log = LoggerFactory.getLogger(NodeConfiguration.class);

  @Bean
  static ConfigurationPropertiesBindHandlerAdvisor durationUnits() {
    return new DurationUnits();
  }

  @Bean
  NodeSettings nodeSettings(KvorumProperties properties) {
    for (String variable : StrayVariables.in(System.getenv().keySet())) {
      log.warn("Unknown variable {} in the environment: no setting has that name", variable);
    }
    rejectUnknown(System.getenv());
    return NodeSettings.of(properties);
  }

  /** Does not start with a setting of the operator's that is none: its update ends at this pod. */
  static void rejectUnknown(Map<String, String> environment) {
    List<String> unknown = StrayVariables.ofSpec(environment);
    if (!unknown.isEmpty()) {
      throw new NodeStartException(
          unknown.stream()
              .map(name -> CommandLine.unknown("", name))
              .collect(Collectors.joining(", ")));
    }
  }

  /** Adds the node's name to its metrics, so that the scraper need not. */
  @Bean
  MeterRegistryCustomizer<MeterRegistry> topologyOrigin(NodeSettings settings) {
    return registry ->
        registry
            .config()
            .commonTags("kvorum_cluster", settings.clusterName(), "member", settings.self().name());
  }

  @Bean
  Meters meters(MeterRegistry registry) {
    return new Meters(registry);
  }

  /** Closed after the node and the HTTP server, so that it exports their last spans. */
  @Bean(destroyMethod = "close")
  Tracer tracer(NodeSettings settings) {
    return settings.tracer();
  }

  @Bean
  RequestLog requestLog(Meters meters, KvorumProperties properties, Tracer tracer) {
    return new RequestLog(meters.requests(), properties.log().slowRequest(), tracer);
  }

  @Bean
  RangeStreamLimiter rangeStreamLimiter(KvorumProperties properties) {
    return new RangeStreamLimiter(properties.range().streamsMax());
  }

  @Bean
  NodeMeterBinder nodeMeterBinder(
      Meters meters,
      Node node,
      NodeSettings settings,
      Tracer tracer,
      AdmissionControl admission,
      ClientConnections clients,
      RangeStreamLimiter places,
      HttpTls clientTls,
      HttpTls managementTls,
      PeerTls peerTls) {
    NodeMeterBinder polled = new NodeMeterBinder(meters, node, settings, tracer);
    polled.showNode();
    polled.showHttp(admission, clients, places);
    polled.showTls(clientTls.port());
    polled.showTls(managementTls.port());
    polled.showTls(peerTls.port());
    polled.showPlainPeers(peerTls);
    return polled;
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  Node node(NodeSettings settings, PeerTls tls, Meters meters, Tracer tracer) {
    return new Node(
        settings, tls, WallClock.skewedBy(settings.properties().clock().skew()), meters, tracer);
  }

  /**
   * HTTP runs on the node's own event loops, so that a request runs on its coordinator's loop. Asks
   * for the node late: Spring creates this bean at build time too, where no node may start.
   */
  @Bean
  ReactorResourceFactory reactorResourceFactory(ObjectProvider<Node> node) {
    ReactorResourceFactory resources = new ReactorResourceFactory();
    resources.setUseGlobalResources(false);
    resources.setLoopResources(useNative -> node.getObject().loops().onServer(useNative));
    return resources;
  }

  @Bean(destroyMethod = "")
  AdmissionControl admissionControl(KvorumProperties properties, Meters meters) {
    KvorumProperties.Limits limits = properties.limits();
    return new AdmissionControl(
        limits.inFlightMin(), limits.inFlightMax(), limits.inFlightMemory().toBytes(), meters);
  }

  @Bean
  GracefulDrain gracefulDrain(
      AdmissionControl admission, RangeStreamLimiter places, KvorumProperties properties) {
    return new GracefulDrain(admission, places, properties.limits().requestTimeout());
  }

  /** A customizer, because Spring creates all beans that provide routes at build time too. */
  @Bean
  WebServerFactoryCustomizer<NettyReactiveWebServerFactory> entityRoutes(
      Node node,
      NodeSettings settings,
      AccessControl access,
      AdmissionControl admission,
      RangeStreamLimiter places,
      RequestLog log,
      Meters meters) {
    EntityRoutes routes =
        NodeRoutes.of(
            node, settings, settings.properties().range(), access, admission, places, log, meters);
    return server -> server.addRouteProviders(routes);
  }

  @Bean
  ClientConnections clientConnections(NodeSettings settings) {
    return new ClientConnections(settings.connections());
  }

  @Bean
  FlushBatcher flushPerTurn() {
    return new FlushBatcher();
  }

  @Bean(destroyMethod = "close")
  PeerTls peerTls(NodeSettings settings) {
    return settings.peerTls();
  }

  @Bean(destroyMethod = "close")
  HttpTls clientTls(NodeSettings settings) {
    return settings.clientTls();
  }

  /** For {@link ManagementConfiguration}. */
  @Bean(destroyMethod = "close")
  HttpTls managementTls(NodeSettings settings) {
    return settings.managementTls();
  }

  @Bean
  TlsConnections tlsConnections(HttpTls clientTls) {
    return new TlsConnections(clientTls);
  }

  @Bean
  MalformedRequests malformedRequests() {
    return new MalformedRequests();
  }

  @Bean
  RouterFunction<ServerResponse> otherRoutes(ApplicationContext context) {
    return FallbackRoutes.routes(context);
  }

  /** Only on the management port, whose child context inherits these routes. */
  @Bean
  RouterFunction<ServerResponse> consoleRoutes(
      ApplicationContext api, Node node, KvorumProperties properties, HttpTls clientTls) {
    boolean isSecured = clientTls.mode() == TlsMode.REQUIRED;
    return new ConsoleRoutes(
            node.topology()::get,
            () -> node.core().layout().before(),
            properties.cluster().replication(),
            () ->
                (isSecured ? "https" : "http")
                    + "://localhost:"
                    + api.getEnvironment().getRequiredProperty("local.server.port"),
            isSecured ? Optional.of(clientTls.ofOwnClient()) : Optional.empty(),
            Versioned.VALUE_BYTES_MAX)
        .routes(request -> !api.equals(request.exchange().getApplicationContext()));
  }

  @Bean
  KvorumEndpoint kvorumEndpoint(
      Node node, NodeSettings settings, HttpTls clientTls, PeerTls peerTls, UserFile users) {
    return new KvorumEndpoint(
        node, settings.clusterName(), List.of(clientTls.port(), peerTls.port()), users);
  }
}

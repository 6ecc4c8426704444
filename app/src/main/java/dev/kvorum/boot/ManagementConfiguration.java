package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.UserFile;
import dev.kvorum.http.connection.TlsConnections;
import dev.kvorum.security.HttpTls;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/**
 * What the server of the management port has beside Spring's own. Its context is a child of that of
 * {@link NodeConfiguration}, whose customizers do not apply here.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
public class ManagementConfiguration {
  @Bean
  WebServerFactoryCustomizer<NettyReactiveWebServerFactory> managementConnections(
      HttpTls managementTls) {
    return server -> server.addServerCustomizers(new TlsConnections(managementTls));
  }

  /** Outside of what may reject a request. */
  @Bean
  @Order(1)
  WebFilter administrationAudit(AuditLog audit) {
    return new AdministrationAudit(audit);
  }

  @Bean
  @Order(2)
  WebFilter managementAccess(AuditLog audit, UserFile users, Authenticator authenticator) {
    return new ManagementAccess(audit, users, authenticator);
  }
}

package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

/** What of an API server concerns tokens of ServiceAccounts. */
public final class TokenIssuer implements AutoCloseable {
  private final ECKey key;
  private final HttpServer server;

  public TokenIssuer() throws IOException {
    key = TestTokens.ec();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/.well-known/openid-configuration", Map.of("issuer", TestTokens.ISSUER));
    serve("/openid/v1/jwks", new JWKSet(key).toPublicJWKSet().toJSONObject());
    server.start();
  }

  private void serve(String path, Map<String, Object> json) {
    byte[] body = JSONObjectUtils.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  /** Where it listens. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Makes a token.
   *
   * @param account the ServiceAccount's namespace and name, with a colon in between
   */
  public String token(String account, String audience, Duration life) throws JOSEException {
    Instant now = Instant.now();
    JWTClaimsSet claims =
        TestTokens.claims(now)
            .audience(audience)
            .subject("system:serviceaccount:" + account)
            .expirationTime(Date.from(now.plus(life)))
            .build();
    return TestTokens.sign(JWSAlgorithm.ES256, key.getKeyID(), new ECDSASigner(key), claims);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

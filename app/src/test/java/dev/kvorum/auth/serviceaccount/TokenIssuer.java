package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
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
  private static final String ISSUER = "https://kubernetes.default.svc";

  private final ECKey key;
  private final HttpServer server;

  public TokenIssuer() throws IOException, JOSEException {
    key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/.well-known/openid-configuration", Map.of("issuer", ISSUER));
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
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(audience)
            .subject("system:serviceaccount:" + account)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(life)))
            .build();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

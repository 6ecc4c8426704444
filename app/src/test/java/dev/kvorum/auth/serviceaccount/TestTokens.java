package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** Keys of an API server, and tokens signed with them. */
final class TestTokens {
  static final String ISSUER = "https://kubernetes.default.svc";
  static final String AUDIENCE = "kvorum.dev/shop/store";

  private TestTokens() {}

  /** What a token of an hour claims. */
  static JWTClaimsSet.Builder claims(Instant issued) {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .subject("system:serviceaccount:shop:api")
        .issueTime(Date.from(issued))
        .notBeforeTime(Date.from(issued))
        .expirationTime(Date.from(issued.plus(Duration.ofHours(1))));
  }

  static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static ECKey ec() {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static String sign(JWSAlgorithm algorithm, String id, JWSSigner signer, JWTClaimsSet of) {
    try {
      SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), of);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static String sign(RSAKey key, JWTClaimsSet claims) {
    try {
      return sign(JWSAlgorithm.RS256, key.getKeyID(), new RSASSASigner(key), claims);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}

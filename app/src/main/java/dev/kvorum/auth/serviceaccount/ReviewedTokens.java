package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jwt.SignedJWT;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Asks the API server about each token. */
final class ReviewedTokens implements TokenOrigin {
  private final KubernetesClient client;
  private final String audience;

  ReviewedTokens(KubernetesClient client, String audience) {
    this.client = client;
    this.audience = audience;
  }

  @Override
  public boolean isGenuine(SignedJWT token, AccountClaims claims) throws UncheckedTokenException {
    TokenReviewStatus status;
    try {
      TokenReview review =
          new TokenReviewBuilder()
              .withNewSpec()
              .withToken(token.serialize())
              .withAudiences(audience)
              .endSpec()
              .build();
      status = client.tokenReviews().create(review).getStatus();
    } catch (KubernetesClientException e) {
      throw new UncheckedTokenException("the API server did not review it: " + e.getMessage());
    }
    // An authenticator that knows nothing of audiences takes tokens of any, and returns none.
    return status != null
        && Boolean.TRUE.equals(status.getAuthenticated())
        && status.getAudiences() != null
        && status.getAudiences().contains(audience)
        && status.getUser() != null
        && claims.subject().equals(status.getUser().getUsername());
  }

  @Override
  public void close() {
    client.close();
  }
}

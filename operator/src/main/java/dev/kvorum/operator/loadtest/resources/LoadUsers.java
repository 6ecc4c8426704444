package dev.kvorum.operator.loadtest.resources;

import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyRule;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KeysSpec;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import java.util.List;

/** Builds the user that requests come from where nodes reject those without credentials. */
public final class LoadUsers {
  /** Keys of the scripts begin with it. */
  private static final String PREFIX = "k";

  private LoadUsers() {}

  /**
   * Returns the name of the user: at most 50 characters, since a load test's has 45. The operator
   * stores its token under that name and {@code -token}.
   */
  public static String name(String test) {
    return test + "-load";
  }

  /** Returns the user in its desired state. */
  public static KvorumUser of(KvorumLoadTest test) {
    KvorumUser user = new KvorumUser();
    user.setMetadata(LoadLabels.metadata(test, name(test.getMetadata().getName())));
    user.setSpec(
        new KvorumUserSpec(
            test.getSpec().cluster(),
            new AuthenticationSpec(AuthenticationType.TOKEN, null, null, null),
            List.of(),
            List.of(new KeyRule(new KeysSpec(PREFIX, null), List.of(KeyVerb.values()))),
            null,
            null,
            null));
    return user;
  }
}

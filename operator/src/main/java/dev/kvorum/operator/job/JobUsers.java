package dev.kvorum.operator.job;

import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyRule;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KeysSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;

/** Builds the users of Jobs, where nodes reject requests without credentials. */
public final class JobUsers {
  private JobUsers() {}

  /** One that may give orders to nodes, without rights to keys. */
  public static KvorumUser administrator(ObjectMeta metadata, String cluster) {
    return user(metadata, cluster, List.of(), true);
  }

  /** One that reads all keys. */
  public static KvorumUser reader(ObjectMeta metadata, String cluster) {
    KeyRule all = new KeyRule(new KeysSpec("", null), List.of(KeyVerb.GET, KeyVerb.RANGE));
    return user(metadata, cluster, List.of(all), false);
  }

  private static KvorumUser user(
      ObjectMeta metadata, String cluster, List<KeyRule> rules, boolean administrator) {
    KvorumUser user = new KvorumUser();
    user.setMetadata(metadata);
    user.setSpec(
        new KvorumUserSpec(
            cluster,
            new AuthenticationSpec(AuthenticationType.TOKEN, null, null, null),
            List.of(),
            rules,
            null,
            administrator,
            null));
    return user;
  }
}

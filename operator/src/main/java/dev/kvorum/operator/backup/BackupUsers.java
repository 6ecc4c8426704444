package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import java.util.List;

/** Builds the user that orders come from where nodes reject those without credentials. */
final class BackupUsers {
  private BackupUsers() {}

  /** The operator stores its token under that name and {@code -token}. */
  static String name(String backup) {
    return backup + "-backup";
  }

  /** An administrator, without rights to keys. */
  static KvorumUser of(KvorumBackup backup) {
    KvorumUser user = new KvorumUser();
    user.setMetadata(BackupJobs.metadata(backup, name(backup.getMetadata().getName())));
    user.setSpec(
        new KvorumUserSpec(
            backup.getSpec().cluster(),
            new AuthenticationSpec(AuthenticationType.TOKEN, null, null, null),
            List.of(),
            List.of(),
            null,
            true,
            null));
    return user;
  }
}

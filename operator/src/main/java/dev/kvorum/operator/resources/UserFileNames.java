package dev.kvorum.operator.resources;

import io.fabric8.kubernetes.api.model.PodSpec;

/** The file with users, in the Secret that pods are mounted. */
public final class UserFileNames {
  /** Its name, the key of the Secret. */
  public static final String NAME = "users.json";

  /** Setting of what is allowed without credentials. */
  static final String ANONYMOUS = "kvorum.auth.anonymous";

  /** Setting of how tokens of ServiceAccounts are checked, and what it is if a spec has none. */
  static final String SERVICE_ACCOUNTS = "kvorum.auth.service-accounts";

  static final String SERVICE_ACCOUNTS_DEFAULT = "jwks";

  static final String VOLUME = "users";
  static final String DIRECTORY = "/etc/kvorum/auth";
  static final String PATH = DIRECTORY + "/" + NAME;

  private UserFileNames() {}

  /** Name of a cluster's Secret with the file. */
  public static String secret(String cluster) {
    return cluster + "-auth";
  }

  /** Whether a pod is mounted the file. */
  public static boolean areMounted(PodSpec pod) {
    return pod.getVolumes().stream().anyMatch(volume -> volume.getName().equals(VOLUME));
  }
}

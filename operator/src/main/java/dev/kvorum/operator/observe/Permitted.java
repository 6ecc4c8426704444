package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.function.Supplier;

/** Reads what an operator is better off knowing but may not be allowed to read, or has no CRD. */
final class Permitted {
  private Permitted() {}

  /** Returns what is read or, if the operator may not read it or it is unknown, another value. */
  static <T> T read(Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (KubernetesClientException rejected) {
      if (isRejection(rejected)) {
        return otherwise;
      }
      throw rejected;
    }
  }

  static boolean isRejection(KubernetesClientException failure) {
    return failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        || failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
  }
}

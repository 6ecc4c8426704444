package dev.kvorum.operator;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What nodes read of the Secret that they are mounted. */
final class FakeCertificates {
  private final KubernetesClient client;
  private final Map<String, Map<String, String>> read = new HashMap<>();

  /** Whether a changed Secret reaches the nodes. */
  boolean arrives = true;

  FakeCertificates(KubernetesClient client) {
    this.client = client;
  }

  /** What a node reports: the hashes of the certificates that it uses. */
  Map<String, String> of(String pod) {
    Secret secret =
        client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-tls").get();
    if (secret != null && (arrives || !read.containsKey(pod))) {
      read.put(
          pod,
          Map.of(
              "peer", digest(secret, List.of(pod + ".crt", "peer-ca.crt")),
              "http", digest(secret, List.of("http.crt"))));
    }
    return read.getOrDefault(pod, Map.of());
  }

  private static String digest(Secret secret, List<String> files) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      files.forEach(file ->
          digest.update(Base64.getDecoder().decode(secret.getData().getOrDefault(file, ""))));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}

package dev.kvorum.operator.resources;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The last template that all pods of a StatefulSet had. The StatefulSet carries it, so that one
 * write replaces the template and keeps the old one, and another one goes back.
 */
public final class Fallback {
  /** All annotations of an object have 256 KiB together. */
  static final int CHARACTERS_MAX = 100_000;

  /** What is kept of the reason: the scheduler's can be long. */
  private static final int WHY_MAX = 500;

  private Fallback() {}

  /**
   * Keeps the template that all pods have, unless it is another client's or too large. An older one
   * is not kept instead: pods have gone on from it, perhaps to where no way leads back.
   *
   * @param old the StatefulSet as it was read
   * @param next metadata of the one to be written
   */
  static void keep(StatefulSet old, ObjectMeta next) {
    String template = Serialization.asJson(old.getSpec().getTemplate());
    boolean isOwn = TemplateSeal.isSealed(old) && !TemplateSeal.isChanged(old);
    Map<String, String> annotations = new TreeMap<>(next.getAnnotations());
    if (isOwn && template.length() <= CHARACTERS_MAX) {
      annotations.put(Labels.FALLBACK, template);
    } else {
      annotations.remove(Labels.FALLBACK);
    }
    next.setAnnotations(annotations);
  }

  /** Forgets the failure of an earlier spec. */
  static void forgetFailure(ObjectMeta next) {
    Map<String, String> annotations = new TreeMap<>(next.getAnnotations());
    annotations.keySet().removeAll(List.of(Labels.FAILED_UPDATE, Labels.FAILED_UPDATE_WHY));
    next.setAnnotations(annotations);
  }

  /**
   * Returns the StatefulSet with its fallback as the template.
   *
   * @param failed hash of the spec whose update is rolled back
   */
  public static StatefulSet rolledBack(StatefulSet set, String failed, String why) {
    PodTemplateSpec template = of(set).orElseThrow();
    StatefulSet next = new StatefulSetBuilder(set).build();
    StatefulSets.annotate(next.getMetadata(), Labels.FAILED_UPDATE, failed);
    StatefulSets.annotate(
        next.getMetadata(),
        Labels.FAILED_UPDATE_WHY,
        why.length() <= WHY_MAX ? why : why.substring(0, WHY_MAX) + "…");
    for (String copied : List.of(Labels.SPEC_HASH, Labels.OPERAND_REVISION)) {
      Labels.annotation(template.getMetadata(), copied)
          .ifPresent(it -> StatefulSets.annotate(next.getMetadata(), copied, it));
    }
    next.getSpec().setTemplate(template);
    TemplateSeal.breakSeal(set, next.getMetadata());
    return next;
  }

  /** Returns the template; empty also if somebody has made something else of the annotation. */
  public static Optional<PodTemplateSpec> of(StatefulSet set) {
    try {
      return Labels.annotation(set.getMetadata(), Labels.FALLBACK)
          .map(json -> Serialization.unmarshal(json, PodTemplateSpec.class))
          .filter(it -> it.getSpec() != null);
    } catch (RuntimeException changedByHand) {
      return Optional.empty();
    }
  }

  /** Returns whether two templates secure connections in the same way. */
  public static boolean haveSameSecurity(PodTemplateSpec one, PodTemplateSpec other) {
    return security(one).equals(security(other));
  }

  /** What secures connections: certificates, users, and all settings of these. */
  private static List<Object> security(PodTemplateSpec template) {
    PodSpec pod = template.getSpec();
    Map<String, String> settings = new TreeMap<>();
    pod.getContainers().stream()
        .filter(container -> container.getName().equals(PodTemplates.CONTAINER))
        .flatMap(container -> container.getEnv().stream())
        .filter(Fallback::secures)
        .forEach(it -> settings.put(it.getName(), String.valueOf(it.getValue())));
    return List.of(PeerTls.of(pod), UserFileNames.areMounted(pod), settings);
  }

  private static boolean secures(EnvVar setting) {
    return setting.getName().startsWith("KVORUM_TLS_")
        || setting.getName().startsWith("KVORUM_AUTH_");
  }
}

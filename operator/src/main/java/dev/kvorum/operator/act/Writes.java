package dev.kvorum.operator.act;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;

/**
 * All writes of the operator to the API. Each method is one request. A request with a resource
 * version fails with a conflict if that version is not the latest.
 */
public interface Writes {
  void create(HasMetadata object);

  void replace(HasMetadata object);

  void remove(HasMetadata object);

  /** Deletes this StatefulSet, but neither its pods nor a successor of its name. */
  void orphan(StatefulSet set);

  /**
   * Marks a pod with the hash of the users that it is mounted. The kubelet syncs the mounted Secret
   * when it sees a change of the pod, and otherwise once a minute.
   */
  void usersChanged(Pod pod, String digest);

  /** Deletes this pod, but not a successor of its name. */
  void delete(Pod pod);

  /**
   * Evicts this pod, but not a successor of its name; returns false if a disruption budget does not
   * allow it now.
   */
  boolean evict(Pod pod);

  /**
   * Sets the condition of this pod's readiness gate, but not that of a successor of its name. With
   * a closed gate the pod is not ready, also if its kubelet, which would say so, is dead.
   */
  void reachable(Pod pod, boolean reachable, Instant now);

  /** Deletes this Job and its pods, but not a successor of its name. */
  void removeWithPods(Job job);

  /** Updates the status of a custom resource and nothing else. */
  void status(HasMetadata resource);

  void event(Event event);
}

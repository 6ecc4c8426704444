package dev.kvorum.operator.act;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;

/**
 * The only door through which the operator writes to the API. Each method is one request; what
 * carries a resource version fails with a conflict when that is not the newest.
 */
public interface Writes {
  void create(HasMetadata object);

  void replace(HasMetadata object);

  void remove(HasMetadata object);

  /** Removes a StatefulSet and leaves its pods. */
  void orphan(StatefulSet set);

  /** Deletes this pod, not one that has taken its name. */
  void delete(Pod pod);

  /** Removes a Job and its pods. */
  void removeWithPods(Job job);

  /** Writes a custom resource's status and nothing else of it. */
  void status(HasMetadata resource);

  void event(Event event);
}

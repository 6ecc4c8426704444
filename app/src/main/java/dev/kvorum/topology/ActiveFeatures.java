package dev.kvorum.topology;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The features that this node uses; they only grow. One is on disk before it is used, so that a
 * release without it does not start on what it has written. Safe for use by many threads.
 */
public final class ActiveFeatures {
  private final Consumer<Set<Feature>> file;
  private final List<Consumer<Set<Feature>>> listeners = new CopyOnWriteArrayList<>();
  private volatile Set<Feature> active;

  /**
   * Creates the features of a node that has not started.
   *
   * @param onDisk those that have been active before
   * @param file stores all active features durably, or throws; may block
   */
  public ActiveFeatures(Set<Feature> onDisk, Consumer<Set<Feature>> file) {
    this.active = Set.copyOf(onDisk);
    this.file = file;
  }

  /** Features that no disk keeps. */
  public static ActiveFeatures inMemory() {
    return new ActiveFeatures(Set.of(), all -> {});
  }

  /**
   * Registers a listener, called with all active features when there are more, before the first use
   * of the new ones.
   */
  public void beforeUse(Consumer<Set<Feature>> listener) {
    listeners.add(listener);
  }

  /** All active features. */
  public Set<Feature> get() {
    return active;
  }

  /** Returns whether this node may use a feature. */
  public boolean contains(Feature feature) {
    return active.contains(feature);
  }

  /**
   * Activates features, unless they are active. May block.
   *
   * @return whether there are new ones
   * @throws RuntimeException if they cannot be stored; none of them is active then
   */
  public synchronized boolean activate(Set<Feature> more) {
    if (active.containsAll(more)) {
      return false;
    }
    Set<Feature> all = EnumSet.copyOf(more);
    all.addAll(active);
    file.accept(Set.copyOf(all));
    listeners.forEach(listener -> listener.accept(Set.copyOf(all)));
    active = Set.copyOf(all);
    return true;
  }
}

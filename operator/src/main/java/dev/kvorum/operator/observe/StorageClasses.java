package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the existing storage classes on first use. */
public final class StorageClasses {
  private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";

  private final Reads reads;

  public StorageClasses(Reads reads) {
    this.reads = reads;
  }

  /**
   * Returns the class of a name, or the default one for null; empty if there is none or the
   * operator may not read classes.
   */
  public Optional<StorageClass> find(@Nullable String name) {
    return all().stream()
        .flatMap(List::stream)
        .filter(it -> name == null ? isDefault(it) : it.getMetadata().getName().equals(name))
        .findFirst();
  }

  /**
   * Returns a message if there is no such class; empty if there is one or the operator may not read
   * classes.
   */
  Optional<String> missing(@Nullable String name) {
    if (all().isEmpty() || find(name).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        name == null ? "there is no default storage class" : "there is no storage class " + name);
  }

  private static boolean isDefault(StorageClass it) {
    return it.getMetadata().getAnnotations() != null
        && "true".equals(it.getMetadata().getAnnotations().get(DEFAULT));
  }

  /** Returns empty if the operator may not read classes. */
  private Optional<List<StorageClass>> all() {
    return Permitted.read(
        () ->
            Optional.of(
                reads.list(
                    StorageClass.class,
                    "all",
                    () -> reads.client().storage().v1().storageClasses().list().getItems())),
        Optional.empty());
  }
}

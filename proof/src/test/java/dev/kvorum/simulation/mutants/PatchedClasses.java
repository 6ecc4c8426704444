package dev.kvorum.simulation.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The node's and the simulation's classes once more, some of them patched. Libraries are those of
 * the parent.
 */
final class PatchedClasses extends ClassLoader {
  private static final String OWN = "dev.kvorum.";

  private final Map<String, byte[]> patched = new HashMap<>();

  /**
   * Patches at once.
   *
   * @throws IllegalStateException when a patch finds nothing to change
   */
  PatchedClasses(List<Patch> patches) {
    super("patched", PatchedClasses.class.getClassLoader());
    for (Patch patch : patches) {
      byte[] code = patched.getOrDefault(patch.type(), original(patch.type()));
      if (code == null) {
        throw new IllegalStateException("no class for " + patch);
      }
      patched.put(patch.type(), patch.applyTo(code, getParent()));
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OWN)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] code = patched.getOrDefault(name, original(name));
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        loaded = defineClass(name, code, 0, code.length);
      }
      return loaded;
    }
  }

  private byte @Nullable [] original(String name) {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

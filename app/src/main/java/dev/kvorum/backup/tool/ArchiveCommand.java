package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.objectstore.ObjectStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works with an object store. */
abstract class ArchiveCommand implements Callable<Integer> {
  @Mixin private final StoreOption store = new StoreOption();
  @Spec private @Nullable CommandSpec spec;

  StoreOption store() {
    return store;
  }

  PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  /** For messages. */
  PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }

  /** Does the work; returns the exit code. */
  abstract int run(Archive archive) throws IOException, InterruptedException;

  @Override
  public final Integer call() {
    try (ObjectStore opened = store.open()) {
      return run(new Archive(opened));
    } catch (IllegalArgumentException e) {
      throw KvorumBackup.wrong(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw KvorumBackup.failed(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw KvorumBackup.failed("interrupted");
    }
  }
}

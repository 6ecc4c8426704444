package dev.kvorum.plugin;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command about a cluster. */
abstract class ClusterCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  abstract int run(Target target) throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    KubectlKvorum root = (KubectlKvorum) spec.root().userObject();
    try (Target target = root.option().target()) {
      return run(target);
    }
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}

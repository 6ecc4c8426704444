package dev.kvorum.plugin;

import picocli.CommandLine.Option;

/** A task by which records may be lost, which the user must confirm. */
abstract class ConfirmedTaskCommand extends TaskCommand {
  @Option(names = "--yes", description = "what is lost with it may be lost")
  private boolean isConfirmed;

  /** What may be lost, as a sentence without its full stop. */
  abstract String loss(String member);

  @Override
  final void confirm(String member) {
    if (!isConfirmed) {
      throw Target.wrong(loss(member) + ". If that is meant, repeat this with --yes");
    }
  }
}

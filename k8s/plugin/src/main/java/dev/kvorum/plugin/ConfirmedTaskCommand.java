package dev.kvorum.plugin;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A task by which records may be lost, which the user must confirm. */
abstract class ConfirmedTaskCommand extends TaskCommand {
  @Parameters(paramLabel = "MEMBER", description = "name of the member, such as kvorum-1")
  private String member = "";

  @Option(names = "--yes", description = "what is lost with it may be lost")
  private boolean isConfirmed;

  /** What may be lost, as a sentence without its full stop. */
  abstract String loss(String member);

  @Override
  final String member() {
    return member;
  }

  @Override
  final void confirm(String member) {
    if (!isConfirmed) {
      throw Target.wrong(loss(member) + ". If that is meant, repeat this with --yes");
    }
  }
}

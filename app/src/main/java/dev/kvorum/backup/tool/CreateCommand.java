package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code create}. */
@Command(
    name = "create",
    description = {
      "Makes a backup of a running cluster.",
      "It has every write that a majority of replicas had acknowledged before it began. Nodes upload"
          + " their files themselves; those that the store has already are not uploaded again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CreateCommand extends ArchiveCommand {
  /** A restart takes about as long. */
  private static final Duration SILENT_MAX = Duration.ofSeconds(10);

  @Mixin private final NodesOption option = new NodesOption();

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "id of the backup, such as 20261128T181239Z-0a1b2c3d; default: a new one. A command that"
              + " ended is repeated with the same id: a complete backup is only reported")
  private @Nullable String wantedId;

  @Mixin private final SeriesOption series = new SeriesOption();
  @Mixin private final ReportOption reportOption = new ReportOption();

  /** The summary, which fits a container's termination message with any number of members. */
  private record Report(
      String id,
      String began,
      String ended,
      int parts,
      int members,
      List<Integer> covered,
      long bytes,
      long uploadedBytes) {
    static Report of(BackupManifest made) {
      return new Report(
          made.id(),
          made.began().toString(),
          made.ended().toString(),
          made.parts().size(),
          made.topology().size(),
          made.covered(),
          made.bytes(),
          made.uploadedBytes());
    }
  }

  CreateCommand() {}

  @Override
  int run(Archive archive) throws IOException, InterruptedException {
    Nodes nodes = option.nodes();
    String id = id();
    Optional<String> ofSeries = series.name();
    List<NodeState> states = nodes.connect(err());
    Creation creation = new Creation(archive, states, ofSeries);
    creation.check();
    Optional<BackupManifest> complete = creation.made(id);
    if (complete.isPresent()) {
      report(complete.get());
      return 0;
    }
    List<MemberOrder> orders = new ArrayList<>();
    for (NodeState state : states) {
      Map<String, Object> order = nodes.order(store(), state.node());
      order.put("epoch", state.epoch());
      orders.add(new MemberOrder(state, id, order, SILENT_MAX));
    }
    Thread cancelling = new Thread(() -> orders.forEach(MemberOrder::cancel));
    Runtime.getRuntime().addShutdownHook(cancelling);
    try {
      carryOut(nodes, orders, creation);
      BackupManifest made = creation.complete(id);
      for (MemberOrder order : orders) {
        order.completed(made.began().toString());
      }
      report(made);
    } catch (RuntimeException | IOException | InterruptedException e) {
      orders.forEach(MemberOrder::cancel);
      throw e;
    } finally {
      Runtime.getRuntime().removeShutdownHook(cancelling);
    }
    return 0;
  }

  private String id() {
    if (wantedId == null) {
      return BackupNames.newId(Instant.now(), new SecureRandom().nextInt());
    }
    if (!BackupNames.isId(wantedId)) {
      throw KvorumBackup.wrong(
          "--id is '" + wantedId + "'; it must be like 20261128T181239Z-0a1b2c3d");
    }
    return wantedId;
  }

  /** Returns once each member has made its part, or those that have are enough. */
  private void carryOut(Nodes nodes, List<MemberOrder> orders, Creation creation)
      throws InterruptedException {
    long deadline = nodes.deadline();
    while (!orders.stream().allMatch(MemberOrder::isOver)) {
      boolean isLate = Nodes.isPast(deadline);
      boolean hasFailed = false;
      for (MemberOrder order : orders) {
        if (!order.isOver()) {
          if (isLate) {
            order.giveUp(nodes.timeout());
          } else {
            order.advance();
            order.giveUpIfLeft(orders);
          }
          String failure = order.failure();
          if (failure != null) {
            err().println(failure);
            hasFailed = true;
          }
        }
      }
      if (hasFailed) {
        checkLeft(orders, creation);
      }
      Nodes.pause();
    }
  }

  private static void checkLeft(List<MemberOrder> orders, Creation creation) {
    List<String> left =
        orders.stream().filter(one -> one.failure() == null).map(MemberOrder::member).toList();
    if (!creation.areEnough(left)) {
      throw KvorumBackup.failed(
          "too few members can make their part: a majority of the replicas of each slot is needed,"
              + " there are "
              + left);
    }
  }

  private void report(BackupManifest made) throws IOException {
    reportOption.write(Report.of(made));
    out()
        .println(
            "Backup "
                + made.id()
                + " of "
                + made.clusterName()
                + ": "
                + made.parts().size()
                + " of "
                + made.topology().size()
                + " members, "
                + made.bytes()
                + " bytes, "
                + made.uploadedBytes()
                + " uploaded");
    if (made.covered().size() < made.topology().size()) {
      err()
          .println(
              "It has all acknowledged writes with from="
                  + made.covered()
                  + " only, since members are missing");
    }
  }
}

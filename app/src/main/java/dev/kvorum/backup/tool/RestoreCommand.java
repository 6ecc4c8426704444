package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.MemberManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code restore}. */
@Command(
    name = "restore",
    description = {
      "Restores a backup into an empty cluster of any size.",
      "Its nodes answer 503 to clients until all records, with their versions, tombstones and times to"
          + " live, are stored at all of their owners. A restore that was interrupted goes on when it is"
          + " started again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestoreCommand extends ArchiveCommand {
  @Mixin private final BackupOption backup = new BackupOption();
  @Mixin private final NodesOption nodes = new NodesOption();

  RestoreCommand() {}

  @Override
  int run(Archive archive) throws IOException, InterruptedException {
    BackupManifest manifest = backup.of(archive);
    List<MemberManifest> parts = archive.parts(manifest);
    List<Missing> missing = archive.missing(manifest.cluster(), Archive.files(parts));
    if (!missing.isEmpty()) {
      throw KvorumBackup.failed("the backup is damaged: " + missing.getFirst());
    }
    List<NodeState> states = nodes.connect(err());
    check(manifest, states);
    List<MemberRestore> members = members(manifest, parts, states);
    long deadline = nodes.deadline();
    prepare(members, manifest, deadline);
    for (MemberRestore member : members) {
      member.start();
    }
    while (!members.stream().allMatch(MemberRestore::isDone)) {
      for (MemberRestore member : members) {
        if (!member.isDone()) {
          tell(member);
        }
      }
      nodes.pause(deadline);
    }
    for (MemberRestore member : members) {
      while (!member.finish()) {
        nodes.pause(deadline);
      }
    }
    out()
        .println(
            "Backup "
                + manifest.id()
                + " is restored: "
                + members.stream().mapToLong(MemberRestore::records).sum()
                + " records of "
                + parts.size()
                + " members, "
                + members.stream().mapToLong(MemberRestore::bytes).sum()
                + " bytes");
    return 0;
  }

  private void tell(MemberRestore member) throws IOException, InterruptedException {
    String before = member.message();
    member.advance();
    if (!member.message().isEmpty() && !member.message().equals(before)) {
      err().println(member.name() + ": " + member.message());
    }
  }

  private static void check(BackupManifest manifest, List<NodeState> states) {
    NodeState.check(states);
    NodeState first = states.getFirst();
    for (NodeState state : states) {
      if (!state.features().containsAll(manifest.features())) {
        throw KvorumBackup.failed(
            state.name()
                + " has the features "
                + state.features()
                + ", the backup needs "
                + manifest.features()
                + ": restore it into a newer release");
      }
    }
    List<String> names = states.stream().map(NodeState::name).sorted().toList();
    List<String> all = first.members().stream().map(BackupManifest.Zoned::name).sorted().toList();
    if (!names.equals(all)) {
      throw KvorumBackup.failed(
          "all members are needed to store the records; there are " + names + " of " + all);
    }
  }

  private List<MemberRestore> members(
      BackupManifest manifest, List<MemberManifest> parts, List<NodeState> states) {
    List<NodeState> nodesByName =
        states.stream().sorted(Comparator.comparing(NodeState::name)).toList();
    List<String> sources = parts.stream().map(MemberManifest::member).sorted().toList();
    List<MemberRestore> members = new ArrayList<>();
    for (int i = 0; i < nodesByName.size(); i++) {
      int number = i;
      List<String> own =
          IntStream.range(0, sources.size())
              .filter(source -> source % nodesByName.size() == number)
              .mapToObj(sources::get)
              .toList();
      NodeState state = nodesByName.get(i);
      Map<String, Object> order = nodes.order(option(), state.node());
      order.put("cluster", manifest.cluster());
      members.add(new MemberRestore(state, manifest.id(), own, order));
    }
    return members;
  }

  /** Prepares all nodes, or none if it is a new restore. */
  private void prepare(List<MemberRestore> members, BackupManifest manifest, long deadline)
      throws IOException, InterruptedException {
    boolean isNew = true;
    for (MemberRestore member : members) {
      isNew &= member.current().isEmpty();
    }
    try {
      for (MemberRestore member : members) {
        while (!member.prepare(manifest.newestStamp())) {
          nodes.pause(deadline);
        }
      }
    } catch (IOException e) {
      if (isNew) {
        // They are empty still.
        members.forEach(MemberRestore::undo);
      }
      throw e;
    }
  }
}

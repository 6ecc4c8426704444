package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.MemberManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The restore of a backup by nodes. */
final class Restoration {
  private final Archive archive;
  private final BackupManifest manifest;
  private final StoreOption store;
  private final Nodes nodes;
  private final PrintWriter err;
  private List<MemberRestore> members = List.of();

  /**
   * A restore.
   *
   * @param err gets what nodes wait for
   */
  Restoration(
      Archive archive, BackupManifest manifest, StoreOption store, Nodes nodes, PrintWriter err) {
    this.archive = archive;
    this.manifest = manifest;
    this.store = store;
    this.nodes = nodes;
    this.err = err;
  }

  /** Returns once all records are stored at all of their owners, and nodes serve clients. */
  void run() throws IOException, InterruptedException {
    List<MemberManifest> parts = archive.parts(manifest);
    List<Missing> missing = archive.missing(manifest.cluster(), Archive.files(parts));
    if (!missing.isEmpty()) {
      throw KvorumBackup.failed("the backup is damaged: " + missing.getFirst());
    }
    List<NodeState> states = nodes.connect(err);
    check(states);
    members = members(parts, states);
    long deadline = nodes.deadline();
    prepare(deadline);
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
  }

  /** What was restored. */
  String done() {
    return members.stream().mapToLong(MemberRestore::records).sum()
        + " records of "
        + manifest.parts().size()
        + " members, "
        + members.stream().mapToLong(MemberRestore::bytes).sum()
        + " bytes";
  }

  private void tell(MemberRestore member) throws IOException, InterruptedException {
    String before = member.message();
    member.advance();
    if (!member.message().isEmpty() && !member.message().equals(before)) {
      err.println(member.name() + ": " + member.message());
    }
  }

  private void check(List<NodeState> states) {
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

  private List<MemberRestore> members(List<MemberManifest> parts, List<NodeState> states) {
    List<NodeState> nodesByName =
        states.stream().sorted(Comparator.comparing(NodeState::name)).toList();
    List<String> sources = parts.stream().map(MemberManifest::member).sorted().toList();
    List<MemberRestore> all = new ArrayList<>();
    for (int i = 0; i < nodesByName.size(); i++) {
      int number = i;
      List<String> own =
          IntStream.range(0, sources.size())
              .filter(source -> source % nodesByName.size() == number)
              .mapToObj(sources::get)
              .toList();
      NodeState state = nodesByName.get(i);
      Map<String, Object> order = nodes.order(store, state.node());
      order.put("cluster", manifest.cluster());
      all.add(new MemberRestore(state, manifest.id(), own, order));
    }
    return all;
  }

  /** Prepares all nodes, or none if it is a new restore. */
  private void prepare(long deadline) throws IOException, InterruptedException {
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

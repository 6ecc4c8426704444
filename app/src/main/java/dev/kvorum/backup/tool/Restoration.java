package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Archive.Missing;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.MemberManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The restore of a backup by nodes. */
final class Restoration {
  private static final Duration SILENT_MAX = Duration.ofMinutes(2);

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

  /** Returns once all records are stored, and nodes serve clients. */
  void run() throws IOException, InterruptedException {
    List<MemberManifest> parts = archive.parts(manifest);
    List<Missing> missing = archive.missing(manifest.cluster(), Archive.files(parts));
    if (!missing.isEmpty()) {
      throw KvorumBackup.failed("the backup is damaged: " + missing.getFirst());
    }
    long deadline = nodes.deadline();
    List<NodeState> states = connect(deadline);
    check(states);
    members = members(parts, states);
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

  /** Waits for nodes that do not respond, as after a restart; no longer than that may take. */
  private List<NodeState> connect(long deadline) throws IOException, InterruptedException {
    long patience = System.nanoTime() + SILENT_MAX.toNanos();
    List<NodeState> states = nodes.connect(err);
    while (states.size() < nodes.addresses().size()
        && !Nodes.isPast(patience)
        && !Nodes.isPast(deadline)) {
      Nodes.pause();
      states = nodes.connect(new PrintWriter(Writer.nullWriter()));
    }
    return states;
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
    List<String> sources = parts.stream().map(MemberManifest::member).toList();
    List<String> names = states.stream().map(NodeState::name).toList();
    Map<String, List<String>> sourcesByNode = assigned(sources, names);
    List<MemberRestore> all = new ArrayList<>();
    for (NodeState state : states) {
      Map<String, Object> order = nodes.order(store, state.node());
      order.put("cluster", manifest.cluster());
      all.add(
          new MemberRestore(
              state, manifest.id(), sourcesByNode.getOrDefault(state.name(), List.of()), order));
    }
    return all;
  }

  /**
   * Which sources each node restores: the one of its own name, whose records it may keep; the
   * others go to those that have the fewest. The same for the same names.
   */
  static Map<String, List<String>> assigned(List<String> sources, List<String> nodes) {
    Map<String, List<String>> assigned = new TreeMap<>();
    nodes.forEach(node -> assigned.put(node, new ArrayList<>()));
    sources.stream()
        .filter(nodes::contains)
        .forEach(own -> assigned.put(own, new ArrayList<>(List.of(own))));
    sources.stream()
        .filter(source -> !nodes.contains(source))
        .sorted()
        .forEach(source ->
            Collections.min(assigned.values(), Comparator.comparingInt(List::size)).add(source));
    return assigned;
  }

  /**
   * Prepares all nodes, or none if it is a new restore. Those that the topology has prepared stay
   * so, and those that have finished this restore are done.
   */
  private void prepare(long deadline) throws IOException, InterruptedException {
    boolean isNew = true;
    for (MemberRestore member : members) {
      isNew &= !member.hasBegun();
      if (member.isFinished()) {
        err.println(member.name() + ": has finished this restore before");
      }
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

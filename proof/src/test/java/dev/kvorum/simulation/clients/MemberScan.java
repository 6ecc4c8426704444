package dev.kvorum.simulation.clients;

import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.storage.ScanLimits;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One scan of all records of a member, page by page, through another one. */
final class MemberScan {
  private static final ScanLimits PAGE = new ScanLimits(2, 1 << 16);

  private final SimCluster cluster;
  private final SimProcess process;
  private final SimNode target;
  private final BooleanSupplier isOver;
  private final RangeReader reader;

  /**
   * A scan that begins now.
   *
   * @param process which asks
   * @param isOver whether its caller has stopped waiting
   */
  MemberScan(SimCluster cluster, SimProcess process, SimNode target, BooleanSupplier isOver) {
    this.cluster = cluster;
    this.process = process;
    this.target = target;
    this.isOver = isOver;
    this.reader =
        new RangeReader(
            cluster.invariants,
            target.id.name(),
            KeyRange.ALL,
            () -> new TreeSet<>(target.disk.written().records.keySet()));
  }

  /**
   * Asks for the first page.
   *
   * @param end receives how the scan ended
   */
  void begin(Consumer<String> end) {
    page(KeyRange.ALL, end);
  }

  private void page(KeyRange rest, Consumer<String> end) {
    process
        .replicas()
        .ask(
            target.id,
            new ReplicaRequest.Scan(rest, KeyOrder.ASCENDING, PAGE),
            cluster.time.nanoTime() + 1_000_000_000L,
            reply -> {
              if (!(reply instanceof ReplicaReply.Page page) || isOver.getAsBoolean()) {
                end.accept("ScanFailed");
                return;
              }
              reader.page(page.records().stream().map(Mutation::key).toList(), page.next());
              page.next()
                  .ifPresentOrElse(
                      last -> page(rest.after(last), end), () -> end.accept("Scanned"));
            });
  }
}

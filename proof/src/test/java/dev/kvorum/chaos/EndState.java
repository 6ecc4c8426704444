package dev.kvorum.chaos;

import dev.kvorum.blackbox.Cluster;
import dev.kvorum.chaos.history.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * A check of all copies of all keys once the faults and writes have ended.
 *
 * <p>The seam for what the nodes offer: where they list their own records, copies are compared
 * directly; else only what clients read at every node.
 */
interface EndState {

  /** The strictest check that these nodes support. */
  static EndState of(Cluster cluster, ChaosSettings settings, Recorder recorder) {
    EndState reads = new QuorumReads(cluster, settings, recorder);
    return OwnRecords.areListed(cluster)
        ? new Both(new OwnRecords(cluster, settings), reads)
        : reads;
  }

  /** What is looked at, for the report. */
  String what();

  /** Every difference. */
  List<Violation> differences();

  /** The nodes' own records, and then, for reads repair, what clients see. */
  record Both(EndState first, EndState second) implements EndState {
    @Override
    public String what() {
      return first.what() + "; " + second.what();
    }

    @Override
    public List<Violation> differences() {
      List<Violation> all = new ArrayList<>(first.differences());
      all.addAll(second.differences());
      return all;
    }
  }
}

package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;

/**
 * Request from one replica to another in order to become equal to it. A replica always pulls. It
 * uses a reply only while it waits for it, and never accepts unrequested data.
 */
public sealed interface RepairRequest extends ReplicaRequest {
  /**
   * Requests the member's status; the reply is {@link RepairReply.Status}.
   *
   * @param asker the requester
   * @param life number of the requester's store
   */
  record AskStatus(MemberId asker, long life) implements RepairRequest {}

  /**
   * Requests complete records that {@code keeper} has to keep, in key order, behind {@code after}.
   * The reply is {@link ReplicaReply.Page}; an empty page need not be the last one.
   */
  record Copy(MemberId keeper, Optional<Key> after) implements RepairRequest {}

  /**
   * Requests digests of the records that both members have to keep. The reply is {@link
   * RepairReply.Digests}, one for each child of each node; with {@code not-ready} while the trees
   * are being built; or by {@link RepairReply.CutMoved} if they are at a newer cut.
   *
   * @param cut records with newer stamps are left out
   * @param level level of the nodes: 0 for the root, whose children are the slots; 1 for slots; 2
   *     for the nodes whose children are leaves
   * @param nodes numbers within their level
   */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record CompareDigests(MemberId puller, long cut, int level, int[] nodes)
      implements RepairRequest {}

  /**
   * Registers parts of the trees for {@link ListWanted}; the reply is {@link RepairReply.Done}.
   *
   * @param level level of the parts: 1 for slots, 2 for nodes, 3 for leaves
   * @param parts numbers within their level
   */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record WantLeaves(MemberId puller, long cut, int level, int[] parts) implements RepairRequest {}

  /**
   * Requests the versions in the registered parts, behind {@code after}. The reply is {@link
   * RepairReply.Listed}, or with {@code not-ready} if no parts are registered.
   */
  record ListWanted(MemberId puller, long cut, Optional<Key> after) implements RepairRequest {}

  /**
   * Reports that {@code puller} has all records that the receiver had with stamps up to {@code
   * cut}. The reply is {@link RepairReply.Done} once this is durable.
   */
  record Pulled(MemberId puller, long cut) implements RepairRequest {}

  /**
   * Asks in which of these ranges the member has each record that it ever acknowledged. The reply
   * is {@link RepairReply.Certain}, or with {@code not-ready} by a member that has not yet read its
   * corrupted store.
   */
  record AskCertain(List<KeyRange> ranges) implements RepairRequest {}
}

package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;

/**
 * What a replica requests from another to become equal to it. It always pulls: a reply is valid
 * only while it waits for it, and unrequested data is never accepted.
 */
public sealed interface SyncRequest extends ReplicaRequest {
  /**
   * Where do you stand? Answered by {@link SyncReply.Status}.
   *
   * @param asker who asks
   * @param life of the asker's store
   */
  record AskStatus(MemberId asker, long life) implements SyncRequest {}

  /**
   * Send complete records that {@code keeper} has to keep, in the order of keys, behind {@code
   * after}; answered by {@link ReplicaReply.Page}, whose page may be empty without being the last.
   */
  record Copy(MemberId keeper, Optional<Key> after) implements SyncRequest {}

  /**
   * Send digests of what both have to keep; answered by {@link SyncReply.Digests}, one for each
   * child of each node, with {@code not-ready} while the trees are being built, or by {@link
   * SyncReply.Elsewhere} when they are at a newer cut.
   *
   * @param cut records with newer stamps are left out
   * @param level of the nodes: 0 for the root of all slots, whose children are the slots; 1 for
   *     slots; 2 for the nodes whose children are leaves
   * @param nodes numbers within their level
   */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record CompareDigests(MemberId puller, long cut, int level, int[] nodes) implements SyncRequest {}

  /**
   * Remember these parts of the trees for {@link ListWanted}; answered by {@link SyncReply.Done}.
   *
   * @param level of the parts: 1 for slots, 2 for nodes, 3 for leaves
   * @param parts numbers within their level
   */
  @SuppressWarnings("ArrayRecordComponent") // thousands of numbers, never compared
  record WantLeaves(MemberId puller, long cut, int level, int[] parts) implements SyncRequest {}

  /**
   * Name what you hold in the wanted parts, behind {@code after}; answered by {@link
   * SyncReply.Listed}, or with {@code not-ready} when nothing is known to be wanted.
   */
  record ListWanted(MemberId puller, long cut, Optional<Key> after) implements SyncRequest {}

  /**
   * Record that {@code puller} holds all that the receiver held with stamps up to {@code cut};
   * answered by {@link SyncReply.Done} once that is durable.
   */
  record Pulled(MemberId puller, long cut) implements SyncRequest {}

  /**
   * Asks in which of these ranges the member has each record that it ever acknowledged. Answered by
   * {@link SyncReply.Certain}, or with {@code not-ready} by a member that has not yet read its
   * corrupted store.
   */
  record AskCertain(List<KeyRange> ranges) implements SyncRequest {}
}

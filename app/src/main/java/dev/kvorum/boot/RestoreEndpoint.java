package dev.kvorum.boot;

import dev.kvorum.backup.objectstore.NodeSecrets;
import dev.kvorum.backup.objectstore.StoreAccess;
import dev.kvorum.backup.objectstore.StoreUrl;
import dev.kvorum.backup.restore.NodeRestore;
import dev.kvorum.backup.restore.RestoreOrder;
import dev.kvorum.backup.restore.RestoreStatus;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** {@code /actuator/restore}: this node's part in the restore of a backup. */
@Endpoint(id = "restore")
public class RestoreEndpoint {
  private final NodeRestore restore;
  private final NodeSecrets secrets;

  RestoreEndpoint(NodeRestore restore, NodeSecrets secrets) {
    this.restore = restore;
    this.secrets = secrets;
  }

  /** Returns how far this node is. */
  @ReadOperation
  public Map<String, Object> state() {
    RestoreStatus status = restore.status();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", status.id());
    state.put("phase", status.phase().label());
    state.put("message", status.message());
    state.put("done", status.done());
    state.put("records", status.records());
    state.put("bytes", status.bytes());
    state.put("finished", status.finished());
    return state;
  }

  /**
   * Prepares this node for a backup, so that it serves no clients, or orders it to restore parts of
   * one that it is prepared for.
   *
   * @param id of the backup
   * @param newestStamp to prepare it: the newest stamp in the backup
   * @param cluster id of the cluster that was backed up
   * @param sources members of that cluster, separated by commas
   * @param store URL of the object store
   * @param accessKeyId of the object store; absent: that of this node
   * @param encryptionKey encrypts all objects; absent, as its id: none is encrypted
   * @param encryptionKeyId the id of this node's key, which encrypts all objects
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> order(
      @Selector String id,
      @Nullable Long newestStamp,
      @Nullable String cluster,
      @Nullable String sources,
      @Nullable String store,
      @Nullable String accessKeyId,
      @Nullable String secretAccessKey,
      @Nullable String sessionToken,
      @Nullable String encryptionKey,
      @Nullable String encryptionKeyId)
      throws IOException {
    try {
      if (newestStamp != null) {
        restore.prepare(id, newestStamp);
      } else if (cluster == null || sources == null || store == null) {
        throw new IllegalArgumentException(
            "an order has the field newestStamp, or cluster, sources and store");
      } else {
        StoreAccess access =
            secrets.access(
                StoreUrl.parse(store),
                accessKeyId,
                secretAccessKey,
                sessionToken,
                encryptionKey,
                encryptionKeyId);
        restore.restore(new RestoreOrder(cluster, id, List.of(sources.split(",", -1)), access));
      }
      return new WebEndpointResponse<>(state());
    } catch (IllegalArgumentException e) {
      return BackupEndpoint.rejected(400, e);
    } catch (IllegalStateException e) {
      return BackupEndpoint.rejected(409, e);
    }
  }

  /**
   * Serves clients again, once all parts are restored.
   *
   * @param undo whether none was restored, and the node is only prepared
   */
  @DeleteOperation
  public WebEndpointResponse<Map<String, Object>> finish(
      @Selector String id, @Nullable Boolean undo) throws IOException {
    try {
      if (Boolean.TRUE.equals(undo)) {
        restore.undo(id);
      } else {
        restore.finish(id);
      }
      return new WebEndpointResponse<>(state());
    } catch (IllegalStateException e) {
      return BackupEndpoint.rejected(409, e);
    }
  }
}

package dev.kvorum.boot;

import dev.kvorum.backup.BackupOrder;
import dev.kvorum.backup.BackupStatus;
import dev.kvorum.backup.NodeBackups;
import dev.kvorum.backup.objectstore.NodeSecrets;
import dev.kvorum.backup.objectstore.StoreAccess;
import dev.kvorum.backup.objectstore.StoreUrl;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** {@code /actuator/backup}: this node's part in backups. */
@Endpoint(id = "backup")
public class BackupEndpoint {
  private final NodeBackups backups;
  private final NodeSecrets secrets;

  BackupEndpoint(NodeBackups backups, NodeSecrets secrets) {
    this.backups = backups;
    this.secrets = secrets;
  }

  /** Returns the current or last part of a backup; an empty object if there was none. */
  @ReadOperation
  public Map<String, Object> state() {
    return backups.status().map(BackupEndpoint::state).orElse(Map.of());
  }

  /**
   * Begins this node's part of a backup, or notes that the backup is complete.
   *
   * @param id of the backup
   * @param store URL of the object store
   * @param epoch epoch of the topology under which all checkpoints are made
   * @param accessKeyId of the object store; absent: that of this node
   * @param encryptionKey encrypts all objects; absent, as its id: none is encrypted
   * @param encryptionKeyId the id of this node's key, which encrypts all objects
   * @param began once the backup is complete, the time at which it began
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> order(
      @Selector String id,
      @Nullable String store,
      @Nullable Long epoch,
      @Nullable String accessKeyId,
      @Nullable String secretAccessKey,
      @Nullable String sessionToken,
      @Nullable String encryptionKey,
      @Nullable String encryptionKeyId,
      @Nullable String began) {
    try {
      if (began != null) {
        backups.completed(Instant.parse(began));
        return new WebEndpointResponse<>(state());
      }
      if (store == null || epoch == null) {
        throw new IllegalArgumentException("an order has the fields store and epoch");
      }
      StoreAccess access =
          secrets.access(
              StoreUrl.parse(store),
              accessKeyId,
              secretAccessKey,
              sessionToken,
              encryptionKey,
              encryptionKeyId);
      BackupOrder order = new BackupOrder(id, epoch, access);
      return new WebEndpointResponse<>(state(backups.start(order)));
    } catch (IllegalArgumentException | DateTimeException e) {
      return rejected(400, e);
    } catch (IllegalStateException e) {
      return rejected(409, e);
    }
  }

  /** Cancels this node's part of a backup, if it is running. */
  @DeleteOperation
  public Map<String, Object> cancel(@Selector String id) {
    return Map.of("cancelled", backups.cancel(id));
  }

  static WebEndpointResponse<Map<String, Object>> rejected(int status, RuntimeException why) {
    return new WebEndpointResponse<>(Map.of("message", String.valueOf(why.getMessage())), status);
  }

  private static Map<String, Object> state(BackupStatus status) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("id", status.id());
    state.put("phase", status.phase().label());
    state.put("message", status.message());
    state.put("bytes", status.bytes());
    state.put("doneBytes", status.doneBytes());
    state.put("uploadedBytes", status.uploadedBytes());
    state.put("pinnedBytes", status.pinnedBytes());
    return state;
  }
}

package dev.kvorum.metrics;

import org.jspecify.annotations.Nullable;

/** Numbers of the node that are polled at each scrape. */
public enum PolledMeter {
  CONNECTIONS("connections", null, "open client connections"),
  ADMISSION_LIMIT("admission.limit", null, "concurrent requests admitted, by kind"),
  ADMISSION_IN_FLIGHT("admission.in.flight", null, "requests in flight, by kind"),
  ADMISSION_BYTES("admission", "bytes", "memory used by values of requests in flight"),
  ADMISSION_LIMIT_BYTES("admission.limit.bytes", null, "limit of that memory"),
  TLS_EXPIRY(
      "tls.certificate.expiry.timestamp", "seconds", "Unix time at which the certificate expires"),
  TLS_FILES_REJECTED("tls.files.rejected", null, "1 while the files for TLS cannot be used"),
  TLS_RELOADS("tls.reloads", null, "certificates replaced while the node ran", true),
  TLS_FAILED("tls.handshakes.failed", null, "TLS handshakes that failed", true),
  TLS_REJECTED("tls.handshakes.rejected", null, "TLS handshakes rejected", true),
  TLS_PLAIN_PEERS("tls.peer.connections.plain", null, "plain connections that peers have made"),
  AUTH_USERS("auth.users", null, "users that may send requests"),
  AUTH_FILE_REJECTED("auth.file.rejected", null, "1 while the file of users cannot be used"),
  AUTH_RELOADS("auth.reloads", null, "users replaced while the node ran", true),
  AUTH_LIMITED("auth.limited", null, "requests over a limit of their user, by limit", true),
  AUTH_TOKENS("auth.tokens", null, "tokens of ServiceAccounts checked, by result", true),
  AUDIT_RECORDS("audit.records", null, "records written to the audit log", true),
  AUDIT_DROPPED("audit.dropped", null, "records that are not in the audit log, by reason", true),
  RANGE_STREAMS("range.streams", null, "range reads in flight"),
  BACKUP_COMPLETED(
      "backup.completed.timestamp", "seconds", "Unix time at which the last complete backup began"),
  BACKUP_UPLOADED("backup.uploaded", "bytes", "bytes of files uploaded for backups", true),
  BACKUP_REUSED("backup.reused", "bytes", "bytes of files that object stores had already", true),
  BACKUP_PINNED("backup.pinned", "bytes", "bytes of deleted files that a checkpoint keeps"),
  BACKUP_FAILED("backup.failed", null, "parts of backups that failed, by reason", true),
  HINT_BYTES("hints", "bytes", "bytes of all stored hints"),
  HINTS_LIMIT_BYTES("hints.limit.bytes", null, "limit of the bytes of stored hints"),
  SLOTS_NEVER_COMPARED("repair.slots.never.compared", null, "slots not compared with all replicas"),
  OLDEST_COMPARISON("repair.oldest.comparison.age", "seconds", "age of the oldest comparison"),
  REBUILDING("repair.rebuilding", null, "1 while this node rebuilds an empty store"),
  LOST_RANGES("lost.ranges", null, "key ranges of which acknowledged records are lost for good"),
  FENCED(
      "fenced", null, "1 while peers reject this process because of another process of its member"),
  EPOCH("topology.epoch", null, "the topology epoch that this node applies"),
  MEMBERS("topology.members", null, "members by state"),
  CHANGING("topology.changing", null, "1 while members join or leave"),
  TOPOLOGY_AGE(
      "topology.age", "seconds", "time since the last contact with the source of the topology"),
  SLOTS("topology.slots", null, "slots replicated on this node"),
  TRANSFER_SOURCES("transfer.sources", null, "members from which this node streams records"),
  TRANSFER_SOURCES_DONE("transfer.sources.done", null, "of which verified as complete"),
  CLOCK_AHEAD("clock.ahead", "seconds", "how far the hybrid clock runs ahead of the machine's"),
  CLOCK_OFFSET("clock.offset", "seconds", "how far the machine's clock is ahead of its peers'"),
  CLOCK_AHEAD_MAX("clock.ahead.max", "seconds", "how far a version may be ahead of it"),
  SPANS("tracing.spans", null, "spans recorded", true),
  SPANS_EXPORTED("tracing.spans.exported", null, "of which the collector accepted", true),
  SPANS_REJECTED("tracing.spans.rejected", null, "of which the collector did not accept", true),
  QUEUED_WRITES("store.queued.writes", null, "writes queued for the writer thread"),
  STORE_FAILED("store.failed", null, "1 while the store rejects writes"),
  STORE_REOPENED("store.reopened", null, "times the store was opened again after I/O errors", true),
  STORE_CORRUPTED("store.corrupted", null, "1 while a corrupted store is kept for salvage"),
  MISMATCHES("checksum.mismatches", null, "records that did not match their checksums", true),
  MISMATCHES_LOST("checksum.lost", null, "stored records without an intact copy on any replica"),
  RECORDS("store.records", null, "records, tombstones among them, estimated"),
  TABLE_BYTES("store", "bytes", "bytes of table files"),
  LIVE_BYTES("store.live", "bytes", "of tables and blob files, live data, estimated"),
  BLOB_FILES("store.blob.files", null, "blob files"),
  BLOB_BYTES("store.blob", "bytes", "bytes of blob files"),
  BLOB_GARBAGE("store.blob.garbage", "bytes", "of which overwritten or removed records"),
  BLOB_GARBAGE_MAX(
      "store.blob.garbage.limit.bytes", null, "garbage from which it is collected at full speed"),
  BLOB_MOVED(
      "store.blob.moved",
      "bytes",
      "bytes of records moved to other files to collect garbage",
      true),
  WAL_BYTES("store.wal", "bytes", "bytes of write-ahead logs"),
  MEMTABLE_BYTES("store.memtable", "bytes", "memory of write buffers"),
  CACHE_BYTES("store.cache", "bytes", "block cache in use, write buffers included"),
  CACHE_LIMIT_BYTES("store.cache.limit.bytes", null, "capacity of the block cache"),
  CACHE_HITS("store.cache.hits", null, "blocks found in the cache", true),
  CACHE_MISSES("store.cache.misses", null, "blocks read from disk", true),
  VERSION_CACHE_HITS("store.version.cache.hits", null, "versions found in the version cache", true),
  VERSION_CACHE_MISSES(
      "store.version.cache.misses", null, "versions looked up in the database", true),
  LEVEL_FILES("store.level.files", null, "table files of a level"),
  FLUSHED("store.flush", "bytes", "bytes written by flushes", true),
  COMPACTION_READ("store.compaction.read", "bytes", "bytes read by compactions", true),
  COMPACTION_WRITTEN("store.compaction.written", "bytes", "bytes written by compactions", true),
  COMPACTION_PENDING("store.compaction.pending", "bytes", "bytes pending compaction"),
  STALLED("store.stall", "seconds", "time that writes were stalled", true),
  BACKGROUND_ERRORS("store.background.errors", null, "errors of flushes and compactions"),
  DISK_FREE("disk.free", "bytes", "free space of the data directory's file system"),
  DISK_TOTAL("disk.total", "bytes", "its size"),
  DISK_FREE_MIN("disk.free.min", "bytes", "free space below which PUT is rejected"),
  MEMORY_LIMIT("memory.limit", "bytes", "the pod's memory limit, or the machine's memory"),
  MEMORY_USED("memory.used", "bytes", "memory counted against it, without what can be dropped"),
  MEMORY_RESIDENT("memory.resident", "bytes", "resident memory of this process"),
  CPU_THROTTLED("cpu.throttled", "seconds", "time throttled by the CPU limit", true),
  CPU_PERIODS("cpu.periods", null, "scheduling periods in which it was runnable", true),
  CPU_THROTTLED_PERIODS("cpu.throttled.periods", null, "of which throttled", true),
  NETTY_MEMORY("netty.memory", "bytes", "memory of Netty's allocator"),
  BUILD("build.info", null, "1"),
  FEATURE_ACTIVE("feature.active", null, "1 if this node uses the feature");

  private final String meter;
  private final @Nullable String unit;
  private final String description;
  private final boolean grows;

  PolledMeter(String name, @Nullable String unit, String description) {
    this(name, unit, description, false);
  }

  PolledMeter(String name, @Nullable String unit, String description, boolean grows) {
    this.meter = "kvorum." + name;
    this.unit = unit;
    this.description = description;
    this.grows = grows;
  }

  String meter() {
    return meter;
  }

  @Nullable String unit() {
    return unit;
  }

  String description() {
    return description;
  }

  /**
   * Returns whether the number only grows during the life of the process, which makes it a counter.
   */
  boolean grows() {
    return grows;
  }
}

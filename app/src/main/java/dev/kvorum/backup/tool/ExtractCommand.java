package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Checkpoints;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.MemberManifest;
import dev.kvorum.config.KvorumProperties;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.TypedValue;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code extract}. */
@Command(
    name = "extract",
    description = {
      "Prints the records of a backup, one JSON object a line as of a range read.",
      "For values that were deleted or overwritten: `kvorum-backup extract --prefix=P` and `kv put`"
          + " write them again, with new versions. Records that had expired when the backup was made"
          + " are left out."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ExtractCommand extends ArchiveCommand {
  @Mixin private final BackupOption backup = new BackupOption();
  @Mixin private final WorkDirectoryOption workDirectory = new WorkDirectoryOption();

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "only keys that begin with it; default: all")
  private String prefix = "";

  ExtractCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    BackupManifest manifest = backup.of(archive);
    KeyRange range = prefix.isEmpty() ? KeyRange.ALL : KeyRange.ofPrefix(Key.of(prefix));
    Path work = workDirectory.create();
    Checkpoints files = new Checkpoints(work);
    try {
      List<Path> checkpoints = new ArrayList<>();
      for (MemberManifest part : archive.parts(manifest)) {
        checkpoints.add(files.fetch(archive.store(), part));
      }
      try (NewestRecords records = NewestRecords.of(checkpoints, settings(work), range)) {
        long ended = manifest.ended().toEpochMilli();
        for (Mutation next = records.next(); next != null; next = records.next()) {
          if (next.record().isLiveAt(ended)) {
            out().println(line(next));
          }
          if (out().checkError()) {
            throw new IOException("the output cannot be written");
          }
        }
      }
    } finally {
      files.clear();
    }
    return 0;
  }

  /** The defaults; a reader needs no more memory than a salvage. */
  private static StoreSettings settings(Path directory) {
    KvorumProperties defaults = KvorumProperties.defaults();
    return StoreSettings.of(directory, defaults.storage(), 0, Duration.ZERO);
  }

  private static String line(Mutation mutation) {
    Versioned record = mutation.record();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("key", new String(mutation.key().bytes(), StandardCharsets.UTF_8));
    line.put(
        "value",
        StandardCharsets.US_ASCII
            .decode(Base64.getEncoder().encode(TypedValue.content(record)))
            .toString());
    line.put("version", record.version().toString());
    String type = TypedValue.typeOf(record);
    if (!type.isEmpty()) {
      line.put("type", type);
    }
    if (record.expiresAtMillis() != Versioned.NEVER) {
      line.put("expires", record.expiresAtMillis());
    }
    return JsonMapper.shared().writeValueAsString(line);
  }
}

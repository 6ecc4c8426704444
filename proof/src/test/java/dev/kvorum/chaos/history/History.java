package dev.kvorum.chaos.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that clients did in a run.
 *
 * @param startMillis Unix time at which the operations' nanoseconds begin
 * @param operations in any order
 */
public record History(long startMillis, List<Operation> operations) {
  private static final String HEAD =
      "client\tkind\tall\tkey\tvalue\tttl_ms\tversion\tnode\tskew_ms\tstart_ns\tend_ns\toutcome"
          + "\tstatus";

  /** Writes a line for each operation, fields parted by tabs. */
  public void write(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("# nanoseconds since Unix millisecond " + startMillis + "\n" + HEAD + "\n");
      for (Operation o : operations) {
        out.write(String.join("\t", o.client(), o.kind().name(), Boolean.toString(o.all())));
        out.write("\t" + o.key() + "\t" + o.value() + "\t" + o.ttlMillis() + "\t" + o.version());
        out.write("\t" + o.node() + "\t" + o.skewMillis() + "\t" + o.startNanos());
        out.write("\t" + o.endNanos() + "\t" + o.outcome() + "\t" + o.status() + "\n");
      }
    }
  }
}

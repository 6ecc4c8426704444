package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A frame has room for every record that may be stored. */
class FrameLimitTest {
  private static final Key LONGEST = Key.ofBytes(new byte[Key.BYTES_MAX]);
  private static final Versioned LARGEST =
      Versioned.live(
          new Version(Long.MAX_VALUE, Integer.MAX_VALUE),
          Long.MAX_VALUE,
          Versioned.FROM_MAX,
          new byte[Versioned.VALUE_BYTES_MAX]);

  @Test
  void takesAWriteOfTheLargestRecord() {
    assertThat(FrameBytes.of(new ReplicaRequest.Write(new Mutation(LONGEST, LARGEST))))
        .isLessThanOrEqualTo(FrameReader.BYTES_MAX);
  }

  @Test
  void takesAPageOfTheLargestRecordAndTheNextKey() {
    ReplicaReply page =
        new ReplicaReply.Page(List.of(new Mutation(LONGEST, LARGEST)), Optional.of(LONGEST));
    assertThat(FrameBytes.of(page)).isLessThanOrEqualTo(FrameReader.BYTES_MAX);
  }
}

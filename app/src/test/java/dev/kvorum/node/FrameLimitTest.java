package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.config.KvorumProperties.Limits;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.FrameBytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever may be stored can be carried to the others. */
class FrameLimitTest {
  private static final Key LONGEST = Key.ofBytes(new byte[Key.BYTES_MAX]);
  private static final Versioned LARGEST =
      Versioned.live(
          new Version(Long.MAX_VALUE, Integer.MAX_VALUE),
          Long.MAX_VALUE,
          Versioned.FROM_MAX,
          new byte[Limits.LEGAL_VALUE_BYTES_MAX]);

  private final int bytesMax =
      NodeSettings.of(LocalCluster.properties(Map.of())).rpc().frameBytesMax();

  @Test
  void takesAWriteOfTheLargestRecord() {
    assertThat(FrameBytes.of(new ReplicaRequest.Write(new Mutation(LONGEST, LARGEST))))
        .isLessThanOrEqualTo(bytesMax);
  }

  @Test
  void takesAPageOfTheLargestRecordAndTheNextKey() {
    ReplicaReply page =
        new ReplicaReply.Page(List.of(new Mutation(LONGEST, LARGEST)), Optional.of(LONGEST));
    assertThat(FrameBytes.of(page)).isLessThanOrEqualTo(bytesMax);
  }
}

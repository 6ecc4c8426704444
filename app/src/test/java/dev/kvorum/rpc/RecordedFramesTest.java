package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames of each protocol that this release has, as recorded when the protocol was new: kind,
 * fields and body. {@code -Dframes.write=true} writes those of the latest protocol.
 */
class RecordedFramesTest {
  private static final Path RECORDED = Path.of("src/test/resources/frames");
  private static final int LATEST = Release.CURRENT.protocols().max();

  /** The release whose handshakes were recorded with the latest protocol. */
  private static final Release RECORDER =
      new Release("0.1.0", new ProtocolRange(LATEST - 1, LATEST));

  private static final Map<Byte, String> KINDS = kinds();

  private static Map<Byte, String> kinds() {
    Map<Byte, String> kinds = new HashMap<>();
    for (Field kind : FrameKind.class.getDeclaredFields()) {
      try {
        kinds.put(kind.getByte(null), kind.getName());
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return kinds;
  }

  private static Handshake handshake(Release release) {
    MemberId speaker = new MemberId("kvorum-0");
    MemberId listener = new MemberId("kvorum-1");
    String members = SampleFrames.TOPOLOGY.names();
    return new Handshake(release, "c-1", speaker, listener, new ProcessId(-5, 9), 7, members, 2);
  }

  private static ByteBuf written(Handshake handshake) {
    ByteBuf out = Unpooled.buffer().writeByte(FrameKind.HELLO);
    handshake.write(out);
    return out;
  }

  private static ByteBuf written(ReplicaRequest request, int protocol) {
    FrameFields fields = FrameFields.of(request, protocol);
    ReplicaRequest body = fields.isEmpty() ? request : request.untraced();
    ByteBuf out = Unpooled.buffer().writeByte(fields.marked(ReplicaCodec.kindOf(body)));
    fields.write(out);
    ReplicaCodec.write(body, out);
    return out;
  }

  private static ByteBuf written(ReplicaReply reply) {
    ByteBuf out = Unpooled.buffer().writeByte(ReplicaCodec.kindOf(reply));
    ReplicaCodec.write(reply, out);
    return out;
  }

  private static List<String> requestsAndReplies(int protocol) {
    List<String> lines = new ArrayList<>();
    requests(protocol).forEach(request -> lines.add(line(written(request, protocol))));
    SampleFrames.replies().forEach(reply -> lines.add(line(written(reply))));
    return lines;
  }

  /** Those of later features need a protocol that has features. */
  private static List<ReplicaRequest> requests(int protocol) {
    return SampleFrames.requests().stream()
        .filter(
            request -> protocol > 3 || ReplicaCodec.kindOf(request) != FrameKind.SCAN_DESCENDING)
        .toList();
  }

  private static String line(ByteBuf frame) {
    return KINDS.get(FrameFields.kind(frame.getByte(0))) + ' ' + ByteBufUtil.hexDump(frame);
  }

  private static ByteBuf frame(String line) {
    return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(line.substring(line.indexOf(' ') + 1)));
  }

  private static List<String> recorded(int protocol) throws IOException {
    return Files.readAllLines(RECORDED.resolve(protocol + ".txt"));
  }

  @Test
  void framesOfTheLatestProtocolNeverChange() throws IOException {
    List<String> lines = new ArrayList<>(List.of(line(written(handshake(RECORDER)))));
    lines.addAll(requestsAndReplies(LATEST));
    if (Boolean.getBoolean("frames.write")) {
      Files.write(RECORDED.resolve(LATEST + ".txt"), lines);
    }
    assertThat(lines).isEqualTo(recorded(LATEST));
  }

  @Test
  void thoseForAPeerOfTheReleaseBeforeAreItsOwn() throws IOException {
    List<String> before = recorded(LATEST - 1);
    assertThat(requestsAndReplies(LATEST - 1)).isEqualTo(before.subList(1, before.size()));
  }

  @Test
  void aNodeOfTheReleaseBeforeReadsTheHandshake() throws IOException {
    // It expects its own version and the fields of its release, and ignores what follows.
    assertThat(line(written(handshake(RECORDER)))).startsWith(recorded(LATEST - 1).getFirst());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void recordedFramesAreRead(int ago) throws IOException, MalformedFrameException {
    int protocol = LATEST - ago;
    List<ReplicaRequest> requests = requests(protocol);
    List<ReplicaReply> replies = SampleFrames.replies();
    List<String> lines = recorded(protocol);
    assertThat(lines).hasSize(1 + requests.size() + replies.size());

    ByteBuf hello = frame(lines.getFirst()).skipBytes(1);
    assertThat(Handshake.read(hello).clusterId()).isEqualTo("c-1");
    assertThat(Handshake.read(frame(lines.getFirst()).skipBytes(1)).release().protocols().max())
        .isEqualTo(protocol);
    for (int i = 0; i < requests.size(); i++) {
      ByteBuf frame = frame(lines.get(1 + i));
      byte marked = frame.readByte();
      FrameFields fields = FrameFields.read(marked, frame);
      ReplicaRequest read = ReplicaCodec.readRequest(FrameFields.kind(marked), frame);
      assertThat(fields.complete(read)).usingRecursiveComparison().isEqualTo(requests.get(i));
      assertThat(frame.isReadable()).as(lines.get(1 + i)).isFalse();
    }
    for (int i = 0; i < replies.size(); i++) {
      ByteBuf frame = frame(lines.get(1 + requests.size() + i));
      ReplicaReply read = ReplicaCodec.readReply(frame.readByte(), frame);
      assertThat(read).usingRecursiveComparison().isEqualTo(replies.get(i));
      assertThat(frame.isReadable()).as(lines.get(1 + requests.size() + i)).isFalse();
    }
  }

  @Test
  void everyKindOfRequestAndReplyIsRecorded() throws IOException {
    Set<String> recorded = new HashSet<>();
    recorded(LATEST - 1).forEach(line -> recorded.add(line.substring(0, line.indexOf(' '))));
    recorded(LATEST).forEach(line -> recorded.add(line.substring(0, line.indexOf(' '))));
    Set<String> wanted = new HashSet<>(KINDS.values());
    wanted.removeAll(Arrays.asList("WELCOME", "REJECTED", "PING", "PONG", "CANCEL", "FENCED"));
    assertThat(recorded).isEqualTo(wanted);
  }
}

package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Version;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SyncCodecTest {
  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  private long number() {
    return random.nextLong() & Long.MAX_VALUE;
  }

  private Key key() {
    byte[] bytes = new byte[1 + random.nextInt(random.nextInt(5) == 0 ? Key.BYTES_MAX : 6)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(9) == 0 ? random.nextInt() : 'a');
    }
    return Key.ofBytes(bytes);
  }

  private Optional<Key> maybeKey() {
    return random.nextBoolean() ? Optional.of(key()) : Optional.empty();
  }

  private SyncRequest randomRequest() {
    MemberId member = new MemberId("kvorum-" + random.nextInt(1000));
    int[] numbers = random.ints(random.nextInt(20)).toArray();
    return switch (random.nextInt(7)) {
      case 0 -> new SyncRequest.AskStatus(member, number());
      case 1 -> new SyncRequest.Copy(member, maybeKey());
      case 2 -> new SyncRequest.CompareDigests(member, number(), random.nextInt(3), numbers);
      case 3 -> new SyncRequest.WantLeaves(member, number(), random.nextInt(4), numbers);
      case 4 -> new SyncRequest.ListWanted(member, number(), maybeKey());
      case 5 ->
          new SyncRequest.AskCertain(
              List.of(KeyRange.only(key()), new KeyRange(maybeKey(), false, maybeKey())));
      default -> new SyncRequest.Pulled(member, number());
    };
  }

  private SyncReply randomReply() {
    return switch (random.nextInt(6)) {
      case 0 ->
          new SyncReply.Status(
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              number(),
              number(),
              number());
      case 1 -> new SyncReply.Digests(random.ints(random.nextInt(50)).toArray());
      case 2 -> new SyncReply.CutMoved(number());
      case 4 -> new SyncReply.Certain(List.of(random.nextBoolean(), random.nextBoolean()));
      case 3 -> new SyncReply.Listed(held(), maybeKey());
      default -> SyncReply.Done.DONE;
    };
  }

  private List<Held> held() {
    TreeSet<Key> keys = new TreeSet<>();
    IntStream.range(0, random.nextInt(30)).forEach(i -> keys.add(key()));
    return keys.stream()
        .map(key ->
            new Held(
                key,
                new Version(number(), random.nextInt()),
                1 + random.nextInt(127),
                random.nextBoolean(),
                random.nextInt()))
        .toList();
  }

  @Test
  void everythingArrivesAsItWasSent() {
    for (int i = 0; i < 300; i++) {
      SyncRequest request = randomRequest();
      assertThat(FrameBytes.carried(request))
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(request);
      SyncReply reply = randomReply();
      assertThat(FrameBytes.carried(reply))
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(reply);
    }
  }

  @Test
  void brokenBytesAreRefusedAsSuch() {
    int refused = 0;
    for (int i = 0; i < 5000; i++) {
      ByteBuf out = Unpooled.buffer();
      SyncReply reply = randomReply();
      SyncRequest request = randomRequest();
      boolean asks = random.nextBoolean();
      if (asks) {
        SyncCodec.write(request, out);
      } else {
        SyncCodec.write(reply, out);
      }
      if (out.isReadable()) {
        out.writerIndex(random.nextInt(out.readableBytes() + 1));
      }
      if (out.isReadable()) {
        out.setByte(random.nextInt(out.readableBytes()), random.nextInt());
      }
      try {
        if (asks) {
          ReplicaCodec.readRequest(SyncCodec.kindOf(request), out);
        } else {
          ReplicaCodec.readReply(SyncCodec.kindOf(reply), out);
        }
      } catch (MalformedFrameException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }
}

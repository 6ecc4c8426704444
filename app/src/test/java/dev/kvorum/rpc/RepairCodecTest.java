package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Version;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairReply.Held;
import dev.kvorum.replica.RepairRequest;
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

class RepairCodecTest {
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

  private RepairRequest randomRequest() {
    MemberId member = new MemberId("kvorum-" + random.nextInt(1000));
    int[] numbers = random.ints(random.nextInt(20)).toArray();
    return switch (random.nextInt(7)) {
      case 0 -> new RepairRequest.AskStatus(member, number());
      case 1 -> new RepairRequest.Copy(member, maybeKey());
      case 2 -> new RepairRequest.CompareDigests(member, number(), random.nextInt(3), numbers);
      case 3 -> new RepairRequest.WantLeaves(member, number(), random.nextInt(4), numbers);
      case 4 -> new RepairRequest.ListWanted(member, number(), maybeKey());
      case 5 ->
          new RepairRequest.AskCertain(
              List.of(KeyRange.only(key()), new KeyRange(maybeKey(), false, maybeKey())));
      default -> new RepairRequest.Pulled(member, number());
    };
  }

  private RepairReply randomReply() {
    return switch (random.nextInt(6)) {
      case 0 ->
          new RepairReply.Status(
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextBoolean(),
              number(),
              number(),
              number());
      case 1 -> new RepairReply.Digests(random.ints(random.nextInt(50)).toArray());
      case 2 -> new RepairReply.CutMoved(number());
      case 4 -> new RepairReply.Certain(List.of(random.nextBoolean(), random.nextBoolean()));
      case 3 -> new RepairReply.Listed(held(), maybeKey());
      default -> RepairReply.Done.DONE;
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
      RepairRequest request = randomRequest();
      assertThat(FrameBytes.carried(request))
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(request);
      RepairReply reply = randomReply();
      assertThat(FrameBytes.carried(reply))
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(reply);
    }
  }

  @Test
  void brokenBytesAreRejectedAsSuch() {
    int rejected = 0;
    for (int i = 0; i < 5000; i++) {
      ByteBuf out = Unpooled.buffer();
      RepairReply reply = randomReply();
      RepairRequest request = randomRequest();
      boolean asks = random.nextBoolean();
      if (asks) {
        RepairCodec.write(request, out);
      } else {
        RepairCodec.write(reply, out);
      }
      if (out.isReadable()) {
        out.writerIndex(random.nextInt(out.readableBytes() + 1));
      }
      if (out.isReadable()) {
        out.setByte(random.nextInt(out.readableBytes()), random.nextInt());
      }
      try {
        if (asks) {
          ReplicaCodec.readRequest(RepairCodec.kindOf(request), out);
        } else {
          ReplicaCodec.readReply(RepairCodec.kindOf(reply), out);
        }
      } catch (MalformedFrameException e) {
        rejected++;
      }
    }
    assertThat(rejected).as("seed %d", seed).isPositive();
  }
}

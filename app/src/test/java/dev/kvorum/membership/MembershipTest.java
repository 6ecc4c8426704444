package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final MemberId SELF = new MemberId("n1");

  @TempDir private Path directory;
  private final Source source = new Source();

  /** A source that the test controls. */
  private final class Source implements TopologySource {
    private final List<Consumer<Topology>> followers = new CopyOnWriteArrayList<>();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private volatile boolean founded;
    private volatile Optional<String> restore = Optional.empty();

    @Override
    public void follow(Consumer<Topology> listener) {
      followers.add(listener);
    }

    void publish(Topology topology) {
      followers.forEach(follower -> follower.accept(topology));
    }

    @Override
    public void reportWaiting(OptionalLong left) {
      reported.add("waits " + left);
    }

    @Override
    public void reportListed() {
      reported.add("listed" + (Files.exists(directory.resolve("topology")) ? " with a copy" : ""));
    }

    @Override
    public boolean isFounded() {
      return founded;
    }

    @Override
    public Optional<String> restore() {
      return restore;
    }

    @Override
    public CompletionStage<InetSocketAddress> locate(MemberId member) {
      return CompletableFuture.failedFuture(new IllegalStateException("nobody is there"));
    }

    @Override
    public void close() {}
  }

  private static Topology topology(long epoch, String... names) {
    List<Member> members = new ArrayList<>();
    for (String name : names) {
      members.add(new Member(new MemberId(name), "", MemberState.ACTIVE));
    }
    return Topology.stable("c", epoch, members);
  }

  private CompletableFuture<Membership> begin() {
    CompletableFuture<Membership> begun = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            begun.complete(
                Membership.followed(
                    directory, "c", SELF, Seeds.random(), source, text -> text.startsWith("b")));
          } catch (RuntimeException e) {
            begun.completeExceptionally(e);
          }
        });
    return begun;
  }

  private Membership beginWith(Topology first) {
    CompletableFuture<Membership> begun = begin();
    await().atMost(TIMEOUT).until(() -> !source.followers.isEmpty());
    source.publish(first);
    assertThat(begun).succeedsWithin(TIMEOUT);
    return begun.join();
  }

  @Test
  void waitsForATopologyThatListsIt() {
    CompletableFuture<Membership> begun = begin();
    await().atMost(TIMEOUT).until(() -> !source.followers.isEmpty());
    source.publish(topology(1, "n0"));
    source.publish(Topology.stable("other", 5, List.of(new Member(SELF, "", MemberState.ACTIVE))));
    assertThat(begun).isNotDone();
    List<Member> members =
        List.of(
            new Member(new MemberId("n0"), "", MemberState.ACTIVE),
            new Member(SELF, "", MemberState.JOINING));
    Topology joining = new Topology("c", 2, Phase.TRANSFERRING, members);
    source.publish(joining);
    assertThat(begun).succeedsWithin(TIMEOUT);
    assertThat(begun.join().first()).isEqualTo(joining);
    assertThat(source.reported)
        .as("taken back before a topology is stored")
        .containsExactly("waits OptionalLong.empty", "listed");
    assertThat(begin()).succeedsWithin(TIMEOUT);
    assertThat(source.reported).as("nothing with a copy").hasSize(2);
  }

  @Test
  void startsWithWhatItKnewWhenNobodyAnswers() {
    long incarnation = beginWith(topology(3, "n0", "n1")).identity().incarnation();
    source.followers.clear();
    CompletableFuture<Membership> again = begin();
    assertThat(again).succeedsWithin(TIMEOUT);
    assertThat(again.join().first().epoch()).isEqualTo(3);
    assertThat(again.join().identity().incarnation()).isEqualTo(incarnation);
  }

  @Test
  void remembersInTheDirectoryThatTheClusterWasFounded() {
    Membership first = beginWith(topology(1, "n0", "n1"));
    assertThat(first.isFounded()).isFalse();
    first.noteFounded();
    assertThat(first.isFounded()).isTrue();
    assertThat(begin().join().isFounded()).as("after a restart").isTrue();
  }

  @Test
  void theSourceReportsAFoundedClusterWhenTheDirectoryDoesNot() {
    source.founded = true;
    assertThat(beginWith(topology(1, "n0", "n1")).isFounded()).isTrue();
  }

  @Test
  void remembersInTheDirectoryWhatTheClusterIsRestoredFromWhileTheSourceNamesIt() {
    source.restore = Optional.of("b1");
    Membership first = beginWith(topology(1, "n0", "n1"));
    assertThat(first.restore()).contains("b1");
    source.restore = Optional.empty();
    assertThat(begin().join().restore()).as("the source has not replied yet").contains("b1");
    assertThat(first.noteRestore()).isFalse();
    assertThat(begin().join().restore()).isEmpty();

    source.restore = Optional.of("b2");
    assertThat(first.noteRestore()).isTrue();
    source.restore = Optional.empty();
    assertThat(begin().join().restore()).contains("b2");
  }

  @Test
  void staticPeersAreRestoredFromNothing() {
    StaticTopology peers = StaticTopology.parse("c", "n1=localhost:7400", SELF);
    assertThat(Membership.ofStatic(directory, peers, SELF, Seeds.random()).restore()).isEmpty();
  }

  @Test
  void whatIsNoBackupIsNotRememberedAndFailsTheStart() {
    source.restore = Optional.of("x");
    CompletableFuture<Membership> begun = begin();
    await().atMost(TIMEOUT).until(() -> !source.followers.isEmpty());
    source.publish(topology(1, "n0", "n1"));
    assertThat(begun)
        .failsWithin(TIMEOUT)
        .withThrowableThat()
        .withMessageContaining("kvorum.dev/restore")
        .withMessageContaining("'x', which is no id of a backup");
    assertThat(directory.resolve("topology")).as("the next start asks again").doesNotExist();

    source.restore = Optional.of("b1");
    Membership first = beginWith(topology(1, "n0", "n1"));
    source.restore = Optional.of("x");
    assertThatThrownBy(first::restore).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(first::noteRestore).isInstanceOf(IllegalArgumentException.class);
    source.restore = Optional.empty();
    assertThat(first.restore()).contains("b1");
  }

  @Test
  void whoHasLeftComesBackWithNothing() throws IOException {
    Membership first = beginWith(topology(3, "n0", "n1"));
    Files.createDirectories(directory.resolve("store"));
    Files.writeString(directory.resolve("store/records"), "old");
    first.onLeft().accept(topology(4, "n0"));
    CompletableFuture<Membership> again = begin();
    await().atMost(TIMEOUT).until(() -> source.followers.size() == 2);
    source.publish(topology(3, "n0", "n1"));
    assertThat(again).isNotDone();
    assertThat(directory.resolve("store/records")).exists();
    source.publish(topology(5, "n0", "n1"));
    assertThat(again).succeedsWithin(TIMEOUT);
    assertThat(directory.resolve("store")).doesNotExist();
    assertThat(directory.resolve("decommissioned")).doesNotExist();
    assertThat(again.join().identity().incarnation()).isNotEqualTo(first.identity().incarnation());
    assertThat(again.join().first().epoch()).isEqualTo(5);
    assertThat(source.reported).contains("waits OptionalLong[4]");
  }

  @Test
  void whoIsListedAgainBeforeItsProcessEndsKeepsWhatItIsFilledWith() throws IOException {
    Membership first = beginWith(topology(3, "n0", "n1"));
    first.keep(topology(4, "n0"), SELF);
    assertThat(directory.resolve("decommissioned")).exists();
    first.keep(topology(5, "n0", "n1"), SELF);
    Files.createDirectories(directory.resolve("store"));
    Files.writeString(directory.resolve("store/records"), "new");
    assertThat(begin()).succeedsWithin(TIMEOUT);
    assertThat(directory.resolve("store/records")).exists();
  }
}

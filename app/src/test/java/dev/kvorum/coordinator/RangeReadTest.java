package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.coordinator.RangeQuery.Scope;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.ScriptedTransport.Ask;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** What a range asks of three members, the first of which is this node. */
class RangeReadTest {
  private static final RangeSettings SETTINGS =
      TestSettings.of(RangeSettings.class, "page-records=4");

  private final CoordinatorHarness harness = new CoordinatorHarness(3);
  private final List<RangePart> parts = new ArrayList<>();
  private boolean ended;
  private @Nullable Throwable failure;

  private final BaseSubscriber<RangePart> client =
      new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(RangePart part) {
          parts.add(part);
        }

        @Override
        protected void hookOnComplete() {
          ended = true;
        }

        @Override
        protected void hookOnError(Throwable error) {
          failure = error;
        }
      };

  private void begin(Scope scope, long parts) {
    RangeQuery query = new RangeQuery(KeyRange.ALL, KeyOrder.ASCENDING, Long.MAX_VALUE, scope);
    harness.coordinator.range(query, SETTINGS).subscribe(client);
    client.request(parts);
  }

  private void fill(int records) {
    IntStream.range(0, records).forEach(i -> harness.store.put(key(i), harness.record(-1000)));
  }

  private static Key key(int number) {
    return Key.of("%03d".formatted(number));
  }

  private Ask ask(int other) {
    return harness.transport.only(harness.others.get(other));
  }

  private List<ReplicaRequest> sent(int other) {
    return harness.transport.sent(harness.others.get(other));
  }

  /** A member's answer to what it was asked, if it holds the first records of this node. */
  private ReplicaReply page(ReplicaRequest request, int records) {
    return page(
        request,
        IntStream.range(0, records)
            .mapToObj(i -> new Mutation(key(i), harness.record(-1000)))
            .toList());
  }

  private static ReplicaReply page(ReplicaRequest request, List<Mutation> held) {
    ReplicaRequest.Scan scan = (ReplicaRequest.Scan) request;
    List<Mutation> all =
        held.stream().filter(mutation -> scan.range().contains(mutation.key())).toList();
    List<Mutation> page = all.subList(0, Math.min(all.size(), scan.limits().recordsMax()));
    return new ReplicaReply.Page(
        page, page.size() < all.size() ? Optional.of(page.getLast().key()) : Optional.empty());
  }

  private void answer(int other, int records) {
    Ask open = ask(other);
    open.reply(page(open.request(), records));
  }

  private static ReplicaReply failed(RejectReason reason) {
    return new ReplicaReply.Failed(reason);
  }

  private List<Key> keys() {
    return parts.stream()
        .filter(RangePart.Records.class::isInstance)
        .flatMap(part -> ((RangePart.Records) part).records().stream())
        .map(Mutation::key)
        .toList();
  }

  @Test
  void handsOnWhatAllMembersHaveShown() {
    fill(3);
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    answer(0, 2);
    assertThat(parts).isEmpty();
    answer(1, 3);
    assertThat(keys()).containsExactly(key(0), key(1), key(2));
    assertThat(ended).isTrue();
    assertThat(harness.member.registry.counter("kvorum.ranges", "outcome", "complete").count())
        .isOne();
  }

  @Test
  void reportsToAClientWhatFailedInside() {
    RuntimeException mistake = new IllegalStateException("a mistake");
    harness.transport.answerInline(
        harness.others.getFirst(),
        request -> {
          throw mistake;
        });
    begin(Scope.CLUSTER, 1);
    assertThat(failure).isSameAs(mistake);
    assertThat(parts).isEmpty();
    harness.member.pass(Duration.ofSeconds(10));
    assertThat(sent(0)).as("asked once").hasSize(1);
  }

  @Test
  void goesOnBehindPagesOfNothingButTombstones() {
    Versioned gone = Versioned.tombstone(harness.version(-1000), 3);
    List<Mutation> held = new ArrayList<>();
    IntStream.range(0, 50).forEach(i -> held.add(new Mutation(key(i), gone)));
    held.add(new Mutation(key(50), harness.record(-1000)));
    begin(Scope.CLUSTER, 1);
    for (int round = 0; round < 50; round++) {
      for (MemberId other : harness.others) {
        List.copyOf(harness.transport.open(other))
            .forEach(open -> open.reply(page(open.request(), held)));
      }
    }
    assertThat(keys()).containsExactly(key(50));
  }

  @Test
  void asksNoMoreThanAPageAheadOfAClientThatTakesNothing() {
    fill(100);
    harness.others.forEach(other -> harness.transport.answerInline(other, r -> page(r, 100)));
    begin(Scope.CLUSTER, 1);
    int asked = sent(0).size();
    assertThat(asked).isBetween(1, 3);
    assertThat(keys()).hasSize(4);
    harness.member.pass(Duration.ofSeconds(30));
    assertThat(sent(0)).hasSize(asked);
    assertThat(keys()).hasSize(4);
    client.request(Long.MAX_VALUE);
    assertThat(keys()).hasSize(100);
    assertThat(ended).isTrue();
  }

  @Test
  void stopsAskingForAClientThatIsGone() {
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    Ask first = ask(0);
    Ask second = ask(1);
    client.cancel();
    assertThat(first.isCancelled()).isTrue();
    assertThat(second.isCancelled()).isTrue();
    assertThat(harness.member.registry.counter("kvorum.ranges", "outcome", "cancelled").count())
        .isOne();
    first.reply(page(first.request(), 3));
    harness.member.pass(Duration.ofSeconds(10));
    assertThat(parts).isEmpty();
  }

  @Test
  void triesAPageThatFailedAgainFromWhereItWas() {
    fill(6);
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    answer(0, 6);
    answer(1, 6);
    assertThat(keys()).hasSize(4);
    ask(0).reply(failed(RejectReason.OVERLOADED));
    answer(1, 6);
    assertThat(keys()).hasSize(4);
    harness.member.pass(Duration.ofMillis(60));
    answer(0, 6);
    assertThat(keys()).hasSize(6);
    assertThat(ended).isTrue();
  }

  @Test
  void goesOnWithoutAMemberThatAnswersNothingInTime() {
    fill(6);
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    answer(0, 6);
    harness.member.pass(Duration.ofMillis(2900));
    assertThat(parts).isEmpty();
    harness.member.pass(Duration.ofMillis(200));
    assertThat(keys()).hasSize(4);
    answer(0, 6);
    assertThat(keys()).hasSize(6);
    assertThat(parts).allMatch(RangePart.Records.class::isInstance);
    assertThat(ended).isTrue();
  }

  @Test
  void doesNotWaitForASuspectThatCanBeSpared() {
    fill(2);
    harness.transport.suspect(harness.others.get(0));
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    assertThat(sent(0)).isEmpty();
    answer(1, 2);
    assertThat(keys()).hasSize(2);
    assertThat(ended).isTrue();
  }

  @Test
  void isIncompleteOnceTooFewAreLeft() {
    fill(6);
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    ask(0).reply(failed(RejectReason.REBUILDING));
    answer(1, 6);
    assertThat(keys()).hasSize(4);
    harness.others.forEach(
        other -> harness.transport.answerInline(other, r -> CoordinatorHarness.UNREACHABLE));
    ask(1).reply(CoordinatorHarness.UNREACHABLE);
    harness.member.pass(Duration.ofMillis(3100));
    assertThat(keys()).hasSize(4);
    assertThat(parts.getLast())
        .isEqualTo(
            new RangePart.Incomplete(
                List.of(
                    new ReplicaOutcome(harness.self, "replied"),
                    new ReplicaOutcome(harness.others.get(0), "rebuilding"),
                    new ReplicaOutcome(harness.others.get(1), "unreachable"))));
    assertThat(ended).isTrue();
    assertThat(harness.member.registry.counter("kvorum.ranges", "outcome", "incomplete").count())
        .isOne();
  }

  @Test
  void goesOnWithTheMembersOfTodayWhenTheyHaveChanged() {
    Member other = member(harness.others.get(0));
    harness.layout = layout(1, member(harness.self), other);
    fill(6);
    begin(Scope.CLUSTER, Long.MAX_VALUE);
    harness.layout = layout(2, member(harness.self));
    answer(0, 6);
    assertThat(keys()).hasSize(6).doesNotHaveDuplicates();
    assertThat(ended).isTrue();
    assertThat(parts).noneMatch(part -> part instanceof RangePart.Incomplete);
  }

  private static Layout layout(long epoch, Member... members) {
    return Layout.of(Topology.stable("bench", epoch, List.of(members)));
  }

  private static Member member(MemberId id) {
    return new Member(id, "", MemberState.ACTIVE);
  }

  @Test
  void aNodesOwnRangeAsksNobodyElse() {
    fill(6);
    begin(Scope.NODE, Long.MAX_VALUE);
    assertThat(keys()).hasSize(6);
    assertThat(ended).isTrue();
    assertThat(sent(0)).isEmpty();
  }

  @Test
  void aRangeInWhichNoKeyCanBeAsksNobody() {
    fill(6);
    KeyRange none = new KeyRange(Optional.of(key(3)), true, Optional.of(key(3)));
    harness
        .coordinator
        .range(new RangeQuery(none, KeyOrder.ASCENDING, 1, Scope.CLUSTER), SETTINGS)
        .subscribe(client);
    client.request(1);
    assertThat(ended).isTrue();
    assertThat(parts).isEmpty();
    assertThat(sent(0)).isEmpty();
  }
}

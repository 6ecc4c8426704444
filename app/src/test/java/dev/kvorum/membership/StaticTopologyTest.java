package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvorum.topology.MemberId;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StaticTopologyTest {
  private static final MemberId A = new MemberId("a");
  private static final MemberId B = new MemberId("b");
  private static final String FORM = "kvorum.cluster.peers must be NAME=HOST:PORT,…";

  private static StaticTopology parse(String peers) {
    return StaticTopology.parse("kvorum", peers, A);
  }

  private static InetSocketAddress address(String peers, MemberId member) {
    return Objects.requireNonNull(parse(peers).addresses().get(member));
  }

  private static void rejects(String peers, String... parts) {
    assertThatIllegalArgumentException()
        .as(peers)
        .isThrownBy(() -> parse(peers))
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void readsNamesAndAddresses() {
    StaticTopology read = parse(" b = two.example:7401 , a=one:7400 ,");
    assertThat(read.topology().names()).isEqualTo("a,b");
    assertThat(read.topology().epoch()).isEqualTo(1);
    assertThat(read.topology().clusterId()).isEqualTo("kvorum");
    assertThat(read.addresses())
        .containsEntry(A, InetSocketAddress.createUnresolved("one", 7400))
        .containsEntry(B, InetSocketAddress.createUnresolved("two.example", 7401));
  }

  @Test
  void anEmptyListMeansThisNodeAlone() {
    assertThat(parse("").topology().names()).isEqualTo("a");
    assertThat(parse(" ").addresses()).isEmpty();
  }

  @Test
  void anIpv6AddressStandsInBrackets() {
    assertThat(address("a=[2001:db8::1]:7400", A))
        .isEqualTo(InetSocketAddress.createUnresolved("2001:db8::1", 7400));
    rejects("a=[2001:db8::1]", FORM, "'a=[2001:db8::1]'");
    rejects("a=2001:db8::7400", FORM, "'a=2001:db8::7400'", "brackets: [ADDRESS]:PORT");
    rejects("a=::1", FORM, "brackets");
    rejects("a=[]:7400", FORM, "HOST");
  }

  @Test
  void saysWhatIsWrongWithAnEntryAndWhatWouldBeRight() {
    rejects("a", FORM, "'a' has no name and '='");
    rejects("=one:7400", FORM, "'=one:7400' has no name and '='");
    rejects("a=one", FORM, "'a=one' has no valid port");
    rejects("a=one:", FORM, "'a=one:' has no valid port");
    rejects("a=one:http", FORM, "'a=one:http' has no valid port");
    rejects("a=one:0", FORM, "'a=one:0' has no valid port");
    rejects("a=one:-1", FORM, "'a=one:-1' has no valid port");
    rejects("a=one:65536", FORM, "'a=one:65536' has no valid port");
    rejects("a=:7400", FORM, "'a=:7400' has no HOST:PORT");
    rejects("a=7400", FORM, "'a=7400' has no HOST:PORT");
    rejects("a=one:1,a=two:2", FORM, "'a' is listed twice");
  }

  @Test
  void aBadNameIsReportedWithItsSetting() {
    rejects("a=one:1,b_=two:2", "kvorum.cluster.peers", "'b_' is not a member name", "1 to 63");
  }

  @Test
  void aListWithoutThisNodeIsRejected() {
    rejects("b=two:7400", "kvorum.cluster.peers does not list this node, a (kvorum.node.name)");
  }

  @Test
  void aClusterHasAHundredMembersAtMost() {
    String hundred =
        IntStream.range(0, 99).mapToObj(i -> "n" + i + "=h:1").collect(Collectors.joining(","));
    assertThat(parse(hundred + ",a=h:1").topology().members()).hasSize(100);
    rejects(hundred + ",a=h:1,b=h:1", "1 to 100 members, not 101");
  }
}

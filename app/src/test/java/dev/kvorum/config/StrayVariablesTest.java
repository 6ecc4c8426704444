package dev.kvorum.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StrayVariablesTest {
  @Test
  void findsWhatIsMisspelt() {
    assertThat(
            StrayVariables.in(
                Set.of("KVORUM_LIMTS_REQUESTTIMEOUT", "KVORUM_RCP_PORT", "KVORUM_RPCPORT")))
        .containsExactly("KVORUM_LIMTS_REQUESTTIMEOUT", "KVORUM_RCP_PORT", "KVORUM_RPCPORT");
  }

  @Test
  void passesOverSettingsInBothSpellings() {
    assertThat(
            StrayVariables.in(
                Set.of(
                    "KVORUM_DATA_DIR",
                    "KVORUM_DATADIR",
                    "KVORUM_RPC_PORT",
                    "KVORUM_LIMITS_REQUEST_TIMEOUT")))
        .isEmpty();
  }

  @Test
  void namesSettingsOfASpecAsTheyAreWrittenThere() {
    assertThat(
            StrayVariables.ofSpec(
                Map.of(
                    "KVORUM_SPEC_SETTINGS",
                    "kvorum.limts.value-max,kvorum.rpc.port,kvorum.limits.request.timeout,"
                        + "kvorum.audit.writes.0,kvroum.rpc.port,limits.value-max,"
                        + "server.port,management.server.port,logging.level.root,debug",
                    "KVORUM_OF_ANOTHER_PROGRAM",
                    "1")))
        .containsExactly("kvorum.limts.value-max", "kvroum.rpc.port", "limits.value-max");
    assertThat(StrayVariables.ofSpec(Map.of("KVORUM_OF_ANOTHER_PROGRAM", "1"))).isEmpty();
  }

  @Test
  void passesOverWhatIsSomebodyElses() {
    assertThat(
            StrayVariables.in(
                Set.of(
                    "PATH",
                    "KVORUM_JAVA_OPTS",
                    "KVORUM_SPEC_SETTINGS",
                    "KVORUM_SERVICE_HOST",
                    "KVORUM_PORT",
                    "KVORUM_PORT_8080_TCP_ADDR",
                    "KVORUM_PEERS_SERVICE_HOST",
                    "KVORUM_PEERS_SERVICE_PORT_HTTP")))
        .isEmpty();
  }
}

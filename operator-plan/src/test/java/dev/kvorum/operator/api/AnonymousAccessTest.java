package dev.kvorum.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnonymousAccessTest {
  private static KvorumClusterSpec spec(String profile, Map<String, String> settings) {
    Map<String, Object> fields =
        Map.of("security", Map.of("profile", profile), "settings", settings);
    return new ObjectMapper().convertValue(fields, KvorumClusterSpec.class);
  }

  @ParameterizedTest
  @CsvSource({
    "open,     '',    all,  false",
    "standard, '',    all,  false",
    "strict,   '',    none, true",
    "open,     read,  read, false",
    "standard, read,  read, true",
    "standard, NONE,  none, true",
    "strict,   all,   all,  false",
    "strict,   ' All ', all, false",
    "strict,   read,  read, true"
  })
  void theSettingCountsMoreThanTheProfile(
      String profile, String setting, String anonymous, boolean needsUsers) {
    Map<String, String> settings =
        setting.isEmpty() ? Map.of() : Map.of("kvorum.auth.anonymous", setting);
    KvorumClusterSpec spec = spec(profile, settings);
    assertThat(spec.anonymous()).isEqualTo(anonymous);
    assertThat(spec.needsUsers()).isEqualTo(needsUsers);
  }

  @ParameterizedTest
  @CsvSource({
    "kvorum.auth.anonymous,   all",
    "kvorum.auth.anony-mous,  all",
    "kvorum.auth.anonymously, none",
    "kvorum.auth.file,        none"
  })
  void theSettingIsFoundByTheNameThatNodesKnow(String name, String anonymous) {
    assertThat(spec("strict", Map.of(name, "all")).anonymous()).isEqualTo(anonymous);
  }
}

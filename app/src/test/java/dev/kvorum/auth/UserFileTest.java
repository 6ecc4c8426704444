package dev.kvorum.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.Key;
import dev.kvorum.settings.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users come from a file, which is used as a whole or not at all. */
class UserFileTest {
  /** SHA-256 of {@code secret}. */
  private static final String HASH =
      "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

  private static final String RULES = "\"rules\": [{\"prefix\": \"app/\", \"verbs\": [\"get\"]}]";
  private static final String APP =
      "{\"name\": \"app\", \"tokenSha256\": \"" + HASH + "\", " + RULES + "}";

  @TempDir Path directory;
  private @Nullable UserFile open;
  private long nanos;

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }

  private Path file() {
    return directory.resolve("users.json");
  }

  private UserFile start(String json) throws IOException {
    Files.writeString(file(), json);
    UserFile started =
        UserFile.start(
            TestSettings.of(AuthSettings.class, "file=" + file(), "reload-interval=10s"),
            () -> nanos);
    open = started;
    return started;
  }

  private UserFile withoutFile(String... settings) {
    return UserFile.start(TestSettings.of(AuthSettings.class, settings), () -> nanos);
  }

  private static Optional<User> withToken(Users users, String token) {
    return users.withHash(Users.hash(token));
  }

  private static String users(String... users) {
    return "{\"users\": [" + String.join(", ", users) + "]}";
  }

  /** A test of the operator holds this file to what it writes. */
  @Test
  void theOperatorsFileIsRead() throws IOException {
    Path operators = Path.of("../operator/src/test/resources/golden/users.json");
    UserFile users = start(Files.readString(operators));
    assertThat(users.users().count()).isEqualTo(4);
    User report = users.users().withCertificate("report").orElseThrow();
    assertThat(users.users().withAccount("shop/api.v1")).isPresent();
    assertThat(report.may(ManagementRight.ADMINISTER)).isTrue();
    assertThat(report.isLimited()).isTrue();
    assertThat(users.digest()).matches("[0-9a-f]{64}");
  }

  @Test
  void aUserIsFoundByWhatItProvesItselfWith() throws IOException {
    Users users =
        start(
                users(
                    APP,
                    "{\"name\": \"job\", \"clientCertificate\": \"job 1\", " + RULES + "}",
                    "{\"name\": \"api\", \"serviceAccount\": \"shop/api\", " + RULES + "}"))
            .users();
    assertThat(users.count()).isEqualTo(3);
    User app = withToken(users, "secret").orElseThrow();
    assertThat(app.name()).isEqualTo("app");
    assertThat(app.rights().allow(Verb.GET, Key.of("app/1"))).isTrue();
    assertThat(app.rights().allow(Verb.PUT, Key.of("app/1"))).isFalse();
    assertThat(withToken(users, "Secret")).isEmpty();
    assertThat(withToken(users, HASH)).as("the hash is no token").isEmpty();
    assertThat(users.withCertificate("job 1").orElseThrow().name()).isEqualTo("job");
    assertThat(users.withCertificate("app")).isEmpty();
    assertThat(users.withAccount("shop/api").orElseThrow().name()).isEqualTo("api");
    assertThat(users.withAccount("api")).isEmpty();
  }

  @Test
  void theHashMayHaveCapitalsAndARuleOneKey() throws IOException {
    String json =
        "{\"name\": \"a\", \"tokenSha256\": \""
            + HASH.toUpperCase(java.util.Locale.ROOT)
            + "\", \"rules\": [{\"key\": \"one\", \"verbs\": [\"put\", \"delete\"]}]}";
    Rights rights = withToken(start(users(json)).users(), "secret").orElseThrow().rights();
    assertThat(rights.allow(Verb.PUT, Key.of("one"))).isTrue();
    assertThat(rights.allow(Verb.PUT, Key.of("one more"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | the file: users must be a list",
        "[] | the file must be an object",
        "{\"users\": [], \"user\": 1} | the file: 'user' is unknown",
        "{\"users\": [] | this is not JSON",
        "{\"users\": [], \"users\": []} | this is not JSON: Duplicate",
        "{\"users\": [{\"name\": \"a\", \"rules\": []}]} | 'a' needs one of tokenSha256, clientCertificate, serviceAccount",
        "{\"users\": [{\"name\": \"\", \"rules\": []}]} | users[0]: name must have 1 to 128 chars",
        "{\"users\": [{\"name\": \"a\", \"observer\": \"yes\", \"rules\": []}]} | observer must be true or false",
        "{\"users\": [{\"name\": \"a\", \"administrator\": 1, \"rules\": []}]} | administrator must be true or false",
        "{\"users\": [{\"name\": 1}]} | users[0]: name must be a text",
        "{\"users\": [{\"name\": \"a\", \"tokenSha256\": \"12\", \"rules\": []}]} | tokenSha256 of 'a' must have 64 hexadecimal digits",
        "{\"users\": [{\"name\": \"a\", \"serviceAccount\": \"api\", \"rules\": []}]} | serviceAccount of 'a' must be NAMESPACE/NAME",
        "{\"users\": [{\"name\": \"a\", \"rules\": [{\"prefix\": \"\", \"verbs\": [\"write\"]}]}]} | users[0] ('a'): rules[0]: \"write\" is no verb; there are get, put, delete, range",
        "{\"users\": [{\"name\": \"a\", \"rules\": [{\"prefix\": \"\", \"verbs\": []}]}]} | verbs is empty",
        "{\"users\": [{\"name\": \"a\", \"rules\": [{\"verbs\": [\"get\"]}]}]} | rules[0] needs either prefix or key",
        "{\"users\": [{\"name\": \"a\", \"rules\": [{\"key\": \"\", \"verbs\": [\"get\"]}]}]} | key is empty",
        "{\"users\": [{\"name\": \"a\", \"rule\": []}]} | users[0]: 'rule' is unknown",
        "{\"users\": [{\"name\": \"a\", \"rules\": [{\"key\": \"\\ud800\", \"verbs\": [\"get\"]}]}]} | key is no text",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": 5}]} | users[0] ('a'): limits must be an object",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": {\"requests\": 5}}]} | users[0] ('a'): limits: 'requests' is unknown",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": {\"requestsPerSecond\": 0}}]} | limits: requestsPerSecond must be a whole number from 1 to 1000000",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": {\"requestsPerSecond\": 1.5}}]} | limits: requestsPerSecond must be a whole number from 1 to 1000000",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": {\"bytesInFlight\": 1048575}}]} | limits: bytesInFlight must be a whole number from 1048576 to 1099511627776",
        "{\"users\": [{\"name\": \"a\", \"rules\": [], \"limits\": {\"bytesInFlight\": \"1\"}}]} | limits: bytesInFlight must be a whole number from 1048576 to 1099511627776",
      })
  void aFileThatCannotBeUsedIsRejectedAtTheStart(String json, String why) {
    assertThatThrownBy(() -> start(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kvorum.auth.file is " + file() + "; ")
        .hasMessageContaining(why);
  }

  @Test
  void twoUsersCannotBeTheSame() {
    assertThatThrownBy(() -> start(users(APP, APP)))
        .hasMessageContaining("users[1]: another user is called 'app'");
    assertThatThrownBy(() -> start(users(APP, APP.replace("\"app\"", "\"other\""))))
        .hasMessageContaining("users[1]: tokenSha256 of 'other' is also that of 'app'");
  }

  @Test
  void usersStayWhileTheFileCannotBeUsed() throws IOException {
    UserFile users = start(users(APP));
    Files.writeString(file(), "{");
    users.reload();
    assertThat(users.isStale()).isTrue();
    assertThat(withToken(users.users(), "secret")).isPresent();
    Files.delete(file());
    users.reload();
    assertThat(users.isStale()).isTrue();
    assertThat(withToken(users.users(), "secret")).isPresent();
    Files.writeString(file(), users());
    users.reload();
    assertThat(users.isStale()).isFalse();
    assertThat(withToken(users.users(), "secret")).isEmpty();
    assertThat(users.reloads()).isEqualTo(1);
    users.reload();
    assertThat(users.reloads()).as("the same file").isEqualTo(1);
  }

  @Test
  void aUserKeepsWhatItHasUsedWhenTheFileChanges() throws IOException {
    UserFile file = start(users(limited(2)));
    assertThat(takenAtOnce(file)).isEqualTo(2);
    RequestBytes bytes = limitsOf(file).newRequest();
    assertThat(bytes.take(UserLimits.BYTES_MIN)).isTrue();

    rewrite(
        file, users(limited(2), "{\"name\": \"b\", \"clientCertificate\": \"b\", " + RULES + "}"));
    assertThat(takenAtOnce(file)).as("no new budget").isEqualTo(0);
    assertThat(limitsOf(file).newRequest().take(1)).isFalse();
    rewrite(file, users(limited(4)));
    assertThat(takenAtOnce(file)).as("those of one second have been used").isEqualTo(0);
    assertThat(limitsOf(file).newRequest().take(1)).isFalse();

    bytes.release();
    assertThat(limitsOf(file).newRequest().take(1)).as("given back where they count").isTrue();
    nanos += 1_000_000_000;
    assertThat(takenAtOnce(file)).isEqualTo(4);
  }

  private static String limited(int requestsPerSecond) {
    return APP.replace(
        RULES,
        RULES
            + ", \"limits\": {\"requestsPerSecond\": "
            + requestsPerSecond
            + ", \"bytesInFlight\": 1048576}");
  }

  private void rewrite(UserFile file, String json) throws IOException {
    long reloads = file.reloads();
    Files.writeString(file(), json);
    file.reload();
    assertThat(file.reloads()).isEqualTo(reloads + 1);
  }

  private static UserLimits limitsOf(UserFile file) {
    return withToken(file.users(), "secret").orElseThrow().limits();
  }

  private static int takenAtOnce(UserFile file) {
    int taken = 0;
    while (limitsOf(file).takeRequest()) {
      taken++;
    }
    return taken;
  }

  @Test
  void withoutAFileEveryoneMayDoEverything() {
    assertThat(withoutFile().isOpen()).isTrue();
    assertThat(withoutFile("anonymous=read").isOpen()).isFalse();
    assertThatThrownBy(() -> TestSettings.of(AuthSettings.class, "anonymous=none"))
        .hasStackTraceContaining("kvorum.auth.anonymous=none needs kvorum.auth.file");
  }
}

package dev.kvorum.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.settings.TestSettings;
import org.junit.jupiter.api.Test;

class BackupSettingsTest {
  @Test
  void storesArePermittedByDirectory() {
    BackupSettings all = TestSettings.of(BackupSettings.class);
    assertThat(all.permits("file:///any")).isTrue();
    assertThat(all.permits("s3://any?endpoint=http://x")).isTrue();
    BackupSettings some =
        TestSettings.of(BackupSettings.class, "stores=s3://b/p?region=r,file:///srv/b/");
    assertThat(some.permits("s3://b/p?region=r")).isTrue();
    assertThat(some.permits("s3://b/p/q?region=r")).isTrue();
    assertThat(some.permits("s3://b/p?region=r&endpoint=http://x")).as("another server").isFalse();
    assertThat(some.permits("s3://b/pq?region=r")).isFalse();
    assertThat(some.permits("file:///srv/b")).isTrue();
    assertThat(some.permits("file:///srv/bc")).isFalse();
    assertThat(TestSettings.of(BackupSettings.class, "stores=").permits("file:///srv")).isFalse();
  }
}

package dev.kvorum.backup.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManifestsTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aManifestIsReadAsItWasWritten() throws IOException {
    MemberManifest made =
        new MemberManifest(
            1,
            "20260102T030405Z-00000001",
            "kvorum",
            "kvorum-0",
            "a1",
            7,
            true,
            TIME,
            TIME,
            8,
            9,
            10,
            11,
            12,
            List.of(new BackupFile("1.sst", 3, "00", "01")));
    byte[] encoded = Manifests.encode(made);
    assertThat(Manifests.decode(MemberManifest.class, encoded, "it")).isEqualTo(made);
    String text = new String(encoded, StandardCharsets.UTF_8);
    assertThat(text).as("times are readable").contains("\"2026-01-02T03:04:05.678Z\"");
    String more = text.replace("\"format\" : 1", "\"format\" : 1, \"later\" : true");
    assertThat(Manifests.decode(MemberManifest.class, bytes(more), "it"))
        .as("an unknown field of the same format")
        .isEqualTo(made);
    assertThatThrownBy(() ->
            Manifests.decode(
                MemberManifest.class,
                bytes(text.replace("\"format\" : 1", "\"format\" : 2")),
                "it"))
        .hasMessageContaining("it has format 2, which a newer release wrote");
    assertThatThrownBy(
            () -> Manifests.decode(MemberManifest.class, bytes(text.substring(0, 80)), "it"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is damaged");
    assertThatThrownBy(() -> Manifests.decode(MemberManifest.class, bytes("{}"), "it"))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Manifests.decode(MemberManifest.class, bytes("null"), "it"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void namesLeadToManifests() {
    String id = BackupNames.newId(TIME, 10);
    assertThat(id).isEqualTo("20260102T030405Z-0000000a").matches(BackupNames::isId);
    assertThat(BackupNames.newId(TIME.plusSeconds(1), 0)).isGreaterThan(id);
    String last = BackupNames.newId(TIME, -1);
    assertThat(BackupNames.number(last)).isPositive();
    assertThat(BackupNames.ofNumber(BackupNames.number(last))).isEqualTo(last);
    for (String cluster : List.of("kvorum", "a.b-c", "grün /ü", "..", "_61", "x_")) {
      String name = BackupNames.manifest(cluster, id);
      assertThat(name).matches("backups/[A-Za-z0-9._-]+/" + id + "/manifest\\.json");
      assertThat(name).doesNotContain("/.");
      assertThat(BackupNames.found(name)).contains(new BackupNames.Found(cluster, id));
    }
    assertThat(BackupNames.found(BackupNames.part("c", id, "manifest"))).isEmpty();
    for (String other :
        List.of("../../x", "20261328T181239Z-0a1b2c3d", "20260231T181239Z-0a1b2c3d")) {
      assertThat(BackupNames.isId(other)).as(other).isFalse();
    }
    assertThat(List.of("a", "daily.2-x", "9".repeat(63))).allMatch(BackupNames::isSeries);
    assertThat(List.of("", "-a", "a-", "A", "a b", "9".repeat(64)))
        .noneMatch(BackupNames::isSeries);
  }

  @Test
  void aBackupWithoutASeriesBelongsToNone() throws IOException {
    BackupManifest made =
        new BackupManifest(
            1,
            "id",
            "c",
            "c",
            "daily",
            "0",
            1,
            3,
            List.of(),
            List.of(),
            TIME,
            TIME,
            0,
            0,
            List.of(1),
            0,
            0,
            List.of());
    String text = new String(Manifests.encode(made), StandardCharsets.UTF_8);
    assertThat(Manifests.decode(BackupManifest.class, bytes(text), "it")).isEqualTo(made);
    assertThat(made.isOf(Optional.of("daily"))).isTrue();
    assertThat(made.isOf(Optional.of("weekly"))).isFalse();
    String earlier = text.replaceFirst("\"series\" : \"daily\",", "");
    assertThat(earlier).doesNotContain("series");
    BackupManifest without = Manifests.decode(BackupManifest.class, bytes(earlier), "it");
    assertThat(without.series()).isNull();
    assertThat(without.isOf(Optional.empty())).isTrue();
    assertThat(without.isOf(Optional.of("daily"))).isFalse();
  }

  private static InputStream of(String bytes, String sealed) throws IOException {
    return new VerifiedStream(
        new ByteArrayInputStream(bytes(bytes)),
        new BackupFile("f", sealed.length(), Manifests.sha256(bytes(sealed)), "o"));
  }

  @Test
  void aStreamFailsBeforeItsLastByteUnlessItIsWhatWasBackedUp() throws IOException {
    assertThat(of("value", "value").readAllBytes()).isEqualTo(bytes("value"));
    assertThat(of("", "").readAllBytes()).isEmpty();
    for (String wrong : List.of("vblue", "valu", "value+", "")) {
      assertThatThrownBy(() -> of(wrong, "value").readAllBytes())
          .as(wrong)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("f ");
    }
    InputStream one = of("vbl", "val");
    assertThat(one.readNBytes(2)).hasSize(2);
    assertThatThrownBy(one::read).hasMessageContaining("is damaged");
    InputStream skipped = of("vbl", "val");
    assertThatThrownBy(() -> skipped.skipNBytes(3)).hasMessageContaining("is damaged");
  }
}

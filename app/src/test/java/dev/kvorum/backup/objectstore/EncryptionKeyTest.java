package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionKeyTest {
  private static final String TEXT =
      "kvorum-backup-key-1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

  private final EncryptionKey key = EncryptionKey.parse(TEXT);

  @Test
  void theTextIsReadAndWritten() {
    assertThat(key.format()).isEqualTo(TEXT);
    assertThat(EncryptionKey.parse(TEXT + "\n").format()).isEqualTo(TEXT);
  }

  @Test
  void newKeysDiffer() {
    EncryptionKey one = EncryptionKey.generate();
    EncryptionKey other = EncryptionKey.generate();

    assertThat(one.format()).isNotEqualTo(other.format());
    assertThat(one.id()).isNotEqualTo(other.id());
    assertThat(EncryptionKey.parse(one.format()).id()).isEqualTo(one.id());
  }

  @Test
  void theKeyIsNotPrinted() {
    assertThat(key.toString())
        .contains(key.id())
        .doesNotContain(TEXT.substring(TEXT.indexOf(':') + 1, TEXT.length() - 10));
  }

  /** With another derivation, old backups cannot be read. */
  @Test
  void derivationsStayAsTheyAre() {
    byte[] hash = new byte[32];

    assertThat(key.id()).isEqualTo("6234b9fea9bd220b");
    assertThat(key.secretName(hash))
        .isEqualTo("005a15469c7c0bab3a25e249c05a25ffca284ef69e578ac470d275da8292920c");
    assertThat(HexFormat.of().formatHex(key.ofObject(hash, "a").getEncoded()))
        .isEqualTo("e4875faa2d06f623b2003fba761faf1a01df50b7d8fe4b51bcb927163b5dfb8c");
  }

  @Test
  void namesDependOnContentAndKey() {
    EncryptionKey other = EncryptionKey.generate();
    byte[] hash = new byte[32];
    byte[] otherHash = new byte[32];
    otherHash[31] = 1;

    assertThat(key.secretName(hash))
        .matches("[0-9a-f]{64}")
        .isNotEqualTo(key.secretName(otherHash))
        .isNotEqualTo(other.secretName(hash));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "kvorum-backup-key-2:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "kvorum-backup-key-1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh",
        "kvorum-backup-key-1:AAEC*wQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
      })
  void anotherTextIsRejectedAndNotRepeated(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncryptionKey.parse(text))
        .withMessageContaining("encryption key")
        .withMessageNotContaining("wQFBgcICQoLDA0OD")
        .withNoCause();
  }

  @Test
  void aShortKeyIsRejected() {
    String text = "kvorum-backup-key-1:" + Base64.getEncoder().encodeToString(new byte[16]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncryptionKey.parse(text))
        .withMessage("an encryption key has 32 bytes in base64, not 16");
  }
}

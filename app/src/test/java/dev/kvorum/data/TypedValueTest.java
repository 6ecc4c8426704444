package dev.kvorum.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TypedValueTest {
  private static Versioned record(RecordKind kind, byte[] value) {
    return Versioned.live(new Version(1, 2), kind, Versioned.NEVER, 3, value);
  }

  @Test
  void typeAndContentAreFoundAgain() {
    byte[] head = TypedValue.head("text/plain");
    byte[] value = ByteBuffer.allocate(head.length + 2).put(head).put((byte) 'h').array();
    Versioned record = record(RecordKind.TYPED_VALUE, value);
    assertThat(TypedValue.typeOf(record)).isEqualTo("text/plain");
    assertThat(TypedValue.contentAt(record)).isEqualTo(11);
    assertThat(TypedValue.contentBytes(record)).isEqualTo(2);
  }

  @Test
  void otherRecordsHaveNoType() {
    Versioned plain = record(RecordKind.VALUE, new byte[] {1, 2, 3});
    assertThat(TypedValue.typeOf(plain)).isEmpty();
    assertThat(TypedValue.contentBytes(plain)).isEqualTo(3);
    // Without its value, as some reads return it.
    Versioned head = record(RecordKind.TYPED_VALUE, new byte[0]);
    assertThat(TypedValue.typeOf(head)).isEmpty();
    assertThat(TypedValue.contentBytes(head)).isZero();
  }

  @Test
  void aTypeHasABound() {
    assertThat(TypedValue.head("x".repeat(127))).hasSize(128);
    assertThatThrownBy(() -> TypedValue.head("x".repeat(128)))
        .hasMessageContaining("a media type of 128 bytes");
  }
}

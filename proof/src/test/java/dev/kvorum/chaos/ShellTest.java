package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Commands that succeed, fail, or are not there, as iproute2 may not be. */
class ShellTest {
  @Test
  void givesTheOutputOfWhatSucceeds() {
    assertThat(Shell.run("echo", "a b")).isEqualTo("a b");
    assertThat(Shell.attempt("true")).isTrue();
  }

  @Test
  void aCommandThatIsNotThereFailsLikeAnyOther() {
    assertThat(Shell.attempt("false")).isFalse();
    assertThat(Shell.attempt("no-such-command-anywhere")).isFalse();
    assertThatThrownBy(() -> Shell.run("no-such-command-anywhere", "x"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-command-anywhere x ends with 127");
  }
}

package dev.kvorum.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two files of a bounded size have the last lines. */
class AuditFileTest {
  private static final int BYTES_MAX = 20;

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("audit.log");
  }

  private Path before() {
    return directory.resolve("audit.log.1");
  }

  private void write(String... lines) throws IOException {
    AuditFile file = new AuditFile(file(), BYTES_MAX);
    for (String line : lines) {
      file.write(line.getBytes(StandardCharsets.UTF_8));
    }
    file.close();
  }

  @Test
  void linesAreAppendedUpToTheSize() throws IOException {
    write("123456789\n");
    write("abcdefghi\n");
    assertThat(file()).hasContent("123456789\nabcdefghi\n");
    assertThat(before()).doesNotExist();
    write("x\n");
    assertThat(file()).hasContent("x\n");
    assertThat(before()).hasContent("123456789\nabcdefghi\n");
    write("a line of more than that\n", "y\n");
    assertThat(file()).hasContent("y\n");
    assertThat(before()).hasContent("a line of more than that\n");
  }

  @Test
  void aTornLineIsEnded() throws IOException {
    Files.writeString(file(), "{\"to");
    write("next\n");
    assertThat(file()).hasContent("{\"to\nnext\n");
  }

  @Test
  void isOpenedAgainAfterAFailure() throws IOException {
    AuditFile file = new AuditFile(file(), BYTES_MAX);
    byte[] line = "123456789012345\n".getBytes(StandardCharsets.UTF_8);
    file.write(line);
    // It cannot be replaced.
    Files.createDirectories(before().resolve("child"));
    assertThatThrownBy(() -> file.write(line)).isInstanceOf(IOException.class);
    Files.delete(before().resolve("child"));
    file.write(line);
    file.close();
    assertThat(file()).hasContent("123456789012345\n");
    assertThat(before()).hasContent("123456789012345\n");
  }
}

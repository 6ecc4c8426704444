package dev.kvorum.plugin;

import dev.kvorum.cli.CommandLines;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip file of parts, each of which may be missing. */
final class ReportFile implements AutoCloseable {
  private final ZipOutputStream zip;
  private final List<String> errors;
  private int count;

  /** Reads a part. */
  @FunctionalInterface
  interface Part {
    /** Returns its text; empty: there is none. */
    String read() throws IOException, InterruptedException;
  }

  private ReportFile(ZipOutputStream zip, List<String> errors) {
    this.zip = zip;
    this.errors = errors;
  }

  /** Creates the file; lines about missing parts are added to the errors. */
  static ReportFile create(Path path, List<String> errors) {
    try {
      return new ReportFile(new ZipOutputStream(Files.newOutputStream(path)), errors);
    } catch (IOException e) {
      throw Target.wrong(path + " cannot be written: " + CommandLines.sentence(e));
    }
  }

  /** Adds a part, or that it is missing. */
  void part(String what, String name, Part part) throws IOException, InterruptedException {
    String text;
    try {
      text = part.read();
    } catch (KubernetesClientException e) {
      missing(what, Target.sentence(e));
      return;
    } catch (IOException e) {
      missing(what, CommandLines.sentence(e));
      return;
    }
    count++;
    if (!text.isEmpty()) {
      put(name, text);
    }
  }

  void missing(String what, String why) {
    errors.add(what + ": " + why + "\n");
  }

  /** The number of parts that could be read. */
  int count() {
    return count;
  }

  void put(String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}

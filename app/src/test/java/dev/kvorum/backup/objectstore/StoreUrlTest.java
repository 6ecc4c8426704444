package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUrlTest {
  private static StoreUrl.Place place(String url) {
    return StoreUrl.parse(url).place();
  }

  @Test
  void aFileUrlNamesADirectory() {
    assertThat(place("file:///srv/backups"))
        .isEqualTo(new StoreUrl.Directory(Path.of("/srv/backups")));
    assertThat(place("file:///srv/my%20backups/"))
        .isEqualTo(new StoreUrl.Directory(Path.of("/srv/my backups")));
    assertThat(place("file:///srv/a@b")).isEqualTo(new StoreUrl.Directory(Path.of("/srv/a@b")));
  }

  @Test
  void anS3UrlNeedsABucketAlone() {
    Optional<URI> noEndpoint = Optional.empty();
    Optional<String> noRegion = Optional.empty();

    assertThat(place("s3://bucket"))
        .isEqualTo(new StoreUrl.Bucket("bucket", "", noEndpoint, noRegion, false));
    assertThat(place("s3://bucket/some/prefix/"))
        .isEqualTo(new StoreUrl.Bucket("bucket", "some/prefix", noEndpoint, noRegion, false));
  }

  @Test
  void anS3UrlNamesAServer() {
    Optional<URI> endpoint = Optional.of(URI.create("http://10.0.0.1:7070"));
    Optional<String> region = Optional.of("eu-central-1");

    assertThat(place("s3://b-1/p?endpoint=http://10.0.0.1:7070&region=eu-central-1"))
        .isEqualTo(new StoreUrl.Bucket("b-1", "p", endpoint, region, true));
    assertThat(place("s3://b-1/p?endpoint=http%3A%2F%2F10.0.0.1%3A7070&pathStyle=false"))
        .isEqualTo(new StoreUrl.Bucket("b-1", "p", endpoint, Optional.empty(), false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///srv/backups",
        "s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1&pathStyle=true"
      })
  void theTextIsKept(String url) {
    assertThat(StoreUrl.parse(url)).hasToString(url);
  }

  @ParameterizedTest
  @CsvSource({
    "'', begins with neither",
    "/srv/backups, begins with neither",
    "http://host/bucket, begins with neither",
    "file:srv, not of an absolute directory",
    "file:/srv, not of an absolute directory",
    "file://srv, a host",
    "file://host/srv, a host",
    "file://./srv, a host",
    "file:///, the root directory",
    "file:///srv/../etc, the root directory",
    "file:///srv?a=b, parameters",
    "file:///srv b, Illegal character",
    "s3:bucket, not a URL of a bucket",
    "s3://, no bucket's name",
    "s3:///prefix, no bucket's name",
    "s3://Bucket, no bucket's name",
    "s3://bucket:9000/p, no bucket's name",
    "s3://bucket/a//b, prefix",
    "s3://bucket/../b, prefix",
    "s3://bucket/a b, prefix",
    "s3://bucket/a%2F, prefix",
    "s3://bucket#a, not a URL of a bucket",
    "s3://bucket?, unknown parameter ''",
    "s3://bucket?Region=a, unknown parameter 'Region'",
    "s3://bucket?secret=a, unknown parameter",
    "s3://bucket?region=a&region=b, twice",
    "s3://bucket?region=, no region's name",
    "s3://bucket?region=a.b/c, no region's name",
    "s3://bucket?pathStyle=yes, pathStyle=true",
    "s3://bucket?endpoint=host:9000, not of HTTP",
    "s3://bucket?endpoint=ftp://host, not of HTTP",
    "s3://bucket?endpoint=http://, no URL",
    "s3://bucket?endpoint=http://host/path, more than host and port",
    "s3://bucket?endpoint=%zz, without two digits",
  })
  void whatIsWrongIsNamed(String url, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreUrl.parse(url))
        .withMessageContaining(message)
        .withMessageContaining("; right: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://id:hidden@bucket/prefix",
        "s3://bucket?endpoint=http://id:hidden@host",
        "s3://bucket?endpoint=http://id:hidden%40host",
        "s3://bucket?other=a&endpoint=http://id:hidden@host",
        "file://id:hidden@host/srv"
      })
  void aPasswordIsRejectedAndNotRepeated(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreUrl.parse(url))
        .withMessageContaining("password")
        .withMessageNotContaining("hidden");
  }
}

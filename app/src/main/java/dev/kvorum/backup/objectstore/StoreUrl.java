package dev.kvorum.backup.objectstore;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where objects are, as written by an operator. Contains no secrets. */
public record StoreUrl(String text, Place place) {
  private static final Pattern S3 =
      Pattern.compile("s3://(?<bucket>[^/?#]*)(?<prefix>/[^?#]*)?(?:\\?(?<query>[^#]*))?");
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");
  private static final Set<String> PARAMETERS = Set.of("endpoint", "region", "pathStyle");

  private static final String FILE_SHAPE = "file:///absolute/directory";
  private static final String S3_SHAPE =
      "s3://bucket/prefix?endpoint=https://host:port&region=name&pathStyle=true, "
          + "where all but the bucket is optional";

  /** A kind of store. */
  public sealed interface Place {}

  /** A directory of a mounted volume. */
  public record Directory(Path path) implements Place {}

  /**
   * Objects of a bucket.
   *
   * @param prefix what names in the bucket begin with, before a slash; empty for none
   * @param endpoint empty for AWS
   */
  public record Bucket(
      String name,
      String prefix,
      Optional<URI> endpoint,
      Optional<String> region,
      boolean pathStyle)
      implements Place {}

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong and what is right. It
   *     does not repeat a URL with a user's name, which may have a password
   */
  public static StoreUrl parse(String url) {
    boolean at = url.indexOf('@') >= 0 || url.contains("%40");
    if (at && !url.startsWith("file:///")) {
      throw wrong("has a user's name or a password", "credentials are given apart from the URL");
    }
    if (url.startsWith("file:")) {
      return new StoreUrl(url, directory(url));
    }
    if (url.startsWith("s3:")) {
      return new StoreUrl(url, bucket(url));
    }
    throw wrong("'" + url + "' begins with neither file: nor s3:", FILE_SHAPE + " or " + S3_SHAPE);
  }

  private static Directory directory(String url) {
    String what = "'" + url + "' ";
    if (!url.startsWith("file://")) {
      throw wrong(what + "is not of an absolute directory", FILE_SHAPE);
    }
    if (!url.startsWith("file:///")) {
      throw wrong(what + "has a host, or a relative path", FILE_SHAPE);
    }
    URI uri = uri(url, what, FILE_SHAPE);
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw wrong(what + "has parameters, which a directory does not take", FILE_SHAPE);
    }
    Path path;
    try {
      path = Path.of(uri);
    } catch (IllegalArgumentException e) {
      throw wrong(what + "is not of a directory: " + e.getMessage(), FILE_SHAPE);
    }
    if (!path.equals(path.normalize()) || path.getNameCount() == 0) {
      throw wrong(what + "is of the root directory, or has the names . or ..", FILE_SHAPE);
    }
    return new Directory(path);
  }

  private static Bucket bucket(String url) {
    String what = "'" + url + "' ";
    Matcher parts = S3.matcher(url);
    if (!parts.matches()) {
      throw wrong(what + "is not a URL of a bucket", S3_SHAPE);
    }
    String name = parts.group("bucket");
    if (!BUCKET.matcher(name).matches()) {
      throw wrong(
          what + "has no bucket's name between s3:// and the next /",
          "3 to 63 lower-case letters, digits, dots and hyphens; a port belongs to the endpoint");
    }
    String prefix = Optional.ofNullable(parts.group("prefix")).orElse("/").substring(1);
    prefix = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    if (!prefix.isEmpty() && !ObjectNames.areValid(prefix)) {
      throw wrong(
          what + "has a prefix with other characters or empty parts",
          "A-Z, a-z, 0-9, '.', '_' and '-', separated by single slashes");
    }
    Map<String, String> given = parameters(Optional.ofNullable(parts.group("query")), what);
    Optional<URI> endpoint =
        Optional.ofNullable(given.get("endpoint")).map(value -> endpoint(value, what));
    Optional<String> region = Optional.ofNullable(given.get("region"));
    if (region.isPresent() && !REGION.matcher(region.get()).matches()) {
      throw wrong(what + "has no region's name after region=", "for example region=eu-central-1");
    }
    boolean pathStyle =
        switch (given.getOrDefault("pathStyle", String.valueOf(endpoint.isPresent()))) {
          case "true" -> true;
          case "false" -> false;
          default ->
              throw wrong(what + "has another pathStyle", "pathStyle=true or pathStyle=false");
        };
    return new Bucket(name, prefix, endpoint, region, pathStyle);
  }

  private static Map<String, String> parameters(Optional<String> query, String what) {
    Map<String, String> given = new HashMap<>();
    if (query.isEmpty()) {
      return given;
    }
    for (String parameter : query.get().split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!PARAMETERS.contains(name)) {
        throw wrong(what + "has the unknown parameter '" + name + "'", S3_SHAPE);
      }
      if (given.putIfAbsent(name, decoded(parameter.substring(equals + 1), what)) != null) {
        throw wrong(what + "has the parameter " + name + " twice", S3_SHAPE);
      }
    }
    return given;
  }

  private static String decoded(String value, String what) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong(what + "has a % without two digits", S3_SHAPE);
    }
  }

  private static URI endpoint(String value, String what) {
    String shape = "endpoint=http://host:port or endpoint=https://host:port";
    URI uri = uri(value, what + "has an endpoint that is no URL: ", shape);
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null) {
      throw wrong(what + "has an endpoint that is not of HTTP or has no host", shape);
    }
    if (uri.getRawUserInfo() != null) {
      throw wrong("has a user's name or a password", "credentials are given apart from the URL");
    }
    boolean more = uri.getRawQuery() != null || uri.getRawFragment() != null;
    if (more || !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))) {
      throw wrong(what + "has an endpoint with more than host and port", shape);
    }
    return uri;
  }

  private static URI uri(String text, String what, String shape) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw wrong(what + e.getReason(), shape);
    }
  }

  private static IllegalArgumentException wrong(String what, String right) {
    return new IllegalArgumentException("store URL " + what + "; right: " + right);
  }

  /** The URL as it was written. */
  @Override
  public String toString() {
    return text;
  }
}

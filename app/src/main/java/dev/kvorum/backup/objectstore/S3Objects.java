package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Objects in a bucket of S3, or of a server that speaks its protocol. */
final class S3Objects implements ObjectStore {
  private static final int PAGE = 1000; // the most that S3 lists at once
  private static final Duration ATTEMPT = Duration.ofMinutes(1);

  /** Bytes a second below which an upload is given up. */
  private static final long SLOWEST = 256 << 10;

  /** Codes that do not depend on the request. */
  private static final Set<String> REJECTIONS =
      Set.of(
          "SignatureDoesNotMatch",
          "InvalidAccessKeyId",
          "InvalidToken",
          "ExpiredToken",
          "RequestTimeTooSkewed",
          "NoSuchBucket");

  private final S3Client client;
  private final String bucket;

  /** What names in the bucket begin with. */
  private final String root;

  private final S3Failures failures;
  private final int page;

  private S3Objects(StoreUrl.Bucket at, S3Client client, int page) {
    this.client = client;
    this.bucket = at.name();
    this.root = at.prefix().isEmpty() ? "" : at.prefix() + "/";
    this.failures = new S3Failures(S3Clients.described(at));
    this.page = page;
  }

  static S3Objects open(StoreUrl.Bucket at, Credentials credentials) throws IOException {
    return open(at, credentials, PAGE);
  }

  static S3Objects open(StoreUrl.Bucket at, Credentials credentials, int page) throws IOException {
    return new S3Objects(at, S3Clients.open(at, credentials, ATTEMPT), page);
  }

  @Override
  public void put(String name, long length, Content content) throws IOException {
    String key = key(name);
    Duration most = ATTEMPT.plusSeconds(length / SLOWEST);
    try (S3UploadContent upload = new S3UploadContent(name, length, content)) {
      RequestBody body =
          RequestBody.fromContentProvider(upload, length, "application/octet-stream");
      try {
        client.putObject(
            request ->
                request
                    .bucket(bucket)
                    .key(key)
                    .overrideConfiguration(override -> override.apiCallAttemptTimeout(most)),
            body);
      } catch (SdkException e) {
        upload.throwFailure();
        throw failures.of("store " + name, e instanceof AwsServiceException ? e : rejectionOr(e));
      } catch (RuntimeException e) {
        upload.throwFailure();
        throw e;
      }
    }
  }

  /**
   * A server may reject an upload and close the connection before its end; Java's client then loses
   * the response. The same response to a small question tells it from a broken connection.
   */
  private SdkException rejectionOr(SdkException failed) {
    try {
      client.listObjectsV2(request -> request.bucket(bucket).prefix(root).maxKeys(1));
      return failed;
    } catch (AwsServiceException e) {
      return REJECTIONS.contains(S3Failures.code(e)) ? e : failed;
    } catch (SdkException e) {
      return failed;
    }
  }

  @Override
  public InputStream get(String name) throws IOException {
    String key = key(name);
    try {
      return new S3Download(
          client.getObject(request -> request.bucket(bucket).key(key)), failures, "read " + name);
    } catch (NoSuchBucketException e) {
      throw failures.of("read " + name, e);
    } catch (AwsServiceException e) {
      if (e.statusCode() == 404 && !S3Failures.code(e).equals("NoSuchBucket")) {
        throw new NoSuchObjectException(name);
      }
      throw failures.of("read " + name, e);
    } catch (SdkException e) {
      throw failures.of("read " + name, e);
    }
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> each) throws IOException {
    String from = root + ObjectNames.checkedPrefix(prefix);
    ListObjectsV2Response listed = page(from, "");
    listed.contents().forEach(object -> pass(object, each));
    while (Boolean.TRUE.equals(listed.isTruncated())) {
      listed = page(from, listed.nextContinuationToken());
      listed.contents().forEach(object -> pass(object, each));
    }
  }

  private ListObjectsV2Response page(String from, String token) throws IOException {
    try {
      return client.listObjectsV2(request ->
          request
              .bucket(bucket)
              .prefix(from)
              .maxKeys(page)
              .continuationToken(token.isEmpty() ? null : token));
    } catch (SdkException e) {
      throw failures.of("list '" + from + "'", e);
    }
  }

  private void pass(S3Object object, Consumer<StoredObject> each) {
    String name = object.key().substring(root.length());
    // What others keep there is not the store's.
    if (ObjectNames.areValid(name)) {
      Instant modified = object.lastModified() == null ? Instant.EPOCH : object.lastModified();
      each.accept(new StoredObject(name, object.size(), modified));
    }
  }

  @Override
  public boolean delete(String name) throws IOException {
    String key = key(name);
    try {
      client.deleteObject(request -> request.bucket(bucket).key(key));
      return true;
    } catch (AwsServiceException e) {
      // S3 responds with 204; others may not.
      if (e.statusCode() == 404 && S3Failures.code(e).equals("NoSuchKey")) {
        return false;
      }
      throw failures.of("delete " + name, e);
    } catch (SdkException e) {
      throw failures.of("delete " + name, e);
    }
  }

  private String key(String name) {
    return root + ObjectNames.checked(name);
  }

  @Override
  public void close() {
    client.close();
  }
}

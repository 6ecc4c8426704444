package dev.kvorum.backup.objectstore;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Clients of S3 as a backup needs them: configured by the store's URL and credentials alone, never
 * by a profile or the machine that they run on.
 */
final class S3Clients {
  private static final String REGION = "us-east-1"; // where a server of one's own asks for one
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration READ = Duration.ofSeconds(30);
  private static final int ATTEMPTS_MAX = 4;

  private S3Clients() {}

  static S3Client open(StoreUrl.Bucket at, Credentials credentials, Duration attempt)
      throws ObjectStoreException {
    if (credentials.isNone()) {
      throw new ObjectStoreException(
          ObjectStoreException.Reason.DENIED,
          described(at)
              + " needs credentials: "
              + Credentials.ID
              + " and "
              + Credentials.SECRET
              + " are missing");
    }
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(at.region().orElse(REGION)))
            .credentialsProvider(StaticCredentialsProvider.create(aws(credentials)))
            .httpClientBuilder(
                UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ))
            .forcePathStyle(at.pathStyle())
            // Others than AWS reject the headers and trailers of newer checksums.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(override ->
                override
                    .defaultProfileFile(ProfileFile.aggregator().build())
                    .apiCallAttemptTimeout(attempt)
                    .retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(ATTEMPTS_MAX)
                            .build()));
    at.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  private static AwsCredentials aws(Credentials credentials) {
    String id = credentials.accessKeyId();
    String secret = credentials.secretAccessKey();
    return credentials
        .sessionToken()
        .<AwsCredentials>map(token -> AwsSessionCredentials.create(id, secret, token))
        .orElseGet(() -> AwsBasicCredentials.create(id, secret));
  }

  static String described(StoreUrl.Bucket at) {
    String endpoint =
        at.endpoint()
            .map(URI::toString)
            .orElseGet(() -> "AWS, region " + at.region().orElse(REGION));
    return "bucket " + at.name() + " at " + endpoint;
  }
}

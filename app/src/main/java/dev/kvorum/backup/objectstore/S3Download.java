package dev.kvorum.backup.objectstore;

import dev.kvorum.files.BlockInput;
import java.io.EOFException;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The body of an object, which throws if the connection ends before it does. */
final class S3Download extends BlockInput {
  private final ResponseInputStream<GetObjectResponse> body;
  private final S3Failures failures;
  private final String doing;
  private final long length;
  private long passed;
  private boolean ended;

  S3Download(ResponseInputStream<GetObjectResponse> body, S3Failures failures, String doing) {
    super(body);
    this.body = body;
    this.failures = failures;
    this.doing = doing;
    Long announced = body.response().contentLength();
    this.length = announced == null ? -1 : announced;
  }

  @Override
  public int read(byte[] into, int offset, int bytes) throws IOException {
    try {
      int read = body.read(into, offset, bytes);
      if (read >= 0) {
        passed += read;
        return read;
      }
      if (length >= 0 && passed < length) {
        throw new EOFException("the body ended after " + passed + " of " + length + " bytes");
      }
      ended = true;
      return -1;
    } catch (IOException e) {
      throw failures.of(doing, e);
    }
  }

  /** Reads no further: the rest may be gigabytes. */
  @Override
  public void close() throws IOException {
    if (ended) {
      body.close();
    } else {
      body.abort();
    }
  }
}

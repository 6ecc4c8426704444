package dev.kvorum.backup.objectstore;

import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.HttpRetryException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** What failures of an S3 store mean. Servers agree on status codes more than on error codes. */
final class S3Failures {
  private static final int CAUSES_MAX = 20;

  /** Bucket and endpoint, for sentences. */
  private final String where;

  S3Failures(String where) {
    this.where = where;
  }

  IOException of(String doing, SdkException e) {
    String begin = "cannot " + doing + " in " + where + ": ";
    if (e instanceof AwsServiceException service) {
      return responded(begin, service);
    }
    if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      return interrupted(begin, e);
    }
    if (e instanceof ApiCallAttemptTimeoutException || e instanceof ApiCallTimeoutException) {
      return new ObjectStoreException(Reason.UNAVAILABLE, begin + "no response in time", e);
    }
    IOException cause = ioCause(e);
    if (cause == null) {
      return new ObjectStoreException(Reason.INVALID, begin + e.getMessage(), e);
    }
    return withoutResponse(begin, cause);
  }

  /** For a body that cannot be read to its end. */
  IOException of(String doing, IOException e) {
    String begin = "cannot " + doing + " in " + where + ": ";
    return Thread.currentThread().isInterrupted()
        ? interrupted(begin, e)
        : withoutResponse(begin, e);
  }

  private static IOException interrupted(String begin, Exception e) {
    IOException interrupted = new InterruptedIOException(begin + "interrupted");
    interrupted.initCause(e);
    return interrupted;
  }

  private static ObjectStoreException responded(String begin, AwsServiceException e) {
    String code = code(e);
    Reason reason = reason(e.statusCode(), code);
    String said = begin + "the store responded " + e.statusCode() + " " + code;
    String hint =
        switch (reason) {
          case DENIED ->
              "; check " + Credentials.ID + ", " + Credentials.SECRET + " and the key's rights";
          case NOT_FOUND -> "; check the bucket's name, and create it if it is missing";
          case FULL -> "; make room, or raise the quota";
          case INVALID -> e.statusCode() / 100 == 3 ? "; check region and endpoint in the URL" : "";
          case UNAVAILABLE, UNREACHABLE -> "";
        };
    return new ObjectStoreException(reason, said + hint, e);
  }

  static String code(AwsServiceException e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    return code == null ? "without a code" : code;
  }

  static Reason reason(int status, String code) {
    if (status == 507 || code.contains("QuotaExceeded") || code.contains("StorageFull")) {
      return Reason.FULL;
    }
    boolean slow = code.equals("SlowDown") || code.equals("RequestTimeout");
    if (status >= 500 || status == 429 || status == 408 || slow) {
      return Reason.UNAVAILABLE;
    }
    return switch (status) {
      case 401, 403 -> Reason.DENIED;
      case 404 -> Reason.NOT_FOUND;
      default -> Reason.INVALID;
    };
  }

  private static ObjectStoreException withoutResponse(String begin, IOException e) {
    String said = begin + e.getClass().getSimpleName() + ": " + e.getMessage();
    return switch (e) {
      case UnknownHostException _, ConnectException _, NoRouteToHostException _ ->
          new ObjectStoreException(Reason.UNREACHABLE, said, e);
      case SSLHandshakeException _, SSLPeerUnverifiedException _ ->
          new ObjectStoreException(Reason.INVALID, said, e);
      // Java's client keeps a response to itself that came while it was sending.
      case HttpRetryException response ->
          new ObjectStoreException(
              reason(response.responseCode(), ""),
              begin + "response " + response.responseCode(),
              e);
      default -> new ObjectStoreException(Reason.UNAVAILABLE, said, e);
    };
  }

  private static @Nullable IOException ioCause(Throwable e) {
    Throwable at = e;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++) {
      if (at instanceof IOException found) {
        return found;
      }
      at = at.getCause();
    }
    return null;
  }
}

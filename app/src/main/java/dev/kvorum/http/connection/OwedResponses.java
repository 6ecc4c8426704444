package dev.kvorum.http.connection;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/** Counts the requests of a connection that have no response yet. */
final class OwedResponses {
  private int count;

  int count() {
    return count;
  }

  void read(Object message) {
    if (message instanceof HttpRequest) {
      count++;
    }
  }

  /** Returns whether a message that is written is the end of a response. */
  boolean written(Object message) {
    boolean isEnd = message instanceof LastHttpContent && !isInterim(message);
    if (isEnd) {
      // A rejected body of a request that has its response may cause a second response.
      count = Math.max(0, count - 1);
    }
    return isEnd;
  }

  /** Whether a message is a response that another one follows, such as 100. */
  static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }
}

package dev.kvorum.http.problem;

/** A request that is invalid whatever the cluster's state. The message is for the client. */
public final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final String problem;

  /**
   * Creates an exception for a client's mistake.
   *
   * @param problem last part of the problem type
   * @param message what is wrong and what is valid
   */
  public BadRequestException(String problem, String message) {
    super(message, null, false, false);
    this.problem = problem;
  }

  public String problem() {
    return problem;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }
}

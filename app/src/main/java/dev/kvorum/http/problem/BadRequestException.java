package dev.kvorum.http.problem;

/** A request that can not be right whatever the cluster's state; its message is for the client. */
public final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final String problem;

  /**
   * A client's mistake.
   *
   * @param problem its name, the last part of the problem type
   * @param message what was wrong and what would be right
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

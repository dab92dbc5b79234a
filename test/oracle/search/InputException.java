package search;

/** A mistake in the command line or in an input file; reported as one line, exit status 2. */
final class InputException extends RuntimeException {
  InputException(String message) {
    super(message);
  }

  InputException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The given failure, with the place it happened put in front of its message. */
  static InputException at(String place, RuntimeException failure) {
    String message = failure.getMessage() != null ? failure.getMessage() : failure.getClass().getSimpleName();
    return new InputException(place + ": " + message, failure);
  }
}

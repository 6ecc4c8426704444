package dev.kvorum.operator.view;

/** What is known of the release in an image that no pod has yet. */
public sealed interface ImageCheck {
  /** The members' template has this image already, or there are no members yet. */
  record NotNeeded() implements ImageCheck {}

  /** The image was not asked. */
  record Missing() implements ImageCheck {}

  /** It was asked and has not answered. */
  record Running() implements ImageCheck {}

  /** It cannot be run. */
  record Failed(String why) implements ImageCheck {}

  /** It has answered, or could not be asked for a reason that is not its own. */
  record Done(Release release) implements ImageCheck {}
}

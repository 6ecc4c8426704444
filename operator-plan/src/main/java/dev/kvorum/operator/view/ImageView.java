package dev.kvorum.operator.view;

/**
 * The image of the members; an empty text if none is known.
 *
 * @param wanted the image that their pods should have now
 * @param byDefault the image for a spec that names none
 */
public record ImageView(String wanted, String byDefault) {}

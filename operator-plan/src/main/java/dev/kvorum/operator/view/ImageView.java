package dev.kvorum.operator.view;

/**
 * The image of the members; an empty text if none is known.
 *
 * @param wanted the image that their pods should have now
 * @param byDefault the image for a spec that names none
 * @param check what is known of the release in the wanted one
 */
public record ImageView(String wanted, String byDefault, ImageCheck check) {}

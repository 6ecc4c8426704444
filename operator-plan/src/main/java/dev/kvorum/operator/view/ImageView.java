package dev.kvorum.operator.view;

import java.util.Map;

/**
 * The image of the members; an empty text if none is known.
 *
 * @param wanted the image that their pods should have now
 * @param byDefault the image for a spec that names none
 * @param check what is known of the release in the wanted one
 */
public record ImageView(String wanted, String byDefault, ImageCheck check) {
  /** Returns the name of the check among the objects that the API server may reject. */
  public String checkName() {
    return "ImageCheck/" + wanted;
  }

  /** Returns this view without a check, if the API server has rejected it recently. */
  ImageView rejected(Map<String, String> whys) {
    return check instanceof ImageCheck.Missing && whys.containsKey(checkName())
        ? new ImageView(wanted, byDefault, new ImageCheck.Done(Release.UNKNOWN))
        : this;
  }
}

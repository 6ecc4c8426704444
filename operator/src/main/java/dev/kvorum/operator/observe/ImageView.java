package dev.kvorum.operator.observe;

/**
 * Which image members are made with; a text that is empty: none is known.
 *
 * @param wanted what their pods should be made with now
 * @param byDefault what is meant where the spec names none
 */
public record ImageView(String wanted, String byDefault) {}

package dev.kvorum.operator.resources;

import java.util.List;

/** Whether a port of a node speaks TLS, in the order in which a cluster changes to it. */
enum TlsMode {
  OFF,
  PERMISSIVE,
  REQUIRED;

  /** The value of the node's setting. */
  String setting() {
    return switch (this) {
      case OFF -> "off";
      case PERMISSIVE -> "permissive";
      case REQUIRED -> "required";
    };
  }

  /** Returns the mode of a value, off for any other: a node takes it for false. */
  static TlsMode of(String setting) {
    for (TlsMode mode : List.of(PERMISSIVE, REQUIRED)) {
      if (mode.setting().equalsIgnoreCase(setting)) {
        return mode;
      }
    }
    return OFF;
  }
}

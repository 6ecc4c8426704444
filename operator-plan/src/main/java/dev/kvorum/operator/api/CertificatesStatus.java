package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The certificates that the operator has issued. */
public record CertificatesStatus(
    @JsonPropertyDescription("When the first of them expires, those of the CAs included.")
        String expiry,
    @JsonPropertyDescription(
            "Secrets of CAs that are being replaced: until all members, or clients for seven days, "
                + "could read the next one.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> replacing) {
  public CertificatesStatus {
    replacing = List.copyOf(replacing == null ? List.of() : replacing);
  }
}

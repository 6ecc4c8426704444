package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The certificates of members and for clients. */
public record CertificatesStatus(
    @JsonPropertyDescription("When the first of them expires, those of the CAs included.")
        String expiry,
    @JsonPropertyDescription(
            "Secrets of CAs that are being replaced: until all members, or clients for seven days, "
                + "could read the next one.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<String> replacing,
    @JsonPropertyDescription("Why the last certificate of an issuer is not used yet.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String pending) {
  public CertificatesStatus {
    replacing = List.copyOf(replacing == null ? List.of() : replacing);
  }
}

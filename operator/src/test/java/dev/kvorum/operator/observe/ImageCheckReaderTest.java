package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.JobView;
import dev.kvorum.operator.view.Release;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImageCheckReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

  private static ImageCheck view(JobView job) {
    return ImageCheckReader.view(job, NOW);
  }

  private static ImageCheck answered(String text) {
    return view(new JobView.Succeeded(text, Optional.of(NOW.toString()), Optional.empty()));
  }

  private static ImageCheck failed(JobView.Cause cause, String message) {
    return view(new JobView.Failed(cause, message));
  }

  private static ImageCheck waits(long seconds, JobView.Trouble trouble) {
    return view(new JobView.Pending(NOW.minusSeconds(seconds), Optional.of(trouble)));
  }

  @Test
  void readsWhatANodePrintsAndSkipsWhatALaterReleaseAdds() {
    assertThat(answered("version=0.4.0\nfeatures=a, b,,B\nprotocols=6..7\nlater=x\n"))
        .isEqualTo(new ImageCheck.Done(new Release("0.4.0", "6..7", Set.of("a", "b"))));
    assertThat(answered("version=0.4.0\nprotocols=6..7\n"))
        .isEqualTo(new ImageCheck.Done(new Release("0.4.0", "6..7", Set.of())));
  }

  @Test
  void aReleaseWithoutTheOptionIsUnnamed() {
    assertThat(
            failed(
                JobView.Cause.EXIT,
                "release exited with code 2: kvorum-node: --print-release is no setting"))
        .isEqualTo(new ImageCheck.Done(Release.UNNAMED));
  }

  @Test
  void anImageThatIsNoNodeFails() {
    String noNode = "it is no image of a Kvorum node: it does not name its release";
    for (String answer : List.of("", "v1.2.3", "\\u00zz", "version=1\nprotocols=many")) {
      assertThat(answered(answer)).isEqualTo(new ImageCheck.Failed(noNode));
    }
    assertThat(
            failed(
                JobView.Cause.EXIT,
                "release exited with code 128: exec: \"--print-release=/dev/termination-log\": no such"
                    + " file"))
        .isInstanceOf(ImageCheck.Failed.class);
  }

  @Test
  void anAnswerThatIsGoneWithItsPodIsUnknown() {
    assertThat(view(new JobView.Succeeded("", Optional.empty(), Optional.empty())))
        .isEqualTo(new ImageCheck.Done(Release.UNKNOWN));
  }

  @Test
  void anImageThatCannotRunFails() {
    JobView.Trouble broken =
        new JobView.Trouble(true, false, false, "its container cannot be created: X");
    assertThat(waits(1, broken)).isInstanceOf(ImageCheck.Failed.class);
    JobView.Trouble absent = new JobView.Trouble(true, true, false, "the image x cannot be pulled");
    assertThat(waits(1, absent)).isEqualTo(new ImageCheck.Failed("the image x cannot be pulled"));
    assertThat(failed(JobView.Cause.EXIT, "release exited with code 1: no main class"))
        .isInstanceOf(ImageCheck.Failed.class);
    assertThat(failed(JobView.Cause.DEADLINE, "took too long"))
        .isInstanceOf(ImageCheck.Failed.class);
  }

  @Test
  void oneThatFindsNoPlaceIsNotWaitedForLong() {
    JobView.Trouble full = new JobView.Trouble(false, false, false, "its pod cannot be scheduled");
    assertThat(waits(30, full)).isInstanceOf(ImageCheck.Running.class);
    assertThat(waits(60, full)).isEqualTo(new ImageCheck.Done(Release.UNKNOWN));
    assertThat(failed(JobView.Cause.EVICTED, "its pod was evicted"))
        .isEqualTo(new ImageCheck.Done(Release.UNKNOWN));
  }

  @Test
  void aJobThatHasNotEndedIsWaitedFor() {
    assertThat(view(new JobView.Absent())).isInstanceOf(ImageCheck.Missing.class);
    assertThat(view(new JobView.Running())).isInstanceOf(ImageCheck.Running.class);
    assertThat(view(new JobView.Foreign())).isInstanceOf(ImageCheck.Running.class);
    assertThat(view(new JobView.Pending(NOW, Optional.empty())))
        .isInstanceOf(ImageCheck.Running.class);
  }
}

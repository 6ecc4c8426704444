package dev.kvorum.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
  private final Schedule schedule = new Schedule(100, 10, 200);

  @Test
  void whoKeepsUpAsksInEqualSteps() {
    assertThat(schedule.next(90)).isEqualTo(100);
    assertThat(schedule.next(103)).isEqualTo(110);
    assertThat(schedule.next(119)).isEqualTo(120);
  }

  @Test
  void whatIsLateBeforeItIsMeasuredIsNotMadeUpFor() {
    assertThat(schedule.next(150)).isEqualTo(150);
    assertThat(schedule.next(151)).isEqualTo(160);
  }

  @Test
  void whatIsLateOnceItIsMeasuredStaysDueWhenItWas() {
    assertThat(schedule.next(300)).isEqualTo(200);
    assertThat(schedule.next(301)).isEqualTo(210);
    assertThat(schedule.next(400)).isEqualTo(220);
  }
}

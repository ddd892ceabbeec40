package dev.millrace.server.extender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class TrackedStatusTest
{
    private final TrackedStatus status = new TrackedStatus();

    @Test
    void shouldStartWhenItIsReleasedByTheOtherApplication() throws Exception
    {
        status.heldUp(List.of("event type market:Price"));
        status.awaitSettled(TimeUnit.DAYS.toNanos(1));
        assertThat(status.get().state()).isEqualTo(ApplicationState.WAITING);

        status.released();
        assertThat(status.get().state()).isEqualTo(ApplicationState.STARTING);
        status.heldUp(List.of("event type market:Price"));
        assertThat(status.get().state()).isEqualTo(ApplicationState.WAITING);
    }

    @Test
    void shouldRemainRunningWhenAnEarlierReleaseComesLate()
    {
        status.heldUp(List.of("event type market:Price"));
        status.set(ApplicationStatus.of(ApplicationState.STARTING));
        status.set(ApplicationStatus.of(ApplicationState.RUNNING));

        status.released();
        assertThat(status.get().state()).isEqualTo(ApplicationState.RUNNING);
    }

    @Test
    void shouldNotReleaseAnApplicationThatWaitsForAService()
    {
        status.set(ApplicationStatus.waiting(List.of("service")));
        status.released();
        assertThat(status.get().state()).isEqualTo(ApplicationState.WAITING);
    }
}

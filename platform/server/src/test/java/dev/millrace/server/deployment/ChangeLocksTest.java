package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChangeLocksTest
{
    private static CompletableFuture<Void> take(final ChangeLocks locks, final String application)
    {
        return CompletableFuture.runAsync(() ->
        {
            try
            {
                locks.take(application, "suspend").release();
            }
            catch (final DeploymentException e)
            {
                throw new IllegalStateException(e.getMessage(), e);
            }
        });
    }

    @Test
    void shouldSayWhatIsBeingDoneWhenAnotherChangeTakesLong() throws Exception
    {
        final ChangeLocks locks = new ChangeLocks(TimeUnit.MILLISECONDS.toNanos(1));
        locks.take("one.app", "install");

        assertThatThrownBy(take(locks, "one.app")::join).hasStackTraceContaining("SRV-0232")
            .hasStackTraceContaining("change=install");
    }

    @Test
    void shouldLetOtherApplicationsPassAndGoOnWhenTheChangeIsDone() throws Exception
    {
        final ChangeLocks locks = new ChangeLocks(TimeUnit.MINUTES.toNanos(1));
        final ChangeLocks.Lock lock = locks.take("one.app", "install");

        take(locks, "two.app").join();

        final CompletableFuture<Void> behind = take(locks, "one.app");
        lock.release();
        behind.join();
        assertThat(behind).isCompleted();
    }

    @Test
    void shouldLetAChangeCallAnother() throws Exception
    {
        final ChangeLocks locks = new ChangeLocks(TimeUnit.MILLISECONDS.toNanos(1));
        final ChangeLocks.Lock outer = locks.take("one.app", "install");
        locks.take("one.app", "rules").release();

        assertThatThrownBy(take(locks, "one.app")::join).hasStackTraceContaining("SRV-0232");
        outer.release();
        take(locks, "one.app").join();
    }
}

package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time limits of connections, in the order in which the endpoint reports the progress of a request. */
@Timeout(60)
class ConnectionGuardTest
{
    /** Everything is late at once. */
    private static final EndpointLimits IMPATIENT = new EndpointLimits(16, 16, 0, 0, 1L << 40, 1 << 20);

    private final ConnectionGuard guard = new ConnectionGuard(IMPATIENT);
    private final EndPoint endPoint = new ByteArrayEndPoint();

    private void open()
    {
        endPoint.onOpen();
        guard.onOpened(new AbstractConnection(endPoint, Runnable::run)
        {
            @Override
            public void onFillable()
            {
                throw new AssertionError("nothing is read");
            }
        });
    }

    /** Lets at least two milliseconds pass, in which a body would have to arrive. */
    private void sweep()
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(2))
        {
            Thread.onSpinWait();
        }
        guard.sweep();
    }

    @Test
    void shouldNotCountTheCheckOfCredentialsAgainstAClientThatWaitsForIt()
    {
        open();
        guard.headArrived(endPoint);

        sweep();

        assertThat(endPoint.isOpen()).isTrue();
        guard.knows(endPoint, false);
        sweep();
        assertThat(endPoint.isOpen()).isFalse();
        assertThat(guard.figures()).containsEntry("closedForSlowBody", 1L);
    }

    @Test
    void shouldCloseAConnectionWhoseHeadIsLate()
    {
        open();

        sweep();

        assertThat(endPoint.isOpen()).isFalse();
        assertThat(guard.figures()).containsEntry("closedForLateHead", 1L);
    }

    @Test
    void shouldNotCloseAConnectionWhoseRequestIsExecuted()
    {
        open();
        guard.headArrived(endPoint);
        guard.knows(endPoint, true);
        guard.requestArrived(endPoint);

        sweep();

        assertThat(endPoint.isOpen()).isTrue();
    }
}

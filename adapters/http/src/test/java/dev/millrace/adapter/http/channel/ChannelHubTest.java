package dev.millrace.adapter.http.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.http.ChannelLimits;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers that arrive while messages are published. */
@Timeout(60)
class ChannelHubTest
{
    private static final String CHANNEL = "/ticks";
    private static final int SUBSCRIBERS = 20_000;

    /** Counts messages that it would write. */
    private static final class Counting extends QueuedSubscriber
    {
        final AtomicInteger messages = new AtomicInteger();

        Counting(final ChannelHub hub, final Executor executor)
        {
            super(hub.limits(), executor, hub.counters());
        }

        @Override
        protected void write(final List<ChannelMessage> written, final WriteResult done)
        {
            messages.addAndGet(written.size());
            done.written();
        }

        @Override
        protected void writeHeartbeat(final WriteResult done)
        {
            done.written();
        }

        @Override
        protected void gap(final long missing)
        {
            throw new AssertionError("nothing is replayed");
        }

        @Override
        protected void ended()
        {
            // The test ends it by unsubscribing.
        }

        @Override
        protected void disconnect(final String reason)
        {
            throw new AssertionError(reason);
        }
    }

    @Test
    void shouldSendMessagesToEachSubscriberThatIsCounted() throws Exception
    {
        final ChannelHub hub =
            new ChannelHub(new ChannelLimits(10, 2, 10_000, 100_000, 0, true, 60_000, 5_000), List.of(CHANNEL));
        final Counting[] arrived = new Counting[SUBSCRIBERS];
        for (int i = 0; i < SUBSCRIBERS; i++)
        {
            arrived[i] = new Counting(hub, Runnable::run);
        }
        hub.use(CHANNEL);
        final AtomicInteger next = new AtomicInteger();
        final Thread clients = new Thread(() ->
        {
            for (int i = 0; i < SUBSCRIBERS; i++)
            {
                while (next.get() != i)
                {
                    Thread.onSpinWait();
                }
                hub.subscribe(CHANNEL, arrived[i], null);
            }
        });
        clients.start();
        for (int i = 0; i < SUBSCRIBERS; i++)
        {
            next.set(i);
            while (!hub.statistics().get("subscribers").equals(1))
            {
                Thread.onSpinWait();
            }
            hub.publish(CHANNEL, List.of("{}"));
            assertThat(arrived[i].messages).as("subscriber %d", i).hasValue(1);
            while (!isSubscribed(hub, arrived[i]))
            {
                Thread.onSpinWait();
            }
        }
        clients.join();
    }

    /** Unsubscribes a client whose subscription is complete. */
    private static boolean isSubscribed(final ChannelHub hub, final Counting client)
    {
        hub.unsubscribe(CHANNEL, client);
        return hub.statistics().get("subscribers").equals(0);
    }
}

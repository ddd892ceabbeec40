package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.inbound.Receiver;
import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A source of the channel {@code /ticks} with its thread. */
final class RunningChannelSource implements Closeable
{
    final ChannelSource source;
    private final Receiver receiver;
    private Thread thread;

    RunningChannelSource(final TestStage stage, final Receiver receiver, final ChannelServerPool pool,
        final Consumer<ChannelSource> properties) throws Exception
    {
        this.receiver = receiver;
        source = new ChannelSource(RunningChannels.SECRETS, pool);
        source.setStageContext(stage);
        source.setChannel("/ticks");
        source.setMaxRetryMillis(50);
        source.setTimeoutMillis(5_000);
        source.setBatchSender(receiver);
        properties.accept(source);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
        start();
    }

    void start()
    {
        thread = new Thread(source::run, "source");
        thread.start();
    }

    Map<String, Object> figures()
    {
        return source.statistics();
    }

    void suspend() throws InterruptedException
    {
        source.suspend();
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).isFalse();
    }

    @Override
    public void close()
    {
        receiver.gate.countDown();
        try
        {
            suspend();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        source.destroy();
    }
}

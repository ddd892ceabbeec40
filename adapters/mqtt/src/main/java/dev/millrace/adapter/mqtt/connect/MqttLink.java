package dev.millrace.adapter.mqtt.connect;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A connection to a broker; it is used once. Threads: {@link #close} by any thread, the others by one thread. Failure:
 * {@link MqttException} with code and next step.
 */
public abstract class MqttLink implements AutoCloseable
{
    private static final long CLOSE_MS = 1_000;

    final ConnectionSettings settings;
    /** Hands messages over; blocks while the receiver is busy. */
    final ExecutorService executor;
    private volatile Throwable failure;
    private volatile boolean isClosed;

    MqttLink(final ConnectionSettings settings)
    {
        this.settings = settings;
        executor = Executors.newSingleThreadExecutor(task ->
        {
            final Thread thread = new Thread(task, settings.stageName() + "/mqtt");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Connects. Messages of an earlier session arrive from now on.
     *
     * @param receiver called on another thread, may block; {@code null} if none is expected
     */
    public final void connect(final Consumer<Incoming> receiver) throws MqttException
    {
        await(start(receiver));
    }

    /** Subscribes. */
    public final void subscribe(final List<String> filters, final int qos) throws MqttException
    {
        for (final String filter : filters)
        {
            await(startSubscribe(filter, qos));
        }
    }

    /** Begins to publish; the future ends when the broker has confirmed the message. */
    public abstract CompletableFuture<?> publish(Outgoing message);

    abstract CompletableFuture<?> start(Consumer<Incoming> receiver);

    abstract CompletableFuture<?> startSubscribe(String filter, int qos);

    abstract CompletableFuture<?> startDisconnect();

    /** Whether the broker has refused the user. */
    abstract boolean isLogin(Throwable failed);

    /** Whether the broker has refused a subscription or message. */
    abstract boolean isRefusal(Throwable failed);

    final void ended(final Throwable cause)
    {
        failure = cause;
    }

    /**
     * Checks whether the connection has ended.
     *
     * @throws MqttException if it has
     */
    public final void check() throws MqttException
    {
        final Throwable reported = failure;
        if (reported != null)
        {
            throw exception(reported);
        }
    }

    /** Waits for a response of the broker. */
    public final void await(final CompletableFuture<?> response) throws MqttException
    {
        try
        {
            response.get(settings.answerMillis(), TimeUnit.MILLISECONDS);
        }
        catch (final ExecutionException e)
        {
            throw exception(e.getCause());
        }
        catch (final TimeoutException e)
        {
            throw exception(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw exception(e);
        }
    }

    private MqttException exception(final Throwable thrown)
    {
        final Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null ?
            thrown.getCause() : thrown;
        final String fact = ", stage=" + settings.stageName() + " " + settings + " reason=" + cause;
        if (isLogin(cause))
        {
            return new MqttException(MqttErrorCode.LOGIN, "the broker refuses the user" + fact,
                "correct user and password, or the permissions of the user", cause);
        }
        if (isRefusal(cause))
        {
            return new MqttException(MqttErrorCode.REFUSED, "the broker refuses a subscription or message" + fact,
                "correct the topics and the QoS, or the permissions of the user", cause);
        }
        return new MqttException(MqttErrorCode.AWAY, "the broker is unavailable" + fact,
            "start it, or correct the connection; messages wait until then", cause);
    }

    /** Disconnects; the broker keeps the session. Waits at most a second. */
    @Override
    public final void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        try
        {
            startDisconnect().get(CLOSE_MS, TimeUnit.MILLISECONDS);
        }
        catch (final ExecutionException | TimeoutException e)
        {
            // The connection has ended already, or does when its keep-alive expires.
            ended(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        // Not earlier: the client hands messages over until it is disconnected.
        executor.shutdownNow();
    }
}

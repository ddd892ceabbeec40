package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cometd.bayeux.Message;
import org.eclipse.jetty.util.ajax.JSON;

/**
 * Publishes to a channel of a remote server, and repeats messages until the server confirms or refuses them. Called by
 * the channel's thread, and closed by another.
 */
final class RemotePublisher implements MessagePublisher
{
    /** Size of the messages in a request; servers limit it. */
    private static final int REQUEST_CHARS = 16 << 10;
    private static final int REQUEST_MESSAGES = 100;
    private static final int PENDING_MS = 5;

    private final ConnectionSettings settings;
    private final SinkCounters counters;
    private final Outage outage;
    private final RemoteServer server;
    private final Deadline firstResponse;
    private final CountDownLatch ending = new CountDownLatch(1);

    /** A message and the reply to it. */
    private record Reply(String message, Message reply)
    {
    }

    RemotePublisher(final ConnectionSettings settings, final SinkCounters counters, final Outage outage)
        throws IOException
    {
        this.settings = settings;
        this.counters = counters;
        this.outage = outage;
        server = new RemoteServer(settings, () -> { });
        firstResponse = Deadline.afterMillis(settings.timeoutMillis());
        server.open();
    }

    @Override
    public void publish(final List<String> messages) throws EventRejectedException
    {
        final List<String> request = new ArrayList<>();
        String refusal = null;
        int chars = 0;
        for (final String message : messages)
        {
            if (request.size() == REQUEST_MESSAGES || chars > 0 && chars + message.length() > REQUEST_CHARS)
            {
                refusal = last(refusal, send(request));
                request.clear();
                chars = 0;
            }
            request.add(message);
            chars += message.length();
        }
        refusal = last(refusal, send(request));
        if (refusal != null)
        {
            throw new EventRejectedException(refusal);
        }
    }

    private static String last(final String before, final String next)
    {
        return next == null ? before : next;
    }

    /** Sends messages until each was confirmed or refused; returns the last refusal, {@code null} for none. */
    private String send(final List<String> messages) throws EventRejectedException
    {
        String refusal = null;
        List<String> open = List.copyOf(messages);
        while (!open.isEmpty())
        {
            awaitConnection();
            final List<String> failed = new ArrayList<>();
            for (final Reply each : request(open))
            {
                if (each.reply() == null || RemoteServer.isFailure(each.reply()) || isUnknownSession(each.reply()))
                {
                    failed.add(each.message());
                }
                else if (!each.reply().isSuccessful())
                {
                    refusal = HttpErrorCode.CHANNEL_REFUSED.message("the server refuses a message, stage=" +
                        settings.stageName() + " channel=" + settings.channel() + " reason=" +
                        RemoteServer.reason(each.reply()), "compare channel and credentials with those of the server");
                    counters.rejected("refused", RemoteServer.reason(each.reply()) + ' ' + each.message());
                }
            }
            if (!failed.isEmpty())
            {
                counters.retried();
                pause("messages were not confirmed");
            }
            open = failed;
        }
        return refusal;
    }

    /** The session has expired, and the client makes another. */
    private static boolean isUnknownSession(final Message reply)
    {
        return String.valueOf(reply.get(Message.ERROR_FIELD)).startsWith("402");
    }

    private List<Reply> request(final List<String> messages) throws EventRejectedException
    {
        final BlockingQueue<Reply> replies = new ArrayBlockingQueue<>(messages.size());
        server.client().batch(() -> messages.forEach(message -> server.client().getChannel(settings.channel())
            .publish(new JSON.Literal(message), reply -> replies.add(new Reply(message, reply)))));
        final List<Reply> received = new ArrayList<>();
        final List<String> missing = new ArrayList<>(messages);
        final Deadline deadline = Deadline.afterMillis(settings.timeoutMillis() * 2L);
        try
        {
            while (received.size() < messages.size() && !deadline.hasPassed())
            {
                final Reply reply = replies.poll(deadline.remainingNs(), TimeUnit.NANOSECONDS);
                if (reply != null)
                {
                    received.add(reply);
                    missing.remove(reply.message());
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw notDelivered("the thread was interrupted");
        }
        missing.forEach(message -> received.add(new Reply(message, null)));
        return received;
    }

    private void awaitConnection() throws EventRejectedException
    {
        for (String trouble = server.check(); trouble != null; trouble = server.check())
        {
            if (trouble.equals(RemoteServer.PENDING) && !firstResponse.hasPassed())
            {
                sleep(PENDING_MS);
            }
            else
            {
                pause(trouble);
            }
        }
        outage.ended();
    }

    private void pause(final String reason) throws EventRejectedException
    {
        final int delayMillis = outage.failed(HttpErrorCode.CHANNELS_AWAY, HttpErrorCode.CHANNELS_AWAY.message(
            "the server of channels is unavailable, stage=" + settings.stageName() + " url=" + settings.serverUrl() +
            " reason=" + reason, "start or correct it: rows wait"));
        sleep(delayMillis);
    }

    private void sleep(final int millis) throws EventRejectedException
    {
        try
        {
            if (ending.await(millis, TimeUnit.MILLISECONDS))
            {
                throw notDelivered("the application ends");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw notDelivered("the thread was interrupted");
        }
    }

    private EventRejectedException notDelivered(final String cause)
    {
        return new EventRejectedException(HttpErrorCode.NOT_DELIVERED.message("rows were not delivered before the " +
            "application ended, stage=" + settings.stageName() + " cause=" + cause, "these rows are lost"));
    }

    @Override
    public Map<String, Object> statistics()
    {
        return Map.of();
    }

    @Override
    public void close()
    {
        ending.countDown();
        server.close();
    }
}

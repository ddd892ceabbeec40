package dev.millrace.test;

import dev.millrace.api.event.EventBatch;
import dev.millrace.embedded.application.RowObserver;
import dev.millrace.network.lane.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the rows of each stage until they are expected. Thread-safe. */
final class RowRecorder implements RowObserver
{
    private final Map<String, Deque<ReceivedRow>> rows = new HashMap<>();

    @Override
    public synchronized void onRows(final String stage, final EventBatch batch)
    {
        final Deque<ReceivedRow> received = rows.computeIfAbsent(stage, each -> new ArrayDeque<>());
        for (int row = 0; row < batch.size(); row++)
        {
            received.add(new ReceivedRow(batch, row));
        }
        notifyAll();
    }

    /** The rows that were not taken yet. */
    synchronized List<ReceivedRow> pending(final String stage)
    {
        return new ArrayList<>(rows.getOrDefault(stage, new ArrayDeque<>()));
    }

    /** Removes and returns all rows that were not taken yet. */
    synchronized List<ReceivedRow> take(final String stage)
    {
        final Deque<ReceivedRow> received = rows.remove(stage);
        return received == null ? List.of() : new ArrayList<>(received);
    }

    /** Waits until a number of rows is pending; returns whether it is. */
    synchronized boolean await(final String stage, final int count, final Duration limit) throws InterruptedException
    {
        final Deadline deadline = Deadline.afterNs(limit.toNanos());
        while (pending(stage).size() < count)
        {
            if (deadline.hasPassed())
            {
                return false;
            }
            wait(deadline.remainingMs());
        }
        return true;
    }
}

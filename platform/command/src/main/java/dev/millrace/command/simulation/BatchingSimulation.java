package dev.millrace.command.simulation;

import java.util.SplittableRandom;

/**
 * Draws the events of some sources one by one, batches them by target for the flush time, and counts the batches.
 * Sources are equal, so that a few of them represent all.
 */
final class BatchingSimulation
{
    private static final int MAX_SOURCES = 32;
    /** Enough for an accuracy of one thousandth, in about a second of work. */
    private static final long MAX_EVENTS = 20_000_000;

    private BatchingSimulation()
    {
    }

    /**
     * The counts.
     *
     * @param events       events of all drawn sources
     * @param remoteEvents events for another member
     * @param batches      batches to other members
     * @param ofOneEvent   batches with a single event
     * @param sourceSec    sources times seconds that were drawn
     */
    record Counts(long events, long remoteEvents, long batches, long ofOneEvent, double sourceSec)
    {
        /** Counts without any hop. */
        static final Counts NONE = new Counts(0, 0, 0, 0, 1);

        double eventsPerBatch()
        {
            return batches == 0 ? Double.NaN : (double)remoteEvents / batches;
        }

        double remoteShare()
        {
            return (double)remoteEvents / events;
        }

        double batchesPerSourceSec()
        {
            return batches / sourceSec;
        }
    }

    static Counts run(final SimulationSettings settings, final Placement placement)
    {
        final int sources = Math.min(MAX_SOURCES, placement.members());
        final double perFlush = settings.rate() * settings.flushSec();
        final long wanted = (long)Math.min((double)MAX_EVENTS, (double)sources * settings.rate() * settings.seconds());
        final AliasTable partitions = new AliasTable(placement.partitionShares());
        final SplittableRandom random = new SplittableRandom(settings.seed());
        final Pending pending = new Pending(placement.members());
        double due = 0;
        long drawn = 0;
        long flushes = 0;
        while (drawn < wanted)
        {
            final int source = (int)(flushes++ % sources) * (placement.members() / sources);
            due += perFlush;
            for (; due >= 1; due--)
            {
                pending.add(source, placement.owners()[partitions.draw(random)]);
                drawn++;
            }
            pending.flush();
        }
        return new Counts(drawn, pending.remoteEvents, pending.batches, pending.ofOneEvent,
            flushes * settings.flushSec());
    }

    /** Events of one source that wait for the end of the flush time. */
    private static final class Pending
    {
        private final int[] counts;
        private final int[] touched;
        private int touchedCount;
        private long remoteEvents;
        private long batches;
        private long ofOneEvent;

        private Pending(final int members)
        {
            counts = new int[members];
            touched = new int[members];
        }

        private void add(final int source, final int target)
        {
            if (source != target && counts[target]++ == 0)
            {
                touched[touchedCount++] = target;
            }
        }

        private void flush()
        {
            for (int i = 0; i < touchedCount; i++)
            {
                remoteEvents += counts[touched[i]];
                ofOneEvent += counts[touched[i]] == 1 ? 1 : 0;
                counts[touched[i]] = 0;
            }
            batches += touchedCount;
            touchedCount = 0;
        }
    }
}

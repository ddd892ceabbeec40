package dev.millrace.loadgen;

import java.util.ArrayList;
import java.util.List;

/**
 * The due time of each event of a connection. The rate is a function of time, composed of pieces in which it is
 * constant or changes linearly. Immutable, thread-safe.
 */
public final class RateSchedule
{
    /** No schedule: everything is due immediately. Lag is undefined. */
    public static final RateSchedule UNPACED = new RateSchedule(List.of());

    private static final double NS_PER_SEC = 1e9;

    private final List<Piece> pieces;

    /**
     * A piece of the schedule; the last one never ends.
     *
     * @param startSec   start time
     * @param startCount events due before it
     * @param rate       events per second at its start
     * @param slope      change of the rate, events per second per second
     */
    private record Piece(double startSec, double startCount, double rate, double slope)
    {
        double countAt(final double sec)
        {
            final double elapsed = sec - startSec;
            return startCount + rate * elapsed + slope * elapsed * elapsed / 2;
        }

        double secondsUntil(final double count)
        {
            final double wanted = count - startCount;
            if (slope == 0)
            {
                return startSec + wanted / rate;
            }
            // Root of slope/2 t^2 + rate t = wanted, in the form that avoids cancellation.
            return startSec + 2 * wanted / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * wanted)));
        }
    }

    private RateSchedule(final List<Piece> pieces)
    {
        this.pieces = List.copyOf(pieces);
    }

    /**
     * A rate that changes linearly and then stays constant.
     *
     * @param startRate events per second at the start
     * @param rate      events per second at the end
     * @param rampSecs  duration of the change; 0 starts with the final rate
     * @return the schedule
     */
    public static RateSchedule ramp(final double startRate, final double rate, final int rampSecs)
    {
        if (rampSecs == 0 || startRate == rate)
        {
            return new RateSchedule(List.of(new Piece(0, 0, rate, 0)));
        }
        final Piece rise = new Piece(0, 0, startRate, (rate - startRate) / rampSecs);
        return new RateSchedule(List.of(rise, new Piece(rampSecs, rise.countAt(rampSecs), rate, 0)));
    }

    /**
     * A rate that increases by a step each second until it reaches its final value.
     *
     * @param startRate events per second in the first second
     * @param increment step
     * @param rate      events per second at the end
     * @return the schedule
     */
    public static RateSchedule steps(final double startRate, final double increment, final double rate)
    {
        final List<Piece> pieces = new ArrayList<>();
        double count = 0;
        double current = startRate;
        for (int sec = 0; current < rate && sec < 100_000; sec++)
        {
            pieces.add(new Piece(sec, count, current, 0));
            count += current;
            current += increment;
        }
        pieces.add(new Piece(pieces.size(), count, rate, 0));
        return new RateSchedule(pieces);
    }

    /**
     * Whether events have due times at all.
     *
     * @return false for {@link #UNPACED}
     */
    public boolean isPaced()
    {
        return !pieces.isEmpty();
    }

    /**
     * The due time of an event.
     *
     * @param event number from 0
     * @return nanoseconds after the start
     */
    public long dueNs(final long event)
    {
        int last = pieces.size() - 1;
        while (last > 0 && pieces.get(last).startCount() > event)
        {
            last--;
        }
        return (long)(pieces.get(last).secondsUntil(event) * NS_PER_SEC);
    }

    /**
     * Number of packets due before a time. A packet is due with its first event.
     *
     * @param elapsedNs     nanoseconds after the start
     * @param eventsAPacket events per packet
     * @return exactly the packets k with {@code dueNs(k * eventsAPacket) < elapsedNs}
     */
    public long packetsDueBefore(final long elapsedNs, final int eventsAPacket)
    {
        if (elapsedNs <= 0)
        {
            return 0;
        }
        final double sec = elapsedNs / NS_PER_SEC;
        int last = pieces.size() - 1;
        while (last > 0 && pieces.get(last).startSec() > sec)
        {
            last--;
        }
        long packets = (long)(pieces.get(last).countAt(sec) / eventsAPacket);
        while (dueNs(packets * eventsAPacket) < elapsedNs)
        {
            packets++;
        }
        while (packets > 0 && dueNs((packets - 1) * eventsAPacket) >= elapsedNs)
        {
            packets--;
        }
        return packets;
    }
}

package dev.millrace.loadgen;

import java.util.ArrayList;
import java.util.List;

/**
 * When each event of a connection is due: a rate over time, made of pieces in which the rate is constant or changes
 * evenly. Immutable; safe for all threads.
 */
public final class RateSchedule
{
    /** No schedule: everything is due at once. Lag has no meaning then. */
    public static final RateSchedule UNPACED = new RateSchedule(List.of());

    private static final double NS_PER_SEC = 1e9;

    private final List<Piece> pieces;

    /**
     * A piece of the schedule; the last one never ends.
     *
     * @param startSec   when it starts
     * @param startCount events due before it
     * @param rate       events a second at its start
     * @param slope      change of the rate, events a second a second
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
            // Root of slope/2 t^2 + rate t = wanted, in the form that does not cancel.
            return startSec + 2 * wanted / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * wanted)));
        }
    }

    private RateSchedule(final List<Piece> pieces)
    {
        this.pieces = List.copyOf(pieces);
    }

    /**
     * A rate that changes evenly and then stays.
     *
     * @param startRate events a second at the start
     * @param rate      events a second in the end
     * @param rampSecs  how long the change takes; 0 starts with the final rate
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
     * A rate that rises each second by a step until it is there.
     *
     * @param startRate events a second in the first second
     * @param increment step
     * @param rate      events a second in the end
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
     * When an event is due.
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
     * How many packets are due before a time, when each is due with its first event.
     *
     * @param elapsedNs      nanoseconds after the start
     * @param eventsAPacket events a packet
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

package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.unit.DurableUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * Positions in the journals of the units that a standby needs, by name of the unit.
 *
 * <p>Threads: used by the thread that writes snapshots; the threads of the units write the marks.
 */
public final class UnitPositions
{
    private final UnitSet units;

    UnitPositions(final UnitSet units)
    {
        this.units = units;
    }

    /** Lets the next batch of each unit that needs one write a mark, which {@link #marks()} then returns. */
    public void requestMarks()
    {
        units.all().stream().filter(DurableUnit::needsMark).forEach(unit -> unit.mark().request());
    }

    /** Whether all requested marks are written. */
    public boolean hasMarks()
    {
        return units.all().stream().noneMatch(unit -> unit.mark().isRequested());
    }

    /**
     * Positions up to which standbys can replay the journals: between two batches; records after them fill the
     * replicas.
     */
    public Map<String, Long> marks()
    {
        final Map<String, Long> positions = new HashMap<>();
        units.all().forEach(unit -> positions.put(unit.name(),
            unit.needsMark() ? unit.mark().position() : unit.journal().lastPosition()));
        return positions;
    }

    /** Positions of the newest snapshots. */
    public Map<String, Long> stored()
    {
        final Map<String, Long> positions = new HashMap<>();
        units.all().forEach(unit -> positions.put(unit.name(), unit.newest()));
        return positions;
    }
}

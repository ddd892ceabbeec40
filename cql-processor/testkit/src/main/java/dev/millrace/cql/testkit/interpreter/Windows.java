package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.SyntaxTree;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Contents of a window at an instant, from all rows. */
final class Windows
{
    private final SyntaxTree.Window window;
    private final int[] columns;
    private final Type valueType;
    private boolean ticks;

    Windows(final SyntaxTree.Window window, final Source.Flow flow)
    {
        this.window = window;
        columns = window.columns().stream().mapToInt(name -> {
            if (!flow.names.contains(name))
            {
                throw new InvalidStatementException("unknown attribute " + name);
            }
            return flow.names.indexOf(name);
        }).toArray();
        valueType = window.kind() == SyntaxTree.WindowKind.VALUE ? flow.types.get(columns[0]) : Type.NULL;
        if (window.kind() == SyntaxTree.WindowKind.VALUE)
        {
            final boolean timed = valueType == Type.TIMESTAMP || valueType == Type.INTERVAL;
            if (window.timed() != timed || !timed && !valueType.isNumber())
            {
                throw new InvalidStatementException("range on an attribute of type " + valueType);
            }
        }
        if (window.kind() == SyntaxTree.WindowKind.UNTIL && flow.types.get(columns[0]) != Type.TIMESTAMP
            && flow.types.get(columns[0]) != Type.BIGINT)
        {
            throw new InvalidStatementException("range until an attribute of type " + flow.types.get(columns[0]));
        }
    }

    static long up(final long time, final long step)
    {
        final long rest = Math.floorMod(time, step);
        return rest == 0 ? time : plus(time, step - rest);
    }

    static long down(final long time, final long step)
    {
        return minus(time, Math.floorMod(time, step));
    }

    private static long plus(final long time, final long span)
    {
        return time > Long.MAX_VALUE - span ? Long.MAX_VALUE : time + span;
    }

    private static long minus(final long time, final long span)
    {
        return time < Long.MIN_VALUE + span ? Long.MIN_VALUE : time - span;
    }

    /** Whether rows never leave. */
    boolean grows()
    {
        return window.kind() == SyntaxTree.WindowKind.UNBOUNDED;
    }

    /** Whether all rows of a group have the same bounds. */
    boolean hasBounds()
    {
        return window.kind() == SyntaxTree.WindowKind.RANGE && window.slideNs() > 0
            || window.kind() == SyntaxTree.WindowKind.SESSION;
    }

    /** Marks that every multiple of the step counts from now on, even when no row enters or leaves. */
    void showTicks()
    {
        ticks = true;
    }

    void checkGrouped(final List<String> names)
    {
        if (ticks && window.kind() == SyntaxTree.WindowKind.SESSION && !names.containsAll(window.columns()))
        {
            throw new InvalidStatementException("bounds of several sessions");
        }
    }

    Long bound(final boolean isStart, final long time, final List<Long> rows)
    {
        if (window.kind() == SyntaxTree.WindowKind.SESSION)
        {
            return isStart ? Collections.min(rows) : plus(Collections.max(rows), window.rangeNs());
        }
        final long end = down(time, window.slideNs());
        return isStart ? minus(end, window.rangeNs()) : end;
    }

    List<Source.Item> at(final List<Source.Item> all, final long time, final boolean isLoose)
    {
        final long instant = window.slideNs() > 0 && !isLoose ? down(time, window.slideNs()) : time;
        int end = 0;
        while (end < all.size() && all.get(end).time() <= instant)
        {
            end++;
        }
        final List<Source.Item> items = all.subList(0, end);
        switch (isLoose ? SyntaxTree.WindowKind.UNBOUNDED : window.kind())
        {
            case RANGE:
                return later(items, instant);
            case ROWS:
                final int full = (int)(end / window.step() * window.step());
                return items.subList((int)Math.max(0, full - window.rows()), full);
            case VALUE:
                return near(items);
            case PARTITION:
                return lastOfEach(items, instant);
            case SESSION:
                return open(items, instant);
            case UNTIL:
                return items.stream().filter(item -> end(item) > instant).toList();
            default:
                return items;
        }
    }

    /** When a row leaves; a row that does not specify it never counts. */
    private long end(final Source.Item item)
    {
        final Object value = item.row().values()[columns[0]];
        return value == null ? Long.MIN_VALUE : (Long)value;
    }

    private List<Source.Item> later(final List<Source.Item> items, final long instant)
    {
        final long bound = minus(instant, window.rangeNs());
        int start = 0;
        while (start < items.size() && items.get(start).time() <= bound)
        {
            start++;
        }
        return items.subList(start, items.size());
    }

    private List<Source.Item> near(final List<Source.Item> items)
    {
        final List<Source.Item> kept = new ArrayList<>();
        if (items.isEmpty())
        {
            return kept;
        }
        final Object last = items.get(items.size() - 1).row().values()[columns[0]];
        for (final Source.Item item : items)
        {
            final Object value = item.row().values()[columns[0]];
            if (last != null && value != null && decimal(last).subtract(decimal(value)).compareTo(window.value()) < 0)
            {
                kept.add(item);
            }
        }
        return kept;
    }

    private static java.math.BigDecimal decimal(final Object value)
    {
        return value instanceof Float || value instanceof Double
            ? java.math.BigDecimal.valueOf(((Number)value).doubleValue())
            : new java.math.BigDecimal(value.toString());
    }

    private List<Source.Item> lastOfEach(final List<Source.Item> items, final long instant)
    {
        final Map<Row, Integer> seen = new HashMap<>();
        final List<Source.Item> kept = new ArrayList<>();
        final long bound = window.rangeNs() > 0 ? minus(instant, window.rangeNs()) : Long.MIN_VALUE;
        for (int i = items.size() - 1; i >= 0; i--)
        {
            final Source.Item item = items.get(i);
            final int count = seen.merge(item.row().columns(columns), 1, Integer::sum);
            if (count <= window.rows() && (window.rangeNs() == 0 || item.time() > bound))
            {
                kept.add(item);
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    /** Rows after which, up to the instant, each gap of their key is shorter than the limit. */
    private List<Source.Item> open(final List<Source.Item> items, final long instant)
    {
        final Map<Row, Long> laterTimes = new HashMap<>();
        final Set<Row> ended = new HashSet<>();
        final List<Source.Item> kept = new ArrayList<>();
        for (int i = items.size() - 1; i >= 0; i--)
        {
            final Source.Item item = items.get(i);
            final Row key = item.row().columns(columns);
            final long later = laterTimes.getOrDefault(key, instant);
            if (minus(later, window.rangeNs()) >= item.time())
            {
                ended.add(key);
            }
            if (!ended.contains(key))
            {
                kept.add(item);
                laterTimes.put(key, item.time());
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    private void sessionEnds(final List<Source.Item> items, final Set<Long> instants)
    {
        final Map<Row, Long> laterTimes = new HashMap<>();
        for (int i = items.size() - 1; i >= 0; i--)
        {
            final Source.Item item = items.get(i);
            final Long later = laterTimes.put(item.row().columns(columns), item.time());
            final long end = plus(item.time(), window.rangeNs());
            instants.add(item.time());
            if (later == null || end <= later)
            {
                instants.add(end);
            }
        }
    }

    void instants(final List<Source.Item> items, final Set<Long> instants)
    {
        if (window.kind() == SyntaxTree.WindowKind.SESSION)
        {
            sessionEnds(items, instants);
            return;
        }
        for (final Source.Item item : items)
        {
            if (window.kind() == SyntaxTree.WindowKind.UNTIL)
            {
                instants.add(item.time());
                instants.add(Math.max(item.time(), end(item)));
                continue;
            }
            final long enters = item.time();
            final long leaves = plus(enters, window.rangeNs());
            instants.add(window.slideNs() > 0 ? up(enters, window.slideNs()) : enters);
            for (long tick = up(enters, Math.max(1, window.slideNs())); ticks && window.slideNs() > 0 && tick < leaves;
                tick = plus(tick, window.slideNs()))
            {
                instants.add(tick);
            }
            if (window.rangeNs() > 0 && window.kind() != SyntaxTree.WindowKind.VALUE)
            {
                instants.add(window.slideNs() > 0 ? up(leaves, window.slideNs()) : leaves);
            }
        }
    }
}

package dev.millrace.tuning.rules;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Locale;

/** Queries of all kinds over two streams, each different from the others; all emit a symbol and a value. Stateless. */
final class RuleMix
{
    static final EventType TICK = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT));
    static final EventType ORDER = EventType.tuple("Order", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("quantity", CqlType.INT));
    static final EventType OUT = EventType.tuple("Out", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("value", CqlType.DOUBLE));

    /**
     * Queries that differ only in their numbers.
     *
     * @param name   for the report
     * @param format statement with any number of placeholders for the number of the query
     */
    record Kind(String name, String format)
    {
        /** The query of this kind with a number. */
        String text(final int number)
        {
            return String.format(Locale.ROOT, format, number, number % 50 + 2);
        }
    }

    static final List<Kind> KINDS = List.of(
        new Kind("filter", "select symbol, price as value from ticks where price > %1$d.5 and volume < 9%1$d00"),
        new Kind("calculation", "select symbol, 100 * (price - %1$d) / (price + %2$d) as value from ticks " +
            "where symbol like \"S%1$d%%\" or volume between %1$d and 1%1$d"),
        new Kind("groups", "istream(select symbol, avg(price) as value from ticks [range %2$d seconds] " +
            "where volume > %1$d group by symbol)"),
        new Kind("having", "istream(select symbol, sum(price) as value from ticks [rows 9%1$d] group by symbol " +
            "having count(*) > %2$d)"),
        new Kind("partition", "istream(select symbol, max(price) as value from ticks " +
            "[partition by symbol rows %2$d] where volume > %1$d group by symbol)"),
        new Kind("join", "istream(select t.symbol as symbol, t.price - o.price as value " +
            "from ticks [range %2$d seconds] as t, orders [rows 100] as o " +
            "where t.symbol = o.symbol and t.price > o.price + %1$d and o.quantity > %2$d)"),
        new Kind("outer-join", "istream(select t.symbol as symbol, o.price as value from ticks [range 5 seconds] " +
            "as t left outer join orders [range %2$d seconds] as o on t.symbol = o.symbol where t.price > %1$d.0)"),
        new Kind("pair", "select m.symbol as symbol, m.value as value from ticks match_recognize (" +
            "partition by symbol measures B.symbol as symbol, B.price - A.price as value all matches pattern (A B) " +
            "define B as B.price > A.price + %1$d.0) as m"),
        new Kind("runs", "select m.symbol as symbol, m.value as value from ticks match_recognize (" +
            "partition by symbol measures C.symbol as symbol, C.price - A.price as value pattern (A B+ C) " +
            "define A as A.price > %1$d.0, B as B.price < prev(B.price, 1), C as C.volume > %2$d) as m"),
        new Kind("within", "select m.symbol as symbol, m.value as value from ticks match_recognize (" +
            "partition by symbol measures A.symbol as symbol, max(B.price) as value " +
            "pattern (A B* C) within %2$d seconds " +
            "define B as B.price > A.price, C as C.price < A.price - %1$d.0) as m"),
        new Kind("top", "istream(select symbol, price as value from ticks [range %2$d seconds] where volume > %1$d " +
            "order by price desc rows 5)"),
        new Kind("distinct", "istream(select distinct symbol, price as value from ticks [range %2$d seconds] " +
            "where volume = %1$d)"));

    private RuleMix()
    {
    }

    /** The kind of a query. */
    static Kind kind(final int number)
    {
        return KINDS.get(Math.floorMod(number, KINDS.size()));
    }

    /** The text of a query; different for each number. */
    static String text(final int number)
    {
        return kind(number).text(number);
    }
}

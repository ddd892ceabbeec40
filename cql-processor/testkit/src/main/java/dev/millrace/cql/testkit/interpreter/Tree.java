package dev.millrace.cql.testkit.interpreter;

import java.math.BigDecimal;
import java.util.List;

/** Statements as written. */
final class Tree
{
    private Tree()
    {
    }

    /** A whole statement: the content of the parentheses of IStream and others, or without them. */
    record Statement(String stream, Body body, List<Object> difference, long everyNs)
    {
    }

    /** A bag of rows. */
    sealed interface Body
    {
    }

    /** A name alone. */
    record Ref(String name) implements Body
    {
    }

    /** A set operation. */
    record SetOp(String word, Body left, Body right) implements Body
    {
    }

    /** ORDER BY over a set operation. */
    record Ordered(Body body, Order order) implements Body
    {
    }

    /** A select block. */
    record Select(boolean distinct, List<Item> items, From from, Expr where, List<Expr> group, Expr having,
        Order order, boolean bracketed) implements Body
    {
        Select inBrackets()
        {
            return new Select(distinct, items, from, where, group, having, order, true);
        }

        Select withoutOrder()
        {
            return new Select(distinct, items, from, where, group, having, null, bracketed);
        }
    }

    /** An entry of the select list; {@code expr} is a {@link Expr.Star} for stars. */
    record Item(Expr expr, String alias)
    {
    }

    /** ORDER BY; rows is 0 without ROWS. */
    record Order(List<Term> terms, long rows, List<Expr> partition)
    {
    }

    /** A term of ORDER BY. */
    record Term(Expr expr, boolean descending, boolean nullsFirst)
    {
    }

    /** FROM. */
    sealed interface From
    {
    }

    /** A name with a window (null: none). */
    record Named(String name, Window window, String alias) implements From
    {
    }

    /** A statement in parentheses. */
    record Sub(Statement statement, String alias) implements From
    {
    }

    /** MATCH_RECOGNIZE. */
    record Matched(String name, Match match, String alias) implements From
    {
    }

    /** A comma. */
    record Cross(From left, From right) implements From
    {
    }

    /** An outer join. */
    record Outer(boolean right, From first, From second, Expr on) implements From
    {
    }

    enum WindowKind
    {
        UNBOUNDED, RANGE, VALUE, ROWS, PARTITION, SESSION, UNTIL
    }

    /** A window; rangeNs or slideNs of 0 mean none. */
    record Window(WindowKind kind, long rangeNs, long slideNs, long rows, long step, List<String> columns,
        BigDecimal value, boolean timed)
    {
        static Window range(final long rangeNs, final long slideNs)
        {
            return new Window(WindowKind.RANGE, rangeNs, slideNs, 0, 1, List.of(), null, false);
        }
    }

    /** ROWS PER MATCH; {@code CQL} when nothing is written. */
    enum Rows
    {
        CQL, ONE, ALL, ALL_OMIT_EMPTY, ALL_WITH_UNMATCHED;

        boolean every()
        {
            return this != CQL && this != ONE;
        }
    }

    enum Skip
    {
        PAST_LAST, NEXT_ROW, FIRST, LAST
    }

    /** MATCH_RECOGNIZE (...). withinNs and durationNs of 0 mean none; a durationOf counts units of durationNs. */
    record Match(List<String> partition, List<String> order, List<Item> measures, boolean all, Rows rows,
        Skip skip, String skipTo, boolean timers, Pattern pattern, long withinNs, boolean inclusive, long durationNs,
        Expr.Col durationOf, boolean multiples, List<Subset> subsets, List<Item> defines)
    {
    }

    /** A union of variables. */
    record Subset(String name, List<String> members)
    {
    }

    /** A pattern. */
    sealed interface Pattern
    {
    }

    /** A variable. */
    record Var(String name) implements Pattern
    {
    }

    /** No row. */
    record Nothing() implements Pattern
    {
    }

    /** Rows that are not emitted. */
    record Exclude(Pattern part) implements Pattern
    {
    }

    /** One after another. */
    record Seq(List<Pattern> parts) implements Pattern
    {
    }

    /** One of several. */
    record Alt(List<Pattern> parts) implements Pattern
    {
    }

    /** Repeated; {@code most} is -1 without bound. */
    record Quant(Pattern part, int least, int most, boolean greedy) implements Pattern
    {
    }
}

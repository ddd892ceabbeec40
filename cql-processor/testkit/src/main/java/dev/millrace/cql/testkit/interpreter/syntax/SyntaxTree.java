package dev.millrace.cql.testkit.interpreter.syntax;

import java.math.BigDecimal;
import java.util.List;

/** Statements as written. */
public final class SyntaxTree
{
    private SyntaxTree()
    {
    }

    /** A whole statement: the content of the parentheses of IStream and others, or without them. */
    public record Statement(String stream, Body body, List<Object> difference, long everyNs)
    {
    }

    /** A bag of rows. */
    public sealed interface Body
    {
    }

    /** A name alone. */
    public record Ref(String name) implements Body
    {
    }

    /** A set operation. */
    public record SetOp(String word, Body left, Body right) implements Body
    {
    }

    /** ORDER BY over a set operation. */
    public record Ordered(Body body, Expr.Order order) implements Body
    {
    }

    /** A select block. */
    public record Select(boolean distinct, List<Item> items, From from, Expr where, List<Expr> group, Expr having,
        Expr.Order order, boolean bracketed) implements Body
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
    public record Item(Expr expr, String alias)
    {
    }

    /** FROM. */
    public sealed interface From
    {
    }

    /** A name with a window (null: none). */
    public record Named(String name, Window window, String alias) implements From
    {
    }

    /** A statement in parentheses. */
    public record Sub(Statement statement, String alias) implements From
    {
    }

    /** MATCH_RECOGNIZE. */
    public record Matched(String name, Match match, String alias) implements From
    {
    }

    /** A comma. */
    public record Cross(From left, From right) implements From
    {
    }

    /** An outer join. */
    public record Outer(boolean right, From first, From second, Expr on) implements From
    {
    }

    /** The kinds of windows. */
    public enum WindowKind
    {
        UNBOUNDED, RANGE, VALUE, ROWS, PARTITION, SESSION, UNTIL
    }

    /** A window; rangeNs or slideNs of 0 mean none. */
    public record Window(WindowKind kind, long rangeNs, long slideNs, long rows, long step, List<String> columns,
        BigDecimal value, boolean timed)
    {
        static Window range(final long rangeNs, final long slideNs)
        {
            return new Window(WindowKind.RANGE, rangeNs, slideNs, 0, 1, List.of(), null, false);
        }
    }

    /** ROWS PER MATCH; {@code CQL} when nothing is written. */
    public enum Rows
    {
        CQL, ONE, ALL, ALL_OMIT_EMPTY, ALL_WITH_UNMATCHED;

        public boolean every()
        {
            return this != CQL && this != ONE;
        }
    }

    /** AFTER MATCH SKIP. */
    public enum Skip
    {
        PAST_LAST, NEXT_ROW, FIRST, LAST
    }

    /** MATCH_RECOGNIZE (...). withinNs and durationNs of 0 mean none; a durationOf counts units of durationNs. */
    public record Match(List<String> partition, List<String> order, List<Item> measures, boolean all, Rows rows,
        Skip skip, String skipTo, boolean timers, Pattern pattern, long withinNs, boolean inclusive, long durationNs,
        Expr.Col durationOf, boolean multiples, List<Subset> subsets, List<Item> defines)
    {
    }

    /** A union of variables. */
    public record Subset(String name, List<String> members)
    {
    }

    /** A pattern. */
    public sealed interface Pattern
    {
    }

    /** A variable. */
    public record Var(String name) implements Pattern
    {
    }

    /** No row. */
    public record Nothing() implements Pattern
    {
    }

    /** Rows that are not emitted. */
    public record Exclude(Pattern part) implements Pattern
    {
    }

    /** One after another. */
    public record Seq(List<Pattern> parts) implements Pattern
    {
    }

    /** One of several. */
    public record Alt(List<Pattern> parts) implements Pattern
    {
    }

    /** Repeated; {@code most} is -1 without bound. */
    public record Quant(Pattern part, int least, int most, boolean greedy) implements Pattern
    {
    }
}

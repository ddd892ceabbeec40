package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.SyntaxTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Finds the matches in the rows of one partition by enumerating all labellings in order of preference. */
final class Matcher
{
    private static final int MAX_STEPS = 3_000_000;

    private final SyntaxTree.Match match;
    private final Node root;
    private final TypedExpression[] conditions;
    private final List<TypedExpression> outputs;
    private final Set<Integer> ofRow;
    private final List<ToIntFunction<PartialMatch>> ahead;
    private final long skipTo;
    private final int durationOf;

    /**
     * @param outputs    columns of the result
     * @param ofRow      those that are columns of the source
     * @param ahead      rows that a match waits for
     * @param durationOf column that DURATION counts, -1 without
     */
    Matcher(final SyntaxTree.Match match, final List<String> names, final TypedExpression[] conditions,
        final List<TypedExpression> outputs,
        final Set<Integer> ofRow, final List<ToIntFunction<PartialMatch>> ahead, final long skipTo,
        final int durationOf)
    {
        this.match = match;
        this.conditions = conditions;
        this.outputs = outputs;
        this.ofRow = ofRow;
        this.ahead = ahead;
        this.skipTo = skipTo;
        this.durationOf = durationOf;
        root = node(match.pattern(), names);
    }

    /** A match: output time, first row, rank among those of the start, measures. */
    record Hit(long time, Source.Item first, int order, Row row)
    {
    }

    /** A labelling. */
    private record Found(long time, int start, List<Integer> labels)
    {
    }

    /** Continuation after a position; true stops the enumeration. */
    private interface Next
    {
        boolean go(int position);
    }

    /** A part of the pattern: enumerates its matches from a position, preferred ones first. */
    private interface Node
    {
        boolean walk(Walk walk, int position, Next next);
    }

    private Node node(final SyntaxTree.Pattern pattern, final List<String> names)
    {
        if (pattern instanceof SyntaxTree.Var variable)
        {
            final int label = names.indexOf(variable.name());
            return (walk, position, next) -> walk.consume(label, position, next);
        }
        if (pattern instanceof SyntaxTree.Nothing)
        {
            return (walk, position, next) -> next.go(position);
        }
        if (pattern instanceof SyntaxTree.Exclude exclude)
        {
            return excluding(node(exclude.part(), names));
        }
        if (pattern instanceof SyntaxTree.Alt alt)
        {
            final List<Node> parts = alt.parts().stream().map(part -> node(part, names)).toList();
            return (walk, position, next) -> {
                for (final Node part : parts)
                {
                    if (part.walk(walk, position, next))
                    {
                        return true;
                    }
                }
                return false;
            };
        }
        if (pattern instanceof SyntaxTree.Seq seq)
        {
            Node rest = null;
            for (int i = seq.parts().size() - 1; i >= 0; i--)
            {
                final Node part = node(seq.parts().get(i), names);
                final Node behind = rest;
                rest = behind == null ? part : (walk, position, next) ->
                    part.walk(walk, position, after -> behind.walk(walk, after, next));
            }
            return rest;
        }
        final SyntaxTree.Quant quant = (SyntaxTree.Quant)pattern;
        final Node part = node(quant.part(), names);
        return (walk, position, next) -> repeat(quant, part, 0, walk, position, next);
    }

    private static Node excluding(final Node part)
    {
        return (walk, position, next) -> {
            walk.excluding++;
            final boolean stopped = part.walk(walk, position, after -> {
                walk.excluding--;
                final boolean inside = next.go(after);
                walk.excluding++;
                return inside;
            });
            walk.excluding--;
            return stopped;
        };
    }

    private static boolean repeat(final SyntaxTree.Quant quant, final Node part, final int done, final Walk walk,
        final int position, final Next next)
    {
        if (!quant.greedy() && done >= quant.least() && next.go(position))
        {
            return true;
        }
        // An optional iteration that consumes no row is the last one.
        if ((quant.most() < 0 || done < quant.most()) && part.walk(walk, position, after ->
            after > position || done < quant.least() ? repeat(quant, part, done + 1, walk, after, next)
                : next.go(after)))
        {
            return true;
        }
        return quant.greedy() && done >= quant.least() && next.go(position);
    }

    List<Hit> run(final List<Source.Item> rows, final long now, final Evaluation run)
    {
        final Walk walk = new Walk(rows, now, run);
        if (match.durationNs() > 0)
        {
            return walk.durations();
        }
        return match.all() ? walk.all() : walk.first();
    }

    private enum State
    {
        NONE, OPEN, DONE
    }

    /** The rows of one partition up to now. */
    private final class Walk
    {
        private final List<Source.Item> rows;
        private final long now;
        private final Evaluation run;
        private final PartialMatch candidate;
        private final Env env = new Env();
        private final List<Hit> hits = new ArrayList<>();
        private int limit;
        private boolean mayWait;
        private State state;
        private int steps;
        private boolean stopWhenOpen;
        private int excluding;
        private final boolean[] isExcluded;
        private int decided;
        private boolean isWaiting;
        /** The first row of a match that waits. */
        private int waitsFrom = Integer.MAX_VALUE;

        Walk(final List<Source.Item> rows, final long now, final Evaluation run)
        {
            this.rows = rows;
            this.now = now;
            this.run = run;
            candidate = new PartialMatch(rows);
            isExcluded = new boolean[rows.size() + 1];
            env.candidate = candidate;
        }

        private boolean fits(final long time)
        {
            final long span = time - rows.get(candidate.start).time();
            return match.withinNs() == 0 || span < match.withinNs() || match.inclusive() && span == match.withinNs();
        }

        boolean consume(final int label, final int position, final Next next)
        {
            if (++steps > MAX_STEPS)
            {
                throw new UndefinedResultException("too many ways to match");
            }
            if (position >= limit)
            {
                if (!mayWait || !fits(now))
                {
                    return false;
                }
                state = State.OPEN;
                return stopWhenOpen;
            }
            if (!fits(rows.get(position).time()))
            {
                return false;
            }
            final int index = position - candidate.start;
            candidate.labels[index] = label;
            isExcluded[index] = excluding > 0;
            candidate.length = index + 1;
            candidate.full = index + 1;
            if (conditions[label] != null && !holds(conditions[label]))
            {
                return false;
            }
            return next.go(position + 1);
        }

        private boolean holds(final TypedExpression condition)
        {
            try
            {
                return condition.holds(env);
            }
            catch (final RowEvaluationException rejected)
            {
                candidate.at = -1;
                run.faults++;
                return false;
            }
        }

        /** Labels of the rows so far; those of excluded rows are negative. */
        private int[] labels(final int behind)
        {
            final int[] labels = Arrays.copyOf(candidate.labels, behind - candidate.start);
            for (int i = 0; i < labels.length; i++)
            {
                labels[i] = isExcluded[i] ? ~labels[i] : labels[i];
            }
            return labels;
        }

        private void emit(final long time, final int[] labels, final int order)
        {
            for (int i = 0; i < labels.length; i++)
            {
                candidate.labels[i] = Math.max(labels[i], ~labels[i]);
            }
            candidate.full = labels.length;
            candidate.length = labels.length;
            candidate.bound = candidate.start;
            while (candidate.bound < rows.size() && fits(rows.get(candidate.bound).time()))
            {
                candidate.bound++;
            }
            // Matches of a partition are emitted one after another: those after a waiting one wait as well.
            isWaiting |= fits(now) && ahead.stream().anyMatch(row -> row.applyAsInt(candidate) >= rows.size());
            if (isWaiting)
            {
                waitsFrom = Math.min(waitsFrom, candidate.start);
                return;
            }
            for (int i = match.rows().every() ? Math.min(1, labels.length) : labels.length; i <= labels.length; i++)
            {
                candidate.length = i;
                candidate.own = candidate.start + Math.max(0, i - 1);
                if (i == 0 || !match.rows().every() || labels[i - 1] >= 0)
                {
                    final Object[] values = new Object[outputs.size()];
                    for (int j = 0; j < values.length; j++)
                    {
                        values[j] = outputs.get(j).eval().of(env);
                    }
                    hits.add(new Hit(time, rows.get(candidate.start), order, new Row(values)));
                }
            }
        }

        /** A row without match; it follows the matches that begin before it, and waits while one of them does. */
        private void unmatched(final int row)
        {
            if (match.rows() == SyntaxTree.Rows.ALL_WITH_UNMATCHED && row < waitsFrom)
            {
                final Object[] values = new Object[outputs.size()];
                candidate.own = row;
                ofRow.forEach(place -> values[place] = outputs.get(place).eval().of(env));
                hits.add(new Hit(rows.get(row).time(), rows.get(row), 0, new Row(values)));
            }
        }

        /** Every labelling of every start is a match; a row is without match when none that can still come takes it. */
        List<Hit> all()
        {
            limit = rows.size();
            final List<Found> found = new ArrayList<>();
            final boolean[] isMatched = new boolean[rows.size()];
            int undecided = rows.size();
            for (int start = 0; start < rows.size(); start++)
            {
                candidate.start = start;
                for (final List<Integer> labels : labellings(-1))
                {
                    found.add(new Found(rows.get(start + labels.size() - 1).time(), start, labels));
                    Arrays.fill(isMatched, start, start + labels.size(), true);
                }
                undecided = undecided == rows.size() && mayGrow() ? start : undecided;
            }
            // Numbered as they are reported: when the last row arrives, oldest start first.
            found.sort(Comparator.comparingInt(one -> one.start() + one.labels().size()));
            report(found);
            for (int row = 0; row < undecided; row++)
            {
                if (!isMatched[row])
                {
                    unmatched(row);
                }
            }
            return hits;
        }

        /** Whether a match that takes all rows from the start on and one that has not come is possible. */
        private boolean mayGrow()
        {
            mayWait = true;
            stopWhenOpen = true;
            return root.walk(this, candidate.start, behind -> false);
        }

        private void report(final List<Found> found)
        {
            for (int i = 0; i < found.size(); i++)
            {
                candidate.start = found.get(i).start();
                candidate.number++;
                emit(found.get(i).time(), found.get(i).labels().stream().mapToInt(Integer::intValue).toArray(), i);
            }
        }

        /** The distinct labellings from the start, of exactly the rows before an index, or of any length with -1. */
        private Set<List<Integer>> labellings(final int exactly)
        {
            final Set<List<Integer>> found = new LinkedHashSet<>();
            mayWait = false;
            final int start = candidate.start;
            root.walk(this, start, behind -> {
                if (behind > start && (exactly < 0 || behind == exactly))
                {
                    found.add(Arrays.stream(labels(behind)).boxed().toList());
                }
                return false;
            });
            return found;
        }

        /** The most preferred labelling, from left to right. */
        List<Hit> first()
        {
            limit = rows.size();
            int start = 0;
            while (start < rows.size())
            {
                candidate.start = start;
                final int[] labels = preferred();
                if (run.isLoose)
                {
                    start++;
                    continue;
                }
                if (state == State.OPEN)
                {
                    return hits;
                }
                if (state == State.NONE || labels.length == 0 && match.rows() == SyntaxTree.Rows.CQL)
                {
                    if (start >= decided)
                    {
                        unmatched(start);
                    }
                    start++;
                    continue;
                }
                candidate.number++;
                decided = Math.max(decided, start + Math.max(1, labels.length));
                if (labels.length > 0)
                {
                    emit(rows.get(start + labels.length - 1).time(), labels, 0);
                    start = after(start, labels);
                    continue;
                }
                if (match.rows() != SyntaxTree.Rows.ALL_OMIT_EMPTY)
                {
                    emit(rows.get(start).time(), labels, 0);
                }
                start++;
            }
            return hits;
        }

        private int[] preferred()
        {
            state = State.NONE;
            mayWait = true;
            stopWhenOpen = true;
            final int[][] found = new int[1][];
            root.walk(this, candidate.start, behind -> {
                state = State.DONE;
                found[0] = labels(behind);
                return true;
            });
            return found[0];
        }

        private int after(final int start, final int[] labels)
        {
            if (match.skip() == SyntaxTree.Skip.PAST_LAST)
            {
                return start + labels.length;
            }
            if (match.skip() == SyntaxTree.Skip.NEXT_ROW)
            {
                return start + 1;
            }
            final int row = match.skip() == SyntaxTree.Skip.FIRST ? candidate.first(skipTo, 0) :
                candidate.last(skipTo, 0);
            if (row <= start)
            {
                throw new UndefinedResultException("AFTER MATCH SKIP does not advance");
            }
            return row;
        }

        /** Whether the rows before an index can be the beginning of a match, or are one. */
        private boolean extendable(final int behind)
        {
            limit = behind;
            mayWait = true;
            stopWhenOpen = true;
            state = State.NONE;
            final boolean[] reached = new boolean[1];
            final boolean stopped = root.walk(this, candidate.start, end -> {
                reached[0] |= end == behind;
                return reached[0];
            });
            return stopped || reached[0];
        }

        /** Non-events: the rows of a period are one complete match. */
        List<Hit> durations()
        {
            final List<Found> found = new ArrayList<>();
            int start = 0;
            while (start < rows.size())
            {
                candidate.start = start;
                final int next = duration(start, found);
                if (match.all() || next == Integer.MAX_VALUE || run.isLoose)
                {
                    start++;
                }
                else if (next < 0)
                {
                    break;
                }
                else
                {
                    start = next;
                }
            }
            found.sort(Comparator.comparingLong(Found::time));
            report(found);
            return hits;
        }

        /** Whether an attempt can begin with a row. */
        private boolean begins(final int start)
        {
            limit = start + 1;
            mayWait = true;
            state = State.NONE;
            stopWhenOpen = true;
            return root.walk(this, start, behind -> behind > start);
        }

        /** Where to resume: -1 while it waits, MAX_VALUE at the next row, otherwise after the last row reported. */
        private int duration(final int start, final List<Found> found)
        {
            int reported = Integer.MAX_VALUE;
            final Object units = durationOf < 0 ? Integer.valueOf(1) : rows.get(start).row().values()[durationOf];
            if (units == null || ((Number)units).longValue() <= 0)
            {
                run.faults += begins(start) ? 1 : 0;
                return reported;
            }
            for (int k = 1;; k++)
            {
                final long timer =
                    rows.get(start).time() + k * match.durationNs() * ((Number)units).longValue();
                int behind = start;
                while (behind < rows.size() && rows.get(behind).time() < timer)
                {
                    behind++;
                }
                if (now < timer)
                {
                    return extendable(behind) ? -1 : reported;
                }
                limit = behind;
                for (final List<Integer> labels : labellings(behind))
                {
                    found.add(new Found(timer, start, labels));
                    reported = behind;
                    if (!match.all())
                    {
                        break;
                    }
                }
                if (!match.multiples() || !extendable(behind))
                {
                    return reported;
                }
            }
        }
    }
}

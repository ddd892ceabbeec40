package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Matches of a pattern, enumerated from the definition: all labellings of all starts, most preferred first, by plain
 * backtracking over stored rows. Slow on purpose; shares only the plan with the matcher.
 */
final class Labellings
{
    /** A row of the stream; values are Integer or null. */
    record Row(long timeNs, List<Integer> values)
    {
    }

    /** A row of the result. */
    record Found(long timeNs, int arrival, int number, List<Object> values)
    {
    }

    /** The pattern has too many labellings to enumerate. */
    static final class TooManyException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;
    }

    /** Receives alternatives of a match; true stops the search. */
    private interface Way
    {
        boolean take(int position, List<Integer> labels);
    }

    private static final int EXCLUDED = 256;
    private static final int MAX_STEPS = 300_000;

    private final PatternSpec spec;
    private final List<Row> stream;
    private final long nowNs;
    private final List<Found> found = new ArrayList<>();
    private List<Integer> rows;
    private int start;
    private int limit;
    private boolean mayWait;
    private Way open;
    private int steps;

    private Labellings(final PatternSpec spec, final List<Row> stream, final long nowNs)
    {
        this.spec = spec;
        this.stream = stream;
        this.nowNs = nowNs;
    }

    static List<Found> find(final PatternSpec spec, final List<Row> stream, final long nowNs)
    {
        final Labellings labellings = new Labellings(spec, stream, nowNs);
        final Map<List<Integer>, List<Integer>> partitions = new LinkedHashMap<>();
        for (int i = 0; i < stream.size(); i++)
        {
            final List<Integer> values = stream.get(i).values();
            final List<Integer> key = new ArrayList<>();
            spec.partitionBy().forEach(column -> key.add(values.get(column)));
            partitions.computeIfAbsent(key, k -> new ArrayList<>()).add(i);
        }
        for (final List<Integer> partition : partitions.values())
        {
            labellings.rows = partition;
            if (spec.durationNs() > 0)
            {
                labellings.durations();
            }
            else if (spec.allMatches())
            {
                labellings.all();
            }
            else
            {
                labellings.first();
            }
        }
        labellings.found.sort(Comparator.comparingLong(Found::timeNs).thenComparingInt(Found::arrival)
            .thenComparingInt(Found::number));
        return labellings.found;
    }

    private long timeNs(final int index)
    {
        return stream.get(rows.get(index)).timeNs();
    }

    private boolean fits(final long timeNs)
    {
        final long passedNs = timeNs - timeNs(start);
        return spec.withinNs() == 0 || passedNs < spec.withinNs() ||
            spec.withinInclusive() && passedNs == spec.withinNs();
    }

    private boolean ways(final int from, final int to, final boolean waits, final Way onOpen, final Way onDone)
    {
        start = from;
        limit = to;
        mayWait = waits;
        open = onOpen;
        return walk(spec.pattern(), 0, from, List.of(), onDone);
    }

    private boolean walk(final PatternSpec.Term term, final int flag, final int position, final List<Integer> labels,
        final Way next)
    {
        if (term instanceof PatternSpec.Variable variable)
        {
            return consume(variable.variable(), flag, position, labels, next);
        }
        if (term instanceof PatternSpec.Sequence sequence)
        {
            return sequence(sequence.terms(), 0, flag, position, labels, next);
        }
        if (term instanceof PatternSpec.Alternation choice)
        {
            return choice.terms().stream().anyMatch(each -> walk(each, flag, position, labels, next));
        }
        if (term instanceof PatternSpec.Permute permute)
        {
            return orders(permute.terms()).stream()
                .anyMatch(each -> sequence(each, 0, flag, position, labels, next));
        }
        if (term instanceof PatternSpec.Exclude exclude)
        {
            return walk(exclude.term(), EXCLUDED, position, labels, next);
        }
        if (term instanceof PatternSpec.Repeat repeat)
        {
            return rounds(repeat, 0, flag, position, labels, next);
        }
        return next.take(position, labels);
    }

    private static List<List<PatternSpec.Term>> orders(final List<PatternSpec.Term> terms)
    {
        if (terms.isEmpty())
        {
            return List.of(List.of());
        }
        final List<List<PatternSpec.Term>> orders = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++)
        {
            final List<PatternSpec.Term> rest = new ArrayList<>(terms);
            final PatternSpec.Term head = rest.remove(i);
            for (final List<PatternSpec.Term> tail : orders(rest))
            {
                final List<PatternSpec.Term> order = new ArrayList<>(List.of(head));
                order.addAll(tail);
                orders.add(order);
            }
        }
        return orders;
    }

    private boolean sequence(final List<PatternSpec.Term> terms, final int index, final int flag, final int position,
        final List<Integer> labels, final Way next)
    {
        return index == terms.size() ? next.take(position, labels) : walk(terms.get(index), flag, position, labels,
            (p, l) -> sequence(terms, index + 1, flag, p, l, next));
    }

    private boolean rounds(final PatternSpec.Repeat repeat, final int done, final int flag, final int position,
        final List<Integer> labels, final Way next)
    {
        final boolean mayStop = done >= repeat.min();
        if (!repeat.greedy() && mayStop && next.take(position, labels))
        {
            return true;
        }
        // An optional iteration without a row ends the loop.
        if (done < repeat.max() && walk(repeat.term(), flag, position, labels, (p, l) ->
            p > position || done < repeat.min() ? rounds(repeat, done + 1, flag, p, l, next) : next.take(p, l)))
        {
            return true;
        }
        return repeat.greedy() && mayStop && next.take(position, labels);
    }

    private boolean consume(final int variable, final int flag, final int position, final List<Integer> labels,
        final Way next)
    {
        if (position >= limit)
        {
            return mayWait && fits(nowNs) && open.take(position, labels);
        }
        if (!fits(timeNs(position)))
        {
            return false;
        }
        if (++steps > MAX_STEPS)
        {
            throw new TooManyException();
        }
        final List<Integer> longer = new ArrayList<>(labels);
        longer.add(variable | flag);
        final Expression condition = spec.conditions().get(variable);
        if (condition != null && !Boolean.TRUE.equals(new View(longer, longer, 0, position).value(condition)))
        {
            return false;
        }
        return next.take(position + 1, longer);
    }

    // Selects the labellings that count.

    private void all()
    {
        for (int s = 0; s < rows.size(); s++)
        {
            final int from = s;
            final Set<List<Integer>> seen = new LinkedHashSet<>();
            ways(s, rows.size(), true, (p, l) -> false, (p, l) ->
            {
                if (p > from)
                {
                    seen.add(l);
                }
                return false;
            });
            // Each as soon as its last row has arrived, also when several rows have one time.
            final List<List<Integer>> ordered = new ArrayList<>(seen);
            ordered.sort(Comparator.comparingInt(List::size));
            for (final List<Integer> labels : ordered)
            {
                emit(timeNs(s + labels.size() - 1), s, labels, 0);
            }
        }
    }

    private void first()
    {
        int s = 0;
        int number = 0;
        int matched = -1;
        while (s < rows.size())
        {
            final List<List<Integer>> done = new ArrayList<>();
            final boolean[] isOpen = new boolean[1];
            ways(s, rows.size(), true, (p, l) -> isOpen[0] = true, (p, l) -> done.add(l));
            if (isOpen[0])
            {
                return;
            }
            final boolean isMatch = !done.isEmpty();
            final List<Integer> labels = isMatch ? done.get(0) : List.of();
            final boolean showsEmpty = switch (spec.output())
            {
                case ONE, ALL_SHOW_EMPTY, ALL_WITH_UNMATCHED -> true;
                case ONE_WITHOUT_EMPTY, ALL_OMIT_EMPTY -> false;
            };
            if (!isMatch || labels.isEmpty() && !showsEmpty)
            {
                // An empty match that is not emitted still counts, if empty matches count at all.
                number += isMatch && spec.output() == PatternSpec.RowsPerMatch.ALL_OMIT_EMPTY ? 1 : 0;
                if (spec.output() == PatternSpec.RowsPerMatch.ALL_WITH_UNMATCHED && s > matched)
                {
                    final int row = s;
                    found.add(new Found(timeNs(s), rows.get(s), found.size(), spec.measures().stream()
                        .map(each -> (Object)(each.expression() instanceof PatternExpression.RowColumn own ?
                            stream.get(rows.get(row)).values().get(own.column()) : null)).toList()));
                }
                s++;
                continue;
            }
            final int last = Math.max(s, s + labels.size() - 1);
            emit(timeNs(last), s, labels, ++number);
            matched = Math.max(matched, last);
            s = labels.isEmpty() ? s + 1 : next(s, labels);
        }
    }

    private int next(final int s, final List<Integer> labels)
    {
        int target = s;
        for (int i = 0; i < labels.size(); i++)
        {
            if ((spec.skipVariables() & 1L << labels.get(i) % EXCLUDED) != 0)
            {
                target = s + i;
                if (spec.skip() == PatternSpec.Skip.TO_FIRST)
                {
                    break;
                }
            }
        }
        return switch (spec.skip())
        {
            case PAST_LAST_ROW -> s + labels.size();
            case TO_NEXT_ROW -> s + 1;
            case TO_FIRST, TO_LAST -> target == s ? s + labels.size() : target;
        };
    }

    private List<List<Integer>> exact(final int s, final int to)
    {
        final Set<List<Integer>> seen = new LinkedHashSet<>();
        ways(s, to, false, (p, l) -> false, (p, l) ->
        {
            if (p == to && p > s)
            {
                seen.add(l);
            }
            return false;
        });
        return new ArrayList<>(seen);
    }

    private boolean canGoOn(final int s, final int to)
    {
        final boolean[] can = new boolean[1];
        final Way way = (p, l) -> can[0] |= p == to;
        ways(s, to, true, way, way);
        return can[0];
    }

    private long durationNs(final int s)
    {
        final Integer units = spec.durationColumn() < 0 ? Integer.valueOf(1) :
            stream.get(rows.get(s)).values().get(spec.durationColumn());
        return units == null ? 0 : units * spec.durationNs();
    }

    private void durations()
    {
        int s = 0;
        while (s < rows.size())
        {
            final long durationNs = durationNs(s);
            if (durationNs == 0)
            {
                s++;
                continue;
            }
            int last = -1;
            boolean isWaiting = false;
            for (int k = 1;; k++)
            {
                final long tickNs = timeNs(s) + k * durationNs;
                int to = s;
                while (to < rows.size() && timeNs(to) < tickNs)
                {
                    to++;
                }
                if (nowNs < tickNs)
                {
                    isWaiting = canGoOn(s, to);
                    break;
                }
                final List<List<Integer>> labellings = exact(s, to);
                for (final List<Integer> labels : spec.allMatches() || labellings.isEmpty() ? labellings :
                    labellings.subList(0, 1))
                {
                    emit(tickNs, s, labels, 0);
                    last = to;
                }
                if (!spec.durationRepeats() || !canGoOn(s, to))
                {
                    break;
                }
            }
            if (spec.allMatches())
            {
                s++;
            }
            else if (isWaiting)
            {
                return;
            }
            else
            {
                s = last >= 0 ? last : s + 1;
            }
        }
    }

    private void emit(final long timeNs, final int from, final List<Integer> labels, final int number)
    {
        start = from;
        final boolean isAll = switch (spec.output())
        {
            case ONE, ONE_WITHOUT_EMPTY -> false;
            default -> !labels.isEmpty();
        };
        for (int i = isAll ? 1 : labels.size(); i <= labels.size(); i++)
        {
            if (!isAll || labels.get(i - 1) < EXCLUDED)
            {
                final View view = new View(labels.subList(0, i), labels, number, Math.max(from, from + i - 1));
                final List<Object> values = new ArrayList<>();
                for (final Field measure : spec.measures())
                {
                    values.add(view.value(measure.expression()));
                }
                found.add(new Found(timeNs, rows.get(from), found.size(), values));
            }
        }
    }

    /** Values relative to a labelling. */
    private final class View
    {
        private final List<Integer> running;
        private final List<Integer> last;
        private final int number;
        private final int own;

        View(final List<Integer> running, final List<Integer> last, final int number, final int own)
        {
            this.own = own;
            this.running = running;
            this.last = last;
            this.number = number;
        }

        private List<Integer> labelled(final long variables, final boolean isRunning)
        {
            final List<Integer> labels = isRunning ? running : last;
            final List<Integer> indexes = new ArrayList<>();
            for (int i = 0; i < labels.size(); i++)
            {
                if ((variables & 1L << labels.get(i) % EXCLUDED) != 0)
                {
                    indexes.add(start + i);
                }
            }
            return indexes;
        }

        private Integer column(final int index, final int column)
        {
            return stream.get(rows.get(index)).values().get(column);
        }

        Object value(final Expression expression)
        {
            if (expression instanceof Expression.Literal literal)
            {
                return literal.value();
            }
            if (expression instanceof PatternExpression.Navigation leaf)
            {
                return navigation(leaf);
            }
            if (expression instanceof PatternExpression.Aggregate leaf)
            {
                return aggregate(leaf);
            }
            if (expression instanceof PatternExpression.Classifier leaf)
            {
                final int row = row(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(), leaf.maxAgeMs(),
                    leaf.running());
                return row < start || row >= start + last.size() ? null :
                    spec.variables().get(last.get(row - start) % EXCLUDED);
            }
            if (expression instanceof PatternExpression.RowColumn leaf)
            {
                return column(own, leaf.column());
            }
            if (expression instanceof PatternExpression.MatchNumber)
            {
                return (long)number;
            }
            return call((Expression.Call)expression);
        }

        private Object navigation(final PatternExpression.Navigation leaf)
        {
            final int row = row(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(), leaf.maxAgeMs(),
                leaf.running());
            return row < 0 ? null : column(row, leaf.column());
        }

        /** A row near a labelled one; -1 if none exists, or it is outside the time of the match. */
        private int row(final long variables, final PatternExpression.End end, final int offset, final int back,
            final long maxAgeMs, final boolean isRunning)
        {
            final List<Integer> indexes = labelled(variables, isRunning);
            if (offset >= indexes.size())
            {
                return -1;
            }
            final int from =
                indexes.get(end == PatternExpression.End.FIRST ? offset : indexes.size() - 1 - offset);
            final int to = from - back;
            return to < 0 || to >= rows.size() || to > from && !fits(timeNs(to)) ||
                maxAgeMs >= 0 && timeNs(from) - timeNs(to) > maxAgeMs * 1_000_000 ? -1 : to;
        }

        private Object aggregate(final PatternExpression.Aggregate leaf)
        {
            final List<Integer> indexes = labelled(leaf.variables(), leaf.running());
            if (leaf.arguments().isEmpty())
            {
                return (long)indexes.size();
            }
            List<Integer> values = new ArrayList<>();
            for (final int index : indexes)
            {
                values.add(argument(leaf.arguments().get(0), index));
            }
            values.removeIf(Objects::isNull);
            values = leaf.distinct() ? values.stream().distinct().toList() : values;
            if (leaf.function().equals("count"))
            {
                return (long)values.size();
            }
            if (values.isEmpty())
            {
                return null;
            }
            final long sum = values.stream().mapToLong(Integer::longValue).sum();
            return switch (leaf.function())
            {
                case "sum" -> sum;
                case "avg" -> (float)((double)sum / values.size());
                case "min" -> values.stream().min(Integer::compare).orElseThrow();
                case "max" -> values.stream().max(Integer::compare).orElseThrow();
                default -> throw new IllegalArgumentException(leaf.function());
            };
        }

        private Integer argument(final Expression argument, final int index)
        {
            if (argument instanceof Expression.Column column)
            {
                return column(index, column.column());
            }
            final Expression.Call call = (Expression.Call)argument;
            final Integer left = argument(call.arguments().get(0), index);
            return left == null ? null : left * (Integer)((Expression.Literal)call.arguments().get(1)).value();
        }

        private Object call(final Expression.Call call)
        {
            final Object left = value(call.arguments().get(0));
            final Object right = value(call.arguments().get(1));
            switch (call.operation())
            {
                case AND:
                    return Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right) ? Boolean.FALSE :
                        left == null || right == null ? null : Boolean.TRUE;
                case OR:
                    return Boolean.TRUE.equals(left) || Boolean.TRUE.equals(right) ? Boolean.TRUE :
                        left == null || right == null ? null : Boolean.FALSE;
                default:
            }
            if (left == null || right == null)
            {
                return null;
            }
            if (left instanceof String)
            {
                return left.equals(right) == (call.operation() == Operation.EQUAL);
            }
            final double a = ((Number)left).doubleValue();
            final double b = ((Number)right).doubleValue();
            return switch (call.operation())
            {
                case LESS -> a < b;
                case LESS_OR_EQUAL -> a <= b;
                case GREATER -> a > b;
                case GREATER_OR_EQUAL -> a >= b;
                case EQUAL -> a == b;
                case NOT_EQUAL -> a != b;
                default -> throw new IllegalArgumentException(call.operation().name());
            };
        }
    }
}

package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import dev.millrace.cql.runtime.pattern.PatternProgram.AggregateKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The matching strategy of a pattern, and the reason for it.
 *
 * <p>When at most one condition can hold at each position ({@link Disjointness}), or the first one that holds ends the
 * pattern, an attempt has one labelling and need not store its rows. Without a proof, the strategy is one that is
 * correct for every pattern. Immutable after construction.
 */
public final class PatternStrategySelector
{
    private final PatternSpec spec;
    private final PatternProgram program;
    private final PatternGraph paths;
    private final AttemptLayout layout;
    private final int timeColumn;
    private final Expression[] conditions;
    private final List<List<TimeBound>> bounds = new ArrayList<>();
    private final PatternStrategy kind;
    private final String reason;

    /**
     * @param program the compiled pattern
     */
    public PatternStrategySelector(final FlowNode.Match match, final PatternProgram program)
    {
        this.spec = match.pattern();
        this.program = program;
        paths = new PatternGraph(program);
        conditions = new Expression[spec.variables().size()];
        timeColumn = TimeBound.timeColumn(match.input());
        for (int i = 0; i < conditions.length; i++)
        {
            conditions[i] = spec.conditions().get(i) == null ? null :
                Conjuncts.ofRow(spec.conditions().get(i), i);
            bounds.add(TimeBound.of(conditions[i], timeColumn));
        }
        layout = new AttemptLayout(match, paths, program, FixedLengthPattern.lastVariable(match));
        final String ambiguity = spec.allMatches() ? null : ambiguity();
        final String labelled = program.rules().durationNs() > 0 ?
            "DURATION reports the best labelling of all rows when the time has come" :
            spec.allMatches() ? null : history() != null ? history() : ambiguity;
        kind = labelled != null ? PatternStrategy.LABELLINGS : layout.lastVariable() >= 0 ?
            PatternStrategy.FIXED_LENGTH :
            spec.allMatches() ? PatternStrategy.ALL_MATCHES : isRecord() ? PatternStrategy.RECORD :
                PatternStrategy.REGISTERS;
        reason = labelled != null ? labelled : switch (kind)
        {
            case FIXED_LENGTH -> "each match has " + paths.size() + " rows, one per variable";
            case RECORD -> "a failed attempt leaves a complete match or one row";
            case REGISTERS -> "at most one condition can hold at each position";
            default -> "each labelling is reported with its last row";
        };
    }

    /** A value of the match that is read but is not in the record of its last row. */
    private String history()
    {
        if (program.rules().allRows())
        {
            return "the output shows each row of a match";
        }
        if (program.mayBeEmpty() || paths.first().length == 0)
        {
            return "a match may be empty";
        }
        if (!layout.functions().isEmpty())
        {
            final PatternExpression.Aggregate first = layout.functions().get(0);
            return first.function() + (first.distinct() ? " distinct" : "") + " is computed over all rows of a match";
        }
        return layout.ahead().isEmpty() ? null : "next reads rows after a match";
    }

    /** Whether an attempt stores a record for each of its rows; otherwise that of the last one is sufficient. */
    public boolean hasHistory()
    {
        return program.rules().allRows() || program.mayBeEmpty() || !layout.functions().isEmpty() ||
            program.readsLabelsAhead();
    }

    /**
     * Whether labellings of a start with the same position and equal values in what conditions read have the same
     * future.
     *
     * @return false when a condition reads all rows of the match
     */
    public boolean mergesEqual()
    {
        return !program.rules().allMatches() && Arrays.stream(program.aggregates()).noneMatch(each ->
            each.inCondition() && each.kind() == AggregateKind.FUNCTION);
    }

    /**
     * Whether deadlines depend on a column of the first row, repeat, or apply to several labellings.
     *
     * @return false for a DURATION that is the same for all attempts and reports one labelling once
     */
    public boolean hasTicks()
    {
        final PatternProgram.Rules rules = program.rules();
        return rules.durationNs() > 0 && (rules.repeats() || rules.durationOf() >= 0 || rules.allMatches());
    }

    /** Two conditions that may hold for the same row; {@code null} when each attempt has at most one next position. */
    private String ambiguity()
    {
        String found = ambiguity(paths.first(), "at the start");
        for (int i = 0; found == null && i < paths.size(); i++)
        {
            if (paths.isReached(i))
            {
                found = ambiguity(paths.follow(i), "after " + variable(i));
            }
        }
        return found;
    }

    private String ambiguity(final int[] positions, final String where)
    {
        for (int i = 0; i < positions.length; i++)
        {
            // Later positions do not matter when the attempt ends with this one.
            for (int j = i + 1; !paths.ends(positions[i]) && j < positions.length; j++)
            {
                final Expression one = conditions[program.labels()[positions[i]]];
                final Expression other = conditions[program.labels()[positions[j]]];
                if (one == null || other == null || !Disjointness.areDisjoint(one, other))
                {
                    return variable(positions[i]) + " and " + variable(positions[j]) +
                        " can hold for the same row " + where;
                }
            }
        }
        return null;
    }

    private String variable(final int position)
    {
        return spec.variables().get(program.labels()[position]);
    }

    /** Whether an attempt is complete with its second row at the latest, and stays complete. */
    private boolean isRecord()
    {
        if (program.rules().skip() != PatternProgram.Skip.PAST_LAST_ROW)
        {
            return false;
        }
        for (int i = 0; i < paths.size(); i++)
        {
            if (paths.isReached(i) && Arrays.stream(paths.follow(i)).anyMatch(next -> !paths.accepts(next)))
            {
                return false;
            }
        }
        return true;
    }

    /** The strategy. */
    public PatternStrategy kind()
    {
        return kind;
    }

    /** The reason, for people: part of a sentence. */
    public String reason()
    {
        return reason;
    }

    public PatternGraph paths()
    {
        return paths;
    }

    /**
     * The normalized condition of a variable.
     *
     * @param variable index
     * @return as normalized by {@link Conjuncts#ofRow}; {@code null} for none
     */
    public Expression condition(final int variable)
    {
        return conditions[variable];
    }

    /**
     * The conditions that end the wait at a position before a row arrives, in addition to WITHIN: the attempt fails
     * when, for each variable that may follow, one of its bounds has passed.
     *
     * @param position from 0
     * @return bounds of each variable that may follow; empty when time alone never ends the wait
     */
    public List<List<TimeBound>> deadlines(final int position)
    {
        final List<List<TimeBound>> all = new ArrayList<>();
        // DURATION waits for its time, regardless of rows.
        for (final int next : program.rules().durationNs() > 0 ? new int[0] : paths.follow(position))
        {
            final List<TimeBound> ofNext = bounds.get(program.labels()[next]);
            if (ofNext.isEmpty())
            {
                return List.of();
            }
            if (!all.contains(ofNext))
            {
                all.add(ofNext);
            }
        }
        return all;
    }

    /**
     * Whether a complete match may wait forever for a row that extends it.
     *
     * @return the variables that may follow; empty when WITHIN, a condition on times or the pattern bounds the wait
     */
    public List<String> openTail()
    {
        final PatternProgram.Rules rules = program.rules();
        if (rules.allMatches() || rules.withinNs() > 0 || rules.durationNs() > 0)
        {
            return List.of();
        }
        for (int i = 0; i < paths.size(); i++)
        {
            if (paths.isReached(i) && paths.accepts(i) && paths.follow(i).length > 0 && deadlines(i).isEmpty())
            {
                return Arrays.stream(paths.follow(i)).mapToObj(this::variable).distinct().toList();
            }
        }
        return List.of();
    }

    /**
     * Whether {@code prev} never reads a row before the first row of an attempt, so that a partition without attempts
     * can be discarded.
     */
    public boolean forgets()
    {
        for (final PatternProgram.Navigation navigation : program.navigations())
        {
            for (int i = 0; i < paths.size(); i++)
            {
                final boolean isRead = (navigation.variables() & 1L << program.labels()[i]) != 0;
                if (isRead && paths.isReached(i) && navigation.back() > paths.leastBefore(i))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /** Storage of values when attempts are records. */
    public AttemptLayout layout()
    {
        return layout;
    }

    /** Index of the input column with the time of rows, -1 without. */
    public int timeColumn()
    {
        return timeColumn;
    }

    /**
     * Whether a match removes younger attempts that share its rows.
     *
     * @return false when the search resumes at the next row, and with ALL MATCHES
     */
    public boolean skipsPast()
    {
        return !program.rules().allMatches() && program.rules().skip() == PatternProgram.Skip.PAST_LAST_ROW;
    }

    /**
     * Whether the search resumes at a row of a match.
     *
     * @return false when it resumes after the match or its first row, and when all labellings count
     */
    public boolean skipsToRow()
    {
        return !program.rules().allMatches() && program.rules().durationNs() == 0 && layout.skip() != null;
    }

    /**
     * Whether an attempt that is complete may continue in vain, so that the match ends before its last rows and the
     * state at its end must be stored.
     */
    public boolean mayFallBack()
    {
        for (int i = 0; i < paths.size(); i++)
        {
            if (paths.accepts(i) && Arrays.stream(paths.follow(i)).anyMatch(next -> !paths.accepts(next)))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether an attempt that is complete may accept further rows.
     *
     * @return false when the first row that completes it ends it
     */
    public boolean goesOn()
    {
        for (int i = 0; i < paths.size(); i++)
        {
            if (paths.isReached(i) && paths.accepts(i) && paths.follow(i).length > 0)
            {
                return true;
            }
        }
        return false;
    }

    private List<TimeBound> allBounds()
    {
        final List<TimeBound> all = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++)
        {
            deadlines(i).forEach(all::addAll);
        }
        return all;
    }

    /** Whether some deadline counts from the last row, so that its time must be stored. */
    public boolean readsLastTime()
    {
        return allBounds().stream().anyMatch(bound -> bound.from() == null);
    }

    /** The longest time to a deadline that a condition sets; 0 without. */
    public long greatestSpanNs()
    {
        return allBounds().stream().mapToLong(TimeBound::spanNs).max().orElse(0);
    }

    /** The shortest time to a deadline; at least 1. */
    public long leastSpanNs()
    {
        final long limitNs = Math.max(program.rules().withinNs(), program.rules().durationNs());
        return Math.max(1, Math.min(limitNs > 0 ? limitNs : Long.MAX_VALUE,
            allBounds().stream().mapToLong(TimeBound::spanNs).min().orElse(Long.MAX_VALUE)));
    }

    /**
     * Whether all positions have the same deadlines, so that the deadline of an attempt never becomes earlier.
     *
     * @return false when it must be checked more often
     */
    public boolean areDeadlinesAlike()
    {
        if (program.rules().durationOf() >= 0)
        {
            return false;
        }
        List<List<TimeBound>> alike = null;
        for (int i = 0; i < paths.size(); i++)
        {
            if (paths.isReached(i) && paths.follow(i).length > 0)
            {
                if (alike != null && !alike.equals(deadlines(i)))
                {
                    return false;
                }
                alike = deadlines(i);
            }
        }
        return true;
    }
}

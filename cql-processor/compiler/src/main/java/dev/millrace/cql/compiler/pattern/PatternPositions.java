package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.compiler.emit.PlanNotSupportedException;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The positions of variables in a regular expression and the order in which a backtracking matcher would try them:
 * counted repetitions are unrolled, and an optional iteration without a row ends its loop. In lists of positions,
 * {@link PatternProgram#END} represents continuing without a row.
 *
 * <p>Immutable after construction.
 */
final class PatternPositions
{
    private static final int MAX_POSITIONS = 10_000;
    private static final int MAX_FOLLOWERS = 2_000_000;

    /** Kinds of parts. */
    private enum Kind
    {
        /** One row. */
        ROW,
        /** One after another. */
        SEQUENCE,
        /** One of several. */
        CHOICE,
        /** At most one iteration. */
        OPTION,
        /** Any number of iterations. */
        STAR,
        /** At least one iteration. */
        PLUS
    }

    /** A part of the unrolled expression. */
    private static final class Part
    {
        private final Kind kind;
        private final List<Part> parts = new ArrayList<>();
        private boolean isGreedy;
        private int position;
        private Part parent;
        private int index;

        Part(final Kind kind)
        {
            this.kind = kind;
        }

        Part with(final Part part)
        {
            part.parent = this;
            part.index = parts.size();
            parts.add(part);
            return this;
        }
    }

    private final List<Integer> labels = new ArrayList<>();
    private final List<Boolean> excluded = new ArrayList<>();
    private final Map<Part, List<Integer>> firstOf = new HashMap<>();
    private final List<Part> rows = new ArrayList<>();
    private final int[] first;
    private final int[][] follow;

    PatternPositions(final PatternSpec.Term pattern)
    {
        final Part root = part(pattern, false);
        first = array(first(root));
        follow = new int[rows.size()][];
        int total = 0;
        for (int i = 0; i < follow.length; i++)
        {
            follow[i] = array(after(rows.get(i)));
            total += follow[i].length;
            if (total > MAX_FOLLOWERS)
            {
                throw tooLarge();
            }
        }
    }

    private static PlanNotSupportedException tooLarge()
    {
        return tooLarge("its counts and permutations expand to more than " + MAX_POSITIONS + " positions");
    }

    /** The exception for a pattern that exceeds a limit, which the given clause names. */
    static PlanNotSupportedException tooLarge(final String limit)
    {
        return new PlanNotSupportedException("CQL-7001", "the pattern is too large: " + limit);
    }

    int[] labels()
    {
        return array(labels);
    }

    boolean[] excluded()
    {
        final boolean[] all = new boolean[excluded.size()];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = excluded.get(i);
        }
        return all;
    }

    int[] first()
    {
        return first;
    }

    int[][] follow()
    {
        return follow;
    }

    private static int[] array(final List<Integer> values)
    {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private Part part(final PatternSpec.Term term, final boolean isExcluded)
    {
        if (term instanceof PatternSpec.Variable variable)
        {
            final Part row = new Part(Kind.ROW);
            row.position = rows.size();
            rows.add(row);
            labels.add(variable.variable());
            excluded.add(isExcluded);
            if (rows.size() > MAX_POSITIONS)
            {
                throw tooLarge();
            }
            return row;
        }
        if (term instanceof PatternSpec.Sequence sequence)
        {
            return all(Kind.SEQUENCE, sequence.terms(), isExcluded);
        }
        if (term instanceof PatternSpec.Alternation choice)
        {
            return all(Kind.CHOICE, choice.terms(), isExcluded);
        }
        if (term instanceof PatternSpec.Exclude exclude)
        {
            return part(exclude.term(), true);
        }
        if (term instanceof PatternSpec.Permute permute)
        {
            final Part choice = new Part(Kind.CHOICE);
            permute(permute.terms(), new ArrayList<>(), choice, isExcluded);
            return choice;
        }
        if (term instanceof PatternSpec.Repeat repeat)
        {
            return repeat(repeat, isExcluded);
        }
        return new Part(Kind.SEQUENCE);
    }

    private Part all(final Kind kind, final List<PatternSpec.Term> terms, final boolean isExcluded)
    {
        final Part all = new Part(kind);
        terms.forEach(each -> all.with(part(each, isExcluded)));
        return all;
    }

    private void permute(final List<PatternSpec.Term> left, final List<PatternSpec.Term> chosen, final Part choice,
        final boolean isExcluded)
    {
        if (left.isEmpty())
        {
            choice.with(all(Kind.SEQUENCE, chosen, isExcluded));
            return;
        }
        for (int i = 0; i < left.size(); i++)
        {
            final List<PatternSpec.Term> rest = new ArrayList<>(left);
            final List<PatternSpec.Term> longer = new ArrayList<>(chosen);
            longer.add(rest.remove(i));
            permute(rest, longer, choice, isExcluded);
        }
    }

    private Part repeat(final PatternSpec.Repeat repeat, final boolean isExcluded)
    {
        final boolean isUnbounded = repeat.max() == Integer.MAX_VALUE;
        if (Math.max(repeat.min(), isUnbounded ? 0 : repeat.max()) > MAX_POSITIONS)
        {
            throw tooLarge();
        }
        final int copies = isUnbounded && repeat.min() > 0 ? repeat.min() - 1 : repeat.min();
        final Part sequence = new Part(Kind.SEQUENCE);
        for (int i = 0; i < copies; i++)
        {
            sequence.with(part(repeat.term(), isExcluded));
        }
        if (isUnbounded)
        {
            final Part loop = new Part(repeat.min() > 0 ? Kind.PLUS : Kind.STAR);
            loop.isGreedy = repeat.greedy();
            return sequence.with(loop.with(part(repeat.term(), isExcluded)));
        }
        Part into = sequence;
        for (int i = repeat.min(); i < repeat.max(); i++)
        {
            final Part option = new Part(Kind.OPTION);
            option.isGreedy = repeat.greedy();
            final Part round = new Part(Kind.SEQUENCE).with(part(repeat.term(), isExcluded));
            into.with(option.with(round));
            into = round;
        }
        return sequence;
    }

    /** Positions that may come first in a part. */
    private List<Integer> first(final Part part)
    {
        List<Integer> known = firstOf.get(part);
        if (known == null)
        {
            known = new ArrayList<>(computeFirst(part));
            firstOf.put(part, known);
        }
        return known;
    }

    private Set<Integer> computeFirst(final Part part)
    {
        final Set<Integer> result = new LinkedHashSet<>();
        switch (part.kind)
        {
            case ROW -> result.add(part.position);
            case SEQUENCE -> result.addAll(firstFrom(part, 0, List.of(PatternProgram.END)));
            case CHOICE -> part.parts.forEach(each -> result.addAll(first(each)));
            case OPTION, STAR -> result.addAll(rounds(part, List.of(PatternProgram.END)));
            case PLUS ->
            {
                for (final int each : first(part.parts.get(0)))
                {
                    if (each == PatternProgram.END)
                    {
                        result.addAll(rounds(part, List.of(PatternProgram.END)));
                    }
                    else
                    {
                        result.add(each);
                    }
                }
            }
            default -> throw new IllegalStateException("kind=" + part.kind);
        }
        return result;
    }

    /** One more iteration that consumes a row, or continuing, in the order that the quantifier prefers. */
    private Set<Integer> rounds(final Part loop, final List<Integer> rest)
    {
        final Set<Integer> result = new LinkedHashSet<>();
        // The iteration of an option is the term followed by the next option, which is reachable only by an iteration
        // that consumed a row.
        final Part term = loop.kind == Kind.OPTION ? loop.parts.get(0).parts.get(0) : loop.parts.get(0);
        if (!loop.isGreedy)
        {
            result.addAll(rest);
        }
        for (final int each : first(term))
        {
            // An iteration without a row ends the loop.
            result.addAll(each == PatternProgram.END ? rest : List.of(each));
        }
        result.addAll(rest);
        return result;
    }

    private Set<Integer> firstFrom(final Part sequence, final int index, final List<Integer> rest)
    {
        if (index == sequence.parts.size())
        {
            return new LinkedHashSet<>(rest);
        }
        final Set<Integer> result = new LinkedHashSet<>();
        for (final int each : first(sequence.parts.get(index)))
        {
            if (each == PatternProgram.END)
            {
                result.addAll(firstFrom(sequence, index + 1, rest));
            }
            else
            {
                result.add(each);
            }
        }
        return result;
    }

    /** Positions that may come after a part that has consumed a row. */
    private List<Integer> after(final Part part)
    {
        final Part parent = part.parent;
        if (parent == null)
        {
            return List.of(PatternProgram.END);
        }
        return switch (parent.kind)
        {
            case SEQUENCE -> afterInSequence(parent, part.index);
            case STAR, PLUS -> new ArrayList<>(rounds(parent, after(parent)));
            case CHOICE, OPTION -> after(parent);
            case ROW -> throw new IllegalStateException("a row has no parts");
        };
    }

    private List<Integer> afterInSequence(final Part sequence, final int index)
    {
        if (index == sequence.parts.size() - 1)
        {
            return after(sequence);
        }
        final Set<Integer> next = firstFrom(sequence, index + 1, List.of(PatternProgram.END));
        return new ArrayList<>(next.contains(PatternProgram.END) ?
            firstFrom(sequence, index + 1, after(sequence)) : next);
    }
}

package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The references of a pattern's conditions and measures to the match, each numbered once, and which conditions read
 * only the row itself and rows physically before it.
 *
 * <p>Immutable after construction.
 */
public final class PatternAnalysis
{
    private final PatternSpec spec;
    private final boolean isRunningDistinct;
    private final Map<PatternProgram.Navigation, Integer> navigations = new LinkedHashMap<>();
    private final List<Boolean> navigationInCondition = new ArrayList<>();
    private final Set<PatternProgram.Navigation> navigationsInMeasures = new HashSet<>();
    private final Map<PatternExpression.Aggregate, Integer> aggregates = new LinkedHashMap<>();
    private final List<Boolean> aggregateInCondition = new ArrayList<>();
    private final Map<PatternExpression.Classifier, Integer> classifiers = new LinkedHashMap<>();
    private final List<Boolean> classifierInCondition = new ArrayList<>();
    private boolean readsNumber;
    private final PatternProgram program;

    /**
     * @throws dev.millrace.cql.compiler.emit.PlanNotSupportedException when the pattern is too large
     */
    public PatternAnalysis(final PatternSpec spec)
    {
        this.spec = spec;
        isRunningDistinct = switch (spec.output())
        {
            case ONE_WITHOUT_EMPTY, ONE -> false;
            case ALL_SHOW_EMPTY, ALL_OMIT_EMPTY, ALL_WITH_UNMATCHED -> true;
        };
        long rowLocal = 0;
        long unconditional = 0;
        for (int i = 0; i < spec.conditions().size(); i++)
        {
            final Expression condition = spec.conditions().get(i);
            if (condition == null)
            {
                unconditional |= 1L << i;
                continue;
            }
            final boolean isLocal = isRowLocal(condition, i);
            rowLocal |= isLocal ? 1L << i : 0;
            collect(condition, i, isLocal);
        }
        spec.measures().forEach(each -> collect(each.expression(), -1, false));
        program = program(unconditional, rowLocal);
    }

    /** The compiled pattern. */
    public PatternProgram program()
    {
        return program;
    }

    /** Whether arguments can only be computed when the match is known. */
    private static boolean isOfMatch(final PatternExpression.Aggregate aggregate)
    {
        return aggregate.arguments().stream().anyMatch(PatternAnalysis::readsMatch);
    }

    /** Whether an argument of an aggregate reads the match, not only columns of a row. */
    public static boolean readsMatch(final Expression expression)
    {
        return expression instanceof PatternExpression ||
            ExpressionParts.of(expression).stream().anyMatch(PatternAnalysis::readsMatch);
    }

    private static boolean readsNumber(final Expression expression)
    {
        return expression instanceof PatternExpression.MatchNumber ||
            ExpressionParts.of(expression).stream().anyMatch(PatternAnalysis::readsNumber);
    }

    private boolean isRunning(final boolean isRunning, final boolean inCondition)
    {
        return isRunning || inCondition || !isRunningDistinct;
    }

    private PatternProgram.Navigation key(final PatternExpression.Navigation leaf, final boolean inCondition)
    {
        return new PatternProgram.Navigation(leaf.variables(), leaf.end() == PatternExpression.End.FIRST,
            leaf.offset(), leaf.back(), leaf.maxAgeMs() < 0 ? -1 : Math.multiplyExact(leaf.maxAgeMs(), 1_000_000L),
            isRunning(leaf.running(), inCondition), false, false);
    }

    private PatternExpression.Aggregate key(final PatternExpression.Aggregate leaf, final boolean inCondition)
    {
        return new PatternExpression.Aggregate(leaf.variables(), leaf.function(), leaf.arguments(), leaf.distinct(),
            isRunning(leaf.running(), inCondition), leaf.type());
    }

    private PatternExpression.Classifier key(final PatternExpression.Classifier leaf, final boolean inCondition)
    {
        return new PatternExpression.Classifier(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(),
            leaf.maxAgeMs(), isRunning(leaf.running(), inCondition));
    }

    /** The row whose variable is read. */
    private static PatternExpression.Navigation row(final PatternExpression.Classifier leaf)
    {
        return new PatternExpression.Navigation(leaf.variables(), leaf.end(), leaf.offset(), leaf.back(),
            leaf.maxAgeMs(), leaf.running(), 0, leaf.type());
    }

    /** Whether a leaf refers to the row that is tested, or to one physically before it. */
    private static boolean isTestedRow(final PatternExpression.Navigation leaf, final int variable)
    {
        return (leaf.variables() & 1L << variable) != 0 && leaf.end() == PatternExpression.End.LAST &&
            leaf.offset() == 0;
    }

    private static boolean isRowLocal(final Expression expression, final int variable)
    {
        if (expression instanceof PatternExpression.Navigation leaf)
        {
            return isTestedRow(leaf, variable);
        }
        if (expression instanceof PatternExpression.Classifier leaf)
        {
            return leaf.isOfLast() && (leaf.variables() & 1L << variable) != 0;
        }
        if (expression instanceof PatternExpression)
        {
            return false;
        }
        return ExpressionParts.of(expression).stream().allMatch(each -> isRowLocal(each, variable));
    }

    /** Numbers the leaves, and marks those that distinguish candidates for later conditions. */
    private void collect(final Expression expression, final int variable, final boolean isLocal)
    {
        final boolean inCondition = variable >= 0;
        if (expression instanceof PatternExpression.Navigation leaf)
        {
            note(leaf, variable, isLocal);
        }
        else if (expression instanceof PatternExpression.Aggregate leaf)
        {
            note(aggregates, aggregateInCondition, key(leaf, inCondition), inCondition);
            readsNumber |= leaf.arguments().stream().anyMatch(PatternAnalysis::readsNumber);
        }
        else if (expression instanceof PatternExpression.Classifier leaf)
        {
            note(classifiers, classifierInCondition, key(leaf, inCondition), inCondition && !isLocal);
            if (!leaf.isOfLast())
            {
                note(row(leaf), variable, isLocal);
            }
        }
        else if (expression instanceof PatternExpression.MatchNumber)
        {
            readsNumber = true;
        }
        ExpressionParts.of(expression).forEach(each -> collect(each, variable, isLocal));
    }

    private void note(final PatternExpression.Navigation leaf, final int variable, final boolean isLocal)
    {
        final boolean inCondition = variable >= 0;
        note(navigations, navigationInCondition, key(leaf, inCondition),
            inCondition && !isLocal && !isTestedRow(leaf, variable));
        if (!inCondition)
        {
            navigationsInMeasures.add(key(leaf, false));
        }
    }

    private static <T> void note(
        final Map<T, Integer> numbers, final List<Boolean> flags, final T key, final boolean inCondition)
    {
        final Integer known = numbers.putIfAbsent(key, numbers.size());
        if (known == null)
        {
            flags.add(inCondition);
        }
        else if (inCondition)
        {
            flags.set(known, true);
        }
    }

    private PatternProgram program(final long unconditional, final long rowLocal)
    {
        final PatternPositions positions = new PatternPositions(spec.pattern());
        final PatternProgram.Navigation[] navigationArray = navigations.keySet().stream()
            .map(each -> new PatternProgram.Navigation(each.variables(), each.isFirst(), each.offset(), each.back(),
                each.maxAgeNs(), each.running(), navigationInCondition.get(navigations.get(each)),
                navigationsInMeasures.contains(each)))
            .toArray(PatternProgram.Navigation[]::new);
        final PatternProgram.Aggregate[] aggregateArray = aggregates.keySet().stream()
            .map(each -> aggregate(each, aggregateInCondition.get(aggregates.get(each))))
            .toArray(PatternProgram.Aggregate[]::new);
        final PatternProgram.Classifier[] classifierArray = classifiers.keySet().stream()
            .map(each -> new PatternProgram.Classifier(each.variables(), each.running(),
                classifierInCondition.get(classifiers.get(each)),
                each.isOfLast() ? -1 : navigations.get(key(row(each), false))))
            .toArray(PatternProgram.Classifier[]::new);
        return new PatternProgram(spec.variables().toArray(new String[0]), positions.labels(), positions.excluded(),
            positions.first(), positions.follow(), unconditional, rowLocal, navigationArray, aggregateArray,
            classifierArray, readsNumber, rules(), spec.partitionBy().stream().mapToInt(Integer::intValue).toArray());
    }

    private PatternProgram.Rules rules()
    {
        return new PatternProgram.Rules(spec.allMatches(), spec.withinNs(), spec.withinInclusive(), spec.durationNs(),
            spec.durationColumn(), spec.durationRepeats(), switch (spec.skip())
            {
                case PAST_LAST_ROW -> PatternProgram.Skip.PAST_LAST_ROW;
                case TO_NEXT_ROW -> PatternProgram.Skip.TO_NEXT_ROW;
                case TO_FIRST -> PatternProgram.Skip.TO_FIRST;
                case TO_LAST -> PatternProgram.Skip.TO_LAST;
            }, spec.skipVariables(), isRunningDistinct, switch (spec.output())
            {
                case ONE, ALL_SHOW_EMPTY, ALL_OMIT_EMPTY, ALL_WITH_UNMATCHED -> true;
                case ONE_WITHOUT_EMPTY -> false;
            }, spec.output() == PatternSpec.RowsPerMatch.ALL_OMIT_EMPTY,
                spec.output() == PatternSpec.RowsPerMatch.ALL_WITH_UNMATCHED);
    }

    private static PatternProgram.Aggregate aggregate(final PatternExpression.Aggregate leaf, final boolean inCondition)
    {
        return new PatternProgram.Aggregate(isFunction(leaf) ? PatternProgram.AggregateKind.FUNCTION : kind(leaf),
            leaf.function(), leaf.variables(), leaf.distinct(), leaf.type(), leaf.running(), inCondition);
    }

    /** Whether an aggregate is computed over all rows of a match. */
    static boolean isFunction(final PatternExpression.Aggregate leaf)
    {
        return isOfMatch(leaf) || kind(leaf) == PatternProgram.AggregateKind.FUNCTION;
    }

    private static PatternProgram.AggregateKind kind(final PatternExpression.Aggregate leaf)
    {
        final String function = leaf.function();
        if (leaf.arguments().isEmpty())
        {
            return PatternProgram.AggregateKind.COUNT_ROWS;
        }
        if (leaf.arguments().size() > 1)
        {
            return PatternProgram.AggregateKind.FUNCTION;
        }
        final CqlType type = leaf.arguments().get(0).type();
        if (function.equals("min") || function.equals("max"))
        {
            return function.equals("min") ? PatternProgram.AggregateKind.MIN : PatternProgram.AggregateKind.MAX;
        }
        if (leaf.distinct())
        {
            return PatternProgram.AggregateKind.FUNCTION;
        }
        if (function.equals("count"))
        {
            return PatternProgram.AggregateKind.COUNT;
        }
        final boolean isSum = function.equals("sum");
        if (!isSum && !function.equals("avg"))
        {
            return PatternProgram.AggregateKind.FUNCTION;
        }
        return switch (type)
        {
            case INT, BIGINT, INTERVAL, TIMESTAMP -> isSum ? PatternProgram.AggregateKind.SUM_LONG :
                PatternProgram.AggregateKind.AVG_LONG;
            case FLOAT, DOUBLE -> isSum ? PatternProgram.AggregateKind.SUM_DOUBLE :
                PatternProgram.AggregateKind.AVG_DOUBLE;
            default -> PatternProgram.AggregateKind.FUNCTION;
        };
    }
}

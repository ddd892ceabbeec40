package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.semantic.LogicalMatch;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.PatternSpec.RowsPerMatch;
import dev.millrace.cql.plan.flow.PatternSpec.Skip;
import dev.millrace.cql.plan.flow.PatternSpec.Term;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** Converts an analyzed MATCH_RECOGNIZE to a node of a flow. Used for one pattern. */
final class PatternPlanner
{
    private final LogicalMatch match;
    private final FlowNode input;

    private PatternPlanner(final LogicalMatch match, final FlowNode input)
    {
        this.match = match;
        this.input = input;
    }

    /**
     * Plans a pattern.
     *
     * @param match analyzed pattern
     * @param input stream with the columns of its source in order
     * @return node whose rows are {@link LogicalMatch#columns()}
     */
    static FlowNode.Match plan(final LogicalMatch match, final FlowNode input)
    {
        if (!match.readsElementTime())
        {
            return new PatternPlanner(match, input).plan();
        }
        return new PatternPlanner(match, new FlowNode.Timed(input)).plan();
    }

    private FlowNode.Match plan()
    {
        final List<Expression> leaves = new ArrayList<>();
        match.leaves().forEach(leaf -> leaves.add(leaf(leaf)));
        final ExpressionTranslator translator = new ExpressionTranslator(leaves::get);
        final List<Expression> conditions = new ArrayList<>();
        for (final RexNode condition : match.conditions())
        {
            conditions.add(condition == null ? null : translator.translate(condition));
        }
        final List<Field> measures = new ArrayList<>();
        for (final LogicalMatch.Measure measure : match.measures())
        {
            measures.add(new Field(measure.name(), translator.translate(measure.value())));
        }
        final MatchClause written = match.match();
        final MatchClause.Limit within = written.within();
        final MatchClause.Limit duration = written.duration();
        return new FlowNode.Match(input, new PatternSpec(match.partitionBy(), match.variables(), conditions,
            term(written.pattern()), measures, written.allMatches() != null,
            within == null ? 0 : within.period().ns(), within != null && within.special(),
            duration == null ? 0 : duration.period().ns(), match.duration(), duration != null && duration.special(),
            skip(written.skip()), match.skip(), rows(written.rows())));
    }

    private Expression leaf(final LogicalMatch.Leaf leaf)
    {
        if (leaf instanceof LogicalMatch.Navigation navigation)
        {
            return new PatternExpression.Navigation(navigation.variables(),
                navigation.first() ? End.FIRST : End.LAST, navigation.offset(), navigation.back(),
                navigation.maxAgeMs(), navigation.running(), column(navigation.column()), navigation.type());
        }
        if (leaf instanceof LogicalMatch.Aggregate aggregate)
        {
            final ExpressionTranslator translator = new ExpressionTranslator(this::argumentColumn);
            return new PatternExpression.Aggregate(aggregate.variables(), aggregate.function(),
                aggregate.arguments().stream().map(translator::translate).toList(), aggregate.distinct(),
                aggregate.running(), aggregate.type());
        }
        if (leaf instanceof LogicalMatch.Classifier classifier)
        {
            return new PatternExpression.Classifier(classifier.variables(),
                classifier.first() ? End.FIRST : End.LAST, classifier.offset(), classifier.back(),
                classifier.maxAgeMs(), classifier.running());
        }
        if (leaf instanceof LogicalMatch.RowColumn own)
        {
            return new PatternExpression.RowColumn(own.column(), own.type());
        }
        return new PatternExpression.MatchNumber();
    }

    private Expression argumentColumn(final int index)
    {
        if (index == match.matchNumberColumn())
        {
            return new PatternExpression.MatchNumber();
        }
        if (index == match.classifierColumn())
        {
            return new PatternExpression.Classifier(-1L, true);
        }
        final CqlType type = index == match.elementTimeColumn() ? CqlType.BIGINT
            : match.source().columns().get(index).type();
        return new Expression.Column(column(index), type, true);
    }

    /** The input column for a column of the source, or for the time of a row, which is the last column. */
    private int column(final int index)
    {
        return index == match.elementTimeColumn() ? input.rows().types().size() - 1 : index;
    }

    private Term term(final MatchClause.Term term)
    {
        if (term instanceof MatchClause.Variable variable)
        {
            return new PatternSpec.Variable(match.indexOf(variable.name().getSimple()));
        }
        if (term instanceof MatchClause.Sequence sequence)
        {
            return new PatternSpec.Sequence(terms(sequence.terms()));
        }
        if (term instanceof MatchClause.Alternation alternation)
        {
            return new PatternSpec.Alternation(terms(alternation.terms()));
        }
        if (term instanceof MatchClause.Repeat repeat)
        {
            return new PatternSpec.Repeat(term(repeat.term()), repeat.min(), repeat.max(), repeat.greedy());
        }
        if (term instanceof MatchClause.Permute permute)
        {
            return new PatternSpec.Permute(terms(permute.terms()));
        }
        return term instanceof MatchClause.Exclude exclude ? new PatternSpec.Exclude(term(exclude.term()))
            : new PatternSpec.Empty();
    }

    private List<Term> terms(final List<MatchClause.Term> terms)
    {
        return terms.stream().map(this::term).toList();
    }

    private static Skip skip(final MatchClause.Skip skip)
    {
        if (skip == null)
        {
            return Skip.PAST_LAST_ROW;
        }
        return switch (skip.kind())
        {
            case PAST_LAST_ROW -> Skip.PAST_LAST_ROW;
            case TO_NEXT_ROW -> Skip.TO_NEXT_ROW;
            case TO_FIRST -> Skip.TO_FIRST;
            case TO_LAST -> Skip.TO_LAST;
        };
    }

    private static RowsPerMatch rows(final MatchClause.Rows rows)
    {
        if (rows == null)
        {
            return RowsPerMatch.ONE_WITHOUT_EMPTY;
        }
        return switch (rows.kind())
        {
            case ONE -> RowsPerMatch.ONE;
            case ALL_SHOW_EMPTY -> RowsPerMatch.ALL_SHOW_EMPTY;
            case ALL_OMIT_EMPTY -> RowsPerMatch.ALL_OMIT_EMPTY;
            case ALL_WITH_UNMATCHED -> RowsPerMatch.ALL_WITH_UNMATCHED;
        };
    }
}

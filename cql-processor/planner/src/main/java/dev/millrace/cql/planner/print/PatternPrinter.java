package dev.millrace.cql.planner.print;

import static dev.millrace.cql.planner.print.ExpressionPrinter.show;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats row patterns for display, in a syntax close to that of statements. */
final class PatternPrinter
{
    private final PatternSpec spec;
    private final RowType input;

    PatternPrinter(final PatternSpec spec, final RowType input)
    {
        this.spec = spec;
        this.input = input;
    }

    /** The pattern and its clauses. */
    String head()
    {
        return "pattern (" + term(spec.pattern(), true) + ")" + (spec.allMatches() ? " all matches" : "") +
            (spec.partitionBy().isEmpty() ? "" : " partition by " + WindowPrinter.names(spec.partitionBy(), input)) +
            (spec.withinNs() > 0 ? " within " + (spec.withinInclusive() ? "inclusive " : "") +
                WindowPrinter.time(spec.withinNs()) : "") +
            (spec.durationNs() > 0 ? " duration " + (spec.durationRepeats() ? "multiples of " : "") +
                (spec.durationColumn() < 0 ? "" : input.names().get(spec.durationColumn()) + " times ") +
                WindowPrinter.time(spec.durationNs()) : "");
    }

    /** The conditions and measures, one line each. */
    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        for (int i = 0; i < spec.variables().size(); i++)
        {
            if (spec.conditions().get(i) != null)
            {
                lines.add(spec.variables().get(i) + " as " + show(spec.conditions().get(i), this::leaf));
            }
        }
        spec.measures().forEach(each ->
            lines.add("measure " + each.name() + " = " + show(each.expression(), this::leaf)));
        return lines;
    }

    private String term(final PatternSpec.Term term, final boolean isAlone)
    {
        if (term instanceof PatternSpec.Variable variable)
        {
            return spec.variables().get(variable.variable());
        }
        if (term instanceof PatternSpec.Repeat repeat)
        {
            return term(repeat.term(), false) + quantifier(repeat) + (repeat.greedy() ? "" : "?");
        }
        if (term instanceof PatternSpec.Sequence sequence)
        {
            return grouped(isAlone, all(sequence.terms(), " "));
        }
        if (term instanceof PatternSpec.Alternation choice)
        {
            return grouped(isAlone, all(choice.terms(), " | "));
        }
        if (term instanceof PatternSpec.Permute permute)
        {
            return "permute(" + all(permute.terms(), ", ") + ")";
        }
        return term instanceof PatternSpec.Exclude exclude ? "{- " + term(exclude.term(), true) + " -}" : "()";
    }

    private String all(final List<PatternSpec.Term> terms, final String between)
    {
        return terms.stream().map(each -> term(each, false)).collect(Collectors.joining(between));
    }

    private static String grouped(final boolean isAlone, final String text)
    {
        return isAlone ? text : "(" + text + ")";
    }

    private static String quantifier(final PatternSpec.Repeat repeat)
    {
        final boolean isUnbounded = repeat.max() == Integer.MAX_VALUE;
        if (isUnbounded && repeat.min() <= 1)
        {
            return repeat.min() == 0 ? "*" : "+";
        }
        if (repeat.min() == 0 && repeat.max() == 1)
        {
            return "?";
        }
        return "{" + repeat.min() + (repeat.max() == repeat.min() ? "" : "," + (isUnbounded ? "" : repeat.max())) + "}";
    }

    private String leaf(final PatternExpression leaf)
    {
        if (leaf instanceof PatternExpression.Navigation step)
        {
            return navigation(step);
        }
        if (leaf instanceof PatternExpression.Aggregate aggregate)
        {
            final String of = aggregate.arguments().isEmpty() ? "*" : aggregate.arguments().stream()
                .map(each -> show(each, this::leaf)).collect(Collectors.joining(", "));
            return aggregate.function() + "(" + (aggregate.distinct() ? "distinct " : "") + of + " over " +
                variables(aggregate.variables()) + ")";
        }
        if (leaf instanceof PatternExpression.RowColumn own)
        {
            return "row." + input.names().get(own.column());
        }
        if (leaf instanceof PatternExpression.Classifier step)
        {
            return navigation(new PatternExpression.Navigation(step.variables(), step.end(), step.offset(),
                step.back(), step.maxAgeMs(), step.running(), -1, CqlType.CHAR));
        }
        return "match_number()";
    }

    private String navigation(final PatternExpression.Navigation step)
    {
        String text = step.column() < 0 ? "classifier(" + variables(step.variables()) + ")" :
            variables(step.variables()) + "." + input.names().get(step.column());
        if (step.end() == PatternExpression.End.FIRST)
        {
            text = "first(" + text + (step.offset() == 0 ? "" : ", " + step.offset()) + ")";
        }
        else if (step.offset() > 0)
        {
            text = "last(" + text + ", " + step.offset() + ")";
        }
        return step.back() == 0 ? text : step.back() > 0 ? "prev(" + text + ", " + step.back() +
            (step.maxAgeMs() < 0 ? "" : ", " + step.maxAgeMs()) + ")" : "next(" + text + ", " + -step.back() + ")";
    }

    /** Names of variables; {@code all} for every row of the match. */
    private String variables(final long mask)
    {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < spec.variables().size(); i++)
        {
            if ((mask & 1L << i) != 0)
            {
                names.add(spec.variables().get(i));
            }
        }
        return names.size() == 1 ? names.get(0) : names.size() == spec.variables().size() ? "all" : names.toString();
    }
}

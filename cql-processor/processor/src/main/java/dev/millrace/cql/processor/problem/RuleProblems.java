package dev.millrace.cql.processor.problem;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;

/** Converts positions in a rule's text to positions in the file that contains the rule. */
public final class RuleProblems
{
    private RuleProblems()
    {
    }

    /**
     * Creates the exception for the deployer.
     *
     * @param processor processor whose rules were planned
     * @param failure   problems from the language or the planner
     * @return every problem, with its position in the configuration file
     */
    public static DeploymentException inFile(final ProcessorStage processor, final CqlException failure)
    {
        final List<DeploymentException.Problem> problems = failure.problems().stream()
            .map(problem -> inFile(processor, problem))
            .toList();
        return new DeploymentException(problems, failure);
    }

    /** Converts a problem of a rule to one with its position in the file. */
    public static DeploymentException.Problem inFile(final ProcessorStage processor, final CqlProblem problem)
    {
        return new DeploymentException.Problem(
            problem.code(), position(processor, problem), problem.text(), orEmpty(problem.hint()),
            orEmpty(problem.excerpt()));
    }

    private static SourcePosition position(final ProcessorStage processor, final CqlProblem problem)
    {
        for (final ProcessorStage.Rule rule : processor.rules())
        {
            if (rule.id().equals(problem.ruleId()))
            {
                if (problem.code().equals(Message.PARAMETER_COUNT.code()) && rule.params() != null)
                {
                    return rule.params().position();
                }
                return problem.line() < 1 ? inAttribute(rule, problem) : inside(rule, problem.line(), problem.column());
            }
        }
        return processor.position();
    }

    private static SourcePosition inAttribute(final ProcessorStage.Rule rule, final CqlProblem problem)
    {
        final SourcePosition value =
            rule.positions() == null ? null : rule.positions().attributes().get(problem.attribute());
        return value == null ? rule.position() :
            new SourcePosition(value.file(), value.line(), value.column() + problem.column() - 1);
    }

    /** Only the first line of a rule starts inside a line of the file. */
    private static SourcePosition inside(final ProcessorStage.Rule rule, final int line, final int column)
    {
        final SourcePosition start = rule.position();
        if (start.line() < 1)
        {
            return new SourcePosition("rule " + rule.id(), line, column);
        }
        if (rule.positions() != null)
        {
            return rule.positions().of(rule.text(), index(rule.text(), line, column));
        }
        return new SourcePosition(
            start.file(), start.line() + line - 1, line == 1 ? start.column() + column - 1 : column);
    }

    private static int index(final String text, final int line, final int column)
    {
        int start = 0;
        for (int i = 1; i < line && start >= 0; i++)
        {
            start = text.indexOf('\n', start) + 1;
        }
        return Math.min(text.length(), start + column - 1);
    }

    private static String orEmpty(final String text)
    {
        return text == null ? "" : text;
    }
}

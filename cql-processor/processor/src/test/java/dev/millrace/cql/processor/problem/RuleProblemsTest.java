package dev.millrace.cql.processor.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.RulePositions;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A problem's position in a rule is converted to its position in the file. */
@Timeout(60)
class RuleProblemsTest
{
    private static final String FILE = "META-INF/wlevs/config.xml";
    private final ProcessorStage processor = new ProcessorStage("proc", "cql",
        List.of(rule("first", new SourcePosition(FILE, 12, 20)), rule("made", SourcePosition.NONE)), Map.of(), 0,
        List.of(), new SourcePosition(FILE, 3, 5));

    private static Rule rule(final String id, final SourcePosition position)
    {
        return new Rule(id, false, "select a\nfrom S", List.of(), null, null, true, position);
    }

    private SourcePosition map(final String ruleId, final int line, final int column)
    {
        return map(processor, ruleId, line, column, line < 1 ? "schema" : "");
    }

    private static SourcePosition map(final ProcessorStage processor, final String ruleId, final int line,
        final int column, final String attribute)
    {
        final DeploymentException mapped = RuleProblems.inFile(processor, new CqlException(List.of(
            new CqlProblem("CQL-0001", ruleId, line, column, line, column, "wrong", "do this", "text\n^", attribute))));
        final Problem problem = mapped.problems().get(0);
        assertThat(problem.code()).isEqualTo("CQL-0001");
        assertThat(problem.text()).isEqualTo("wrong");
        assertThat(problem.hint()).isEqualTo("do this");
        assertThat(problem.excerpt()).isEqualTo("text\n^");
        return problem.position();
    }

    @Test
    void shouldAddTheColumnWhenTheProblemIsInTheFirstLine()
    {
        assertThat(map("first", 1, 8)).isEqualTo(new SourcePosition(FILE, 12, 27));
    }

    @Test
    void shouldCountLinesOnlyWhenTheProblemIsInALaterLine()
    {
        assertThat(map("first", 2, 6)).isEqualTo(new SourcePosition(FILE, 13, 6));
    }

    @Test
    void shouldNameTheRuleWhenItWasNotReadFromAFile()
    {
        assertThat(map("made", 2, 6)).isEqualTo(new SourcePosition("rule made", 2, 6));
    }

    @Test
    void shouldPointAtTheRuleWhenTheProblemIsInAnAttribute()
    {
        assertThat(map("first", 0, 1)).isEqualTo(new SourcePosition(FILE, 12, 20));
    }

    @Test
    void shouldPointIntoTheAttributeWhenItsPlaceIsKnown()
    {
        assertThat(map(placed(), "first", 0, 3, "schema")).isEqualTo(new SourcePosition(FILE, 11, 42));
        assertThat(map(placed(), "first", 0, 1, "id")).isEqualTo(new SourcePosition(FILE, 12, 20));
    }

    @Test
    void shouldCountWhatTheFileHasBetweenTheRunsOfAText()
    {
        // "select a", a character reference of six characters for the line end, "from S".
        assertThat(map(placed(), "first", 1, 8, "")).isEqualTo(new SourcePosition(FILE, 12, 27));
        assertThat(map(placed(), "first", 2, 1, "")).isEqualTo(new SourcePosition(FILE, 12, 34));
        assertThat(map(placed(), "first", 2, 6, "")).isEqualTo(new SourcePosition(FILE, 12, 39));
        assertThat(map(placed(), "first", 2, 7, "")).isEqualTo(new SourcePosition(FILE, 12, 40));
    }

    private static ProcessorStage placed()
    {
        final RulePositions places = new RulePositions(List.of(
            new RulePositions.Run(0, new SourcePosition(FILE, 12, 20)),
            new RulePositions.Run(9, new SourcePosition(FILE, 12, 34))),
            Map.of("schema", new SourcePosition(FILE, 11, 40)));
        return new ProcessorStage("proc", "cql",
            List.of(rule("first", new SourcePosition(FILE, 12, 20)).withPlaces(places)), Map.of(), 0,
            List.of(), new SourcePosition(FILE, 3, 5));
    }

    @Test
    void shouldPointAtTheProcessorWhenTheRuleIsUnknown()
    {
        assertThat(map("other", 1, 1)).isEqualTo(new SourcePosition(FILE, 3, 5));
    }
}

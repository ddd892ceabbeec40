package dev.millrace.cql.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.testkit.CaseFile;
import dev.millrace.cql.testkit.Comparison;
import dev.millrace.cql.testkit.CompiledCase;
import dev.millrace.cql.testkit.EngineRunner;
import dev.millrace.cql.testkit.Reference;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the examples of the documents on the engine, planned in both ways, and on the reference interpreter, which
 * shares nothing with it. Examples marked {@code engine} use features that the interpreter does not support.
 */
@Timeout(120)
class RowExamplesTest
{
    private static final String KIND = "cql-example";

    @TestFactory
    Stream<DynamicTest> shouldGiveTheRowsThatTheDocumentsShow()
    {
        return Fence.documents().stream().flatMap(document -> Fence.of(document).stream())
            .filter(fence -> fence.kind().equals(KIND))
            .map(fence -> DynamicTest.dynamicTest(fence.place(), () -> check(fence)));
    }

    @Test
    void shouldNoticeARowThatDoesNotComeOut() throws CqlException
    {
        final Fence wrong = new Fence(Fence.root().resolve("README.md"), 1, KIND, List.of("stream S (k int)", "",
            "query q as", "select k from S where k > 1;", "", "time | S | q", "1000 | 1 | + 1", "     | 2 | + 2"));
        assertThat(difference(RowExample.of(wrong).toCase(), CompiledCase.Mode.DEFAULT, true))
            .contains("missing  1000 + 1").doesNotContain("1000 + 2");
    }

    @Test
    void shouldFindExamples()
    {
        assertThat(Fence.documents().stream().flatMap(document -> Fence.of(document).stream())
            .filter(fence -> fence.kind().equals(KIND))).hasSizeGreaterThan(10);
    }

    private static void check(final Fence fence) throws CqlException
    {
        final RowExample example = RowExample.of(fence);
        final CaseFile file = example.toCase();
        if (example.refusal() != null)
        {
            checkRefusal(fence, example.refusal(), file);
            return;
        }
        final boolean isKnown = !fence.has("engine");
        if (isKnown)
        {
            assertThat(interpreterDifference(fence, file)).as("interpreter, " + fence.place()).isNull();
        }
        assertThat(difference(file, CompiledCase.Mode.DEFAULT, isKnown)).as("engine, " + fence.place()).isNull();
        assertThat(difference(file, CompiledCase.Mode.FLOWS, isKnown)).as("flows, " + fence.place()).isNull();
    }

    private static void checkRefusal(final Fence fence, final String refusal, final CaseFile file)
    {
        try
        {
            new EngineRunner(file, CompiledCase.Mode.DEFAULT);
        }
        catch (final CqlException refused)
        {
            assertThat(refused.problems().stream().map(RowExamplesTest::text)).as(fence.place()).contains(refusal);
            return;
        }
        fail("not refused, " + fence.place());
    }

    private static String text(final CqlProblem problem)
    {
        return problem.code() + " " + problem.text();
    }

    private static String interpreterDifference(final Fence fence, final CaseFile file)
    {
        try
        {
            final Reference reference = new Reference(file);
            return reference.difference(file, reference.run(file.arrivals()));
        }
        catch (final InvalidStatementException unknown)
        {
            return "the interpreter does not know this, write ```cql-example engine: " + unknown.getMessage();
        }
    }

    private static String difference(final CaseFile file, final CompiledCase.Mode mode, final boolean isKnown)
        throws CqlException
    {
        final EngineRunner runner = new EngineRunner(file, mode);
        final Reference.Outcome outcome = runner.run(file.arrivals());
        final StringBuilder differences = new StringBuilder();
        file.expected().forEach((query, rows) -> {
            final String difference = outcome.rows().get(query) == null ? "no such query" : Comparison.difference(
                outcome.rows().get(query), rows, runner.streams().get(query), file.ordered());
            differences.append(difference == null ? "" : query + ":\n" + difference);
            assertThat(isKnown && new Reference(file).isStream(query) != runner.streams().get(query))
                .as("stream or relation, query " + query).isFalse();
        });
        return differences.isEmpty() ? null : differences.toString();
    }
}

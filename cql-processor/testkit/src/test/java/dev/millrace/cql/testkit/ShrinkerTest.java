package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShrinkerTest
{
    @Test
    void shouldLeaveOnlyWhatMakesACaseFail()
    {
        final CaseFile file = CaseFile.parse(String.join("\n",
            "name: large", "streams:", "  S: {kind: stream, schema: \"k int, v int\"}", "queries:",
            "  - {id: q1, kind: query, text: 'select k, v + 1, k * 2 from S [range 5] where v > 2 and k < 7'}",
            "input: |", "  1000 S + 1,1", "  2000 S + 2,3", "  3000 S + 3,9", "  4000 S heartbeat",
            "  5000 S + 4,4", "expect: {q1: \"\"}"));
        final CaseFile small = new Shrinker(ShrinkerTest::hasNine).shrink(file);
        assertThat(small.arrivals()).hasSize(1);
        assertThat(small.arrivals().get(0).values()).containsExactly(3, 9);
        assertThat(small.rules().get(0).text()).hasSizeLessThan(30).contains("v");
    }

    /** Simulates a difference: it occurs when a row with a 9 is emitted. */
    private static boolean hasNine(final CaseFile file)
    {
        try
        {
            final List<CaseRow> rows = new Reference(file).run(file.arrivals()).rows().get("q1");
            return rows.stream().anyMatch(row -> java.util.Arrays.asList(row.values()).contains(9L));
        }
        catch (final InvalidStatementException refused)
        {
            return false;
        }
    }
}

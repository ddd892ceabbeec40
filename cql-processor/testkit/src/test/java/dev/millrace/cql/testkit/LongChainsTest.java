package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains of thousands of terms between operators of one kind, without parentheses. */
@Tag("slow")
@Timeout(120)
class LongChainsTest
{
    private static final int TERMS = 2_900;
    private static final String ROWS = """
        input: |
          1000 S + 1,0.1,a
          2000 S + 3,0.7,b
          3000 S + null,null,null
          4000 S heartbeat
        expect_error: none
        """;

    private static String chain(final String term, final String operator, final int terms)
    {
        return String.join(operator, Collections.nCopies(terms, term));
    }

    private static List<String> run(final String statement) throws CqlException
    {
        final CaseFile file = CaseFile.parse("name: chain\nfeature: chain\nstreams:\n  S: {kind: stream, schema: " +
            "\"i int, x double, c char(4)\"}\nqueries:\n  - {id: q1, kind: query, text: '" + statement + "'}\n" + ROWS);
        return new EngineRunner(file, CompiledCase.Mode.DEFAULT).run(file.arrivals()).rows().get("q1").stream()
            .map(CaseRow::toString).toList();
    }

    /** A null makes sums null; an empty string is null. */
    @ParameterizedTest
    @CsvSource({"i, +, 2900, 8700", "i, -, -2898, -8694", "i, *, 1, *", "c, ||, 2900, 2900"})
    void shouldComputeChainOfOneOperator(final String term, final String operator, final String one,
        final String three) throws CqlException
    {
        int power = 1;
        for (int i = 0; i < TERMS; i++)
        {
            power *= 3;
        }
        final String chain = chain(term, operator, TERMS);
        assertThat(run("select " + (term.equals("c") ? "length(" + chain + ")" : chain) + " as r from S"))
            .containsExactly("1000 + " + one, "2000 + " + (three.equals("*") ? power : three), "3000 + null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "-"})
    void shouldAddFloatingPointFromLeftToRight(final String operator) throws CqlException
    {
        double first = 0.1;
        double second = 0.7;
        for (int i = 1; i < TERMS; i++)
        {
            first = operator.equals("+") ? first + 0.1 : first - 0.1;
            second = operator.equals("+") ? second + 0.7 : second - 0.7;
        }
        assertThat(run("select " + chain("x", operator, TERMS) + " as r from S"))
            .containsExactly("1000 + " + first, "2000 + " + second, "3000 + null");
    }

    /** An int overflows before it becomes a double, as in a chain of two consecutive terms. */
    @Test
    void shouldWidenWhereTheWiderTermIs() throws CqlException
    {
        final String ones = chain("i", " + ", 70);
        assertThat(run("select 2147483647 + " + ones + " + x as r from S")).containsExactly(
            "1000 + " + (Integer.MIN_VALUE + 69 + 0.1), "2000 + " + (Integer.MIN_VALUE + 209 + 0.7), "3000 + null");
    }

    /** Unknown and false is false, unknown or true is true. */
    @ParameterizedTest
    @CsvSource({"i > 1, and, i > 1, 2000 + 3", "i > 1, and, i < 0, ", "i > 5, or, i = 1, 1000 + 1",
        "i > 5, or, c is null, 3000 + null", "i > 1, xor, i = 1, 1000 + 1"})
    void shouldJoinConditions(final String term, final String operator, final String last, final String expected)
        throws CqlException
    {
        assertThat(run("select i from S where " + chain(term, ' ' + operator + ' ', TERMS) + ' ' + operator + ' ' +
            last)).containsExactlyElementsOf(expected == null ? List.of() : List.of(expected));
    }

    /** 1 for true, 0 for false, 2 for unknown, of the three rows. */
    @ParameterizedTest
    @CsvSource({"i > 1, and, i > 1, 012", "i > 1, and, i < 0, 002", "i > 5, or, i = 1, 102",
        "i > 5, or, c is null, 001", "i is null, xor, i > 5, 002"})
    void shouldKnowWhetherChainOfConditionsIsUnknown(final String term, final String operator, final String last,
        final String expected) throws CqlException
    {
        final String chain = chain(term, ' ' + operator + ' ', 2_000) + ' ' + operator + ' ' + last;
        final List<String> rows = run("select case when " + chain + " then 1 when not (" + chain +
            ") then 0 else 2 end as r from S");
        assertThat(rows).containsExactly("1000 + " + expected.charAt(0), "2000 + " + expected.charAt(1),
            "3000 + " + expected.charAt(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, 129, 10_000})
    void shouldTakeChainsOfAnyLengthToTheLimit(final int terms) throws CqlException
    {
        assertThat(run("select " + chain("i", "+", terms) + " as r from S"))
            .containsExactly("1000 + " + terms, "2000 + " + 3 * terms, "3000 + null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sum(%s)", "max(%s)"})
    void shouldTakeLongChainsInAggregatesAndGroups(final String aggregate) throws CqlException
    {
        final String sum = chain("i", " + ", 500);
        assertThat(run("IStream(select i, " + aggregate.formatted(sum) + " as s from S group by i having " +
            chain("count(*) > 0", " and ", 500) + ")"))
            .containsExactly("1000 + 1,500", "2000 + 3,1500", "3000 + null,null");
    }

    @Test
    void shouldTakeTermsThatDiffer() throws CqlException
    {
        final StringBuilder sum = new StringBuilder("0");
        long expected = 0;
        for (int i = 1; i < TERMS; i++)
        {
            sum.append(" + ").append("i * ").append(i);
            expected += i;
        }
        assertThat(run("select " + sum + " as r from S")).containsExactly("1000 + " + expected,
            "2000 + " + 3 * expected, "3000 + null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"define B as %s", "define B as B.i > 0 and %s"})
    void shouldTakeLongChainsInPatterns(final String define) throws CqlException
    {
        final String rising = chain("B.i > A.i", " and ", 500);
        assertThat(run("select M.s from S match_recognize (measures " + chain("B.i", " + ", 500) +
            " as s pattern (A B) " + define.formatted(rising) + ") as M")).containsExactly("2000 + 1500");
    }
}

package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.language.functions.FunctionDescription;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The examples of the catalog as statements, compared with the values next to them, which are from published tables and
 * definitions.
 */
@Tag("slow")
@Timeout(180)
class FunctionExamplesTest
{
    private static final Pattern ROW = Pattern.compile("\\{([^}]*)}");
    private static final Pattern VALUE = Pattern.compile("'([^']*)'|(-?[0-9.]+)(d?)");

    @TestFactory
    Stream<DynamicTest> shouldGiveTheValueOfEachScalarExample()
    {
        return FunctionCatalog.builtIn().descriptions().stream()
            .filter(each -> !each.aggregate() && !each.example().isEmpty())
            .map(each -> DynamicTest.dynamicTest(each.example(), () -> checkScalar(each)));
    }

    private static void checkScalar(final FunctionDescription each) throws Exception
    {
        final Interpreter.Input input = CaseFile.input("S", false, "n int");
        final List<CaseRow> rows = run(input, "select " + each.example() + " as v from S[now]",
            List.of(new Interpreter.Arrival(1_000_000, "S", '+', new Object[]{1})));
        check(rows.get(0).values()[0], each.expected());
    }

    @TestFactory
    Stream<DynamicTest> shouldGiveTheValueOfEachAggregateOverTheRowsOfItsExample()
    {
        return FunctionCatalog.builtIn().descriptions().stream()
            .filter(each -> each.aggregate() && !each.example().isEmpty())
            .map(each -> DynamicTest.dynamicTest(each.name() + '(' + each.arguments() + ')', () ->
            {
                checkAggregate(each, false);
                checkAggregate(each, true);
            }));
    }

    /** Further arguments are columns, or constants of the statement: in the examples they are the same in each row. */
    private static void checkAggregate(final FunctionDescription each, final boolean constants) throws Exception
    {
        final List<Object[]> rows = rows(each.example());
        final List<String> columns = new ArrayList<>();
        final List<String> arguments = new ArrayList<>();
        for (int i = 0; i < rows.get(0).length; i++)
        {
            final Object value = rows.get(0)[i];
            final int column = i;
            final boolean isConstant =
                constants && i > 0 && rows.stream().allMatch(row -> row[column].equals(value));
            columns.add("c" + i +
                (value instanceof String ? " char(20)" : value instanceof Integer ? " int" : " double"));
            arguments.add(!isConstant ? "S.c" + i : value instanceof String ? "'" + value + "'" : value.toString());
        }
        final List<Interpreter.Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++)
        {
            arrivals.add(new Interpreter.Arrival((i + 1) * 1_000_000L, "S", '+', rows.get(i)));
        }
        final List<CaseRow> result = run(CaseFile.input("S", false, String.join(", ", columns)),
            "select " + each.name() + '(' + String.join(", ", arguments) + ") as v from S[range 1 minute]", arrivals);
        check(result.get(result.size() - 1).values()[0], each.expected());
    }

    private static List<Object[]> rows(final String example)
    {
        final List<Object[]> rows = new ArrayList<>();
        final Matcher each = ROW.matcher(example);
        while (each.find())
        {
            final List<Object> values = new ArrayList<>();
            final Matcher value = VALUE.matcher(each.group(1));
            while (value.find())
            {
                values.add(value.group(1) != null ? value.group(1) : value.group(3).isEmpty() ?
                    (Object)Integer.valueOf(value.group(2)) : Double.valueOf(value.group(2)));
            }
            rows.add(values.toArray());
        }
        return rows;
    }

    private static List<CaseRow> run(
        final Interpreter.Input input, final String text, final List<Interpreter.Arrival> arrivals) throws Exception
    {
        final EngineRunner runner = new EngineRunner(List.of(input),
            List.of(new Interpreter.Rule("q", false, text, List.of())), CompiledCase.Mode.DEFAULT);
        final Reference.Outcome outcome = runner.run(arrivals);
        assertThat(outcome.rejected()).isZero();
        return new HashMap<>(outcome.rows()).get("q");
    }

    private static void check(final Object value, final String expected)
    {
        if (expected.startsWith("'"))
        {
            assertThat(value).hasToString(expected.substring(1, expected.length() - 1));
        }
        else if (expected.equals("true") || expected.equals("false"))
        {
            assertThat(value).hasToString(expected);
        }
        else
        {
            final double number = Double.parseDouble(expected.replace("L", ""));
            assertThat(((Number)value).doubleValue())
                .isCloseTo(number, within(Math.max(1, Math.abs(number)) * 1e-9));
        }
    }
}

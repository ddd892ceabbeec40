package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Values of functions in statements: {@code function-values.txt} specifies their origin. */
@Timeout(60)
class FunctionValuesTest
{
    private static final int COLUMNS_A_QUERY = 40;
    private static final double TOLERANCE = 1e-9;

    /** A line of the file. */
    record Value(String expression, String expected)
    {
        boolean isRefused()
        {
            return expected.equals("refused");
        }
    }

    private static List<Value> values() throws IOException
    {
        return Files.readAllLines(Path.of("src/test/resources/function-values.txt"), StandardCharsets.UTF_8).stream()
            .filter(line -> line.contains(" => ") && !line.startsWith("#"))
            .map(line -> new Value(line.split(" => ")[0], line.split(" => ")[1])).toList();
    }

    private static Reference.Outcome run(final CompiledCase.Mode mode, final List<Value> values) throws Exception
    {
        final String columns = IntStream.range(0, values.size())
            .mapToObj(i -> values.get(i).expression() + " as c" + i).collect(Collectors.joining(", "));
        final CaseFile file = CaseFile.parse("""
            streams:
              S: {kind: stream, schema: "k int"}
            queries:
              - {id: q, kind: query, text: '%s'}
            input: "1000 S + 1"
            expect_error: none
            """.formatted(("select " + columns + " from S").replace("'", "''")));
        return new EngineRunner(file, mode).run(file.arrivals());
    }

    @TestFactory
    List<DynamicTest> shouldGiveTheValueAsAServerPlansIt() throws Exception
    {
        return tests(CompiledCase.Mode.DEFAULT);
    }

    @TestFactory
    List<DynamicTest> shouldGiveTheValueInAFlow() throws Exception
    {
        return tests(CompiledCase.Mode.FLOWS);
    }

    private static List<DynamicTest> tests(final CompiledCase.Mode mode) throws Exception
    {
        final List<DynamicTest> tests = new ArrayList<>();
        final List<Value> plain = values().stream().filter(value -> !value.isRefused()).toList();
        for (int from = 0; from < plain.size(); from += COLUMNS_A_QUERY)
        {
            final List<Value> part = plain.subList(from, Math.min(plain.size(), from + COLUMNS_A_QUERY));
            final Object[] got = run(mode, part).rows().get("q").get(0).values();
            for (int i = 0; i < part.size(); i++)
            {
                final Value value = part.get(i);
                final Object result = got[i];
                tests.add(DynamicTest.dynamicTest(value.expression(), () -> check(value, result)));
            }
        }
        return tests;
    }

    private static void check(final Value value, final Object result)
    {
        final String expected = value.expected();
        if (expected.startsWith("'"))
        {
            assertThat(result).isEqualTo(expected.substring(1, expected.length() - 1).replace("''", "'"));
        }
        else if (result instanceof Double number && Double.isFinite(number))
        {
            final double wanted = Double.parseDouble(expected);
            assertThat(Math.abs(number - wanted)).as("%s is %s, not %s", value.expression(), result, expected)
                .isLessThanOrEqualTo(TOLERANCE * Math.max(Math.abs(wanted), wanted == 0 ? 1 : 0));
        }
        else
        {
            assertThat(String.valueOf(result)).isEqualTo(expected);
        }
    }

    @TestFactory
    List<DynamicTest> shouldRejectTheRow() throws IOException
    {
        return values().stream().filter(Value::isRefused).map(value -> DynamicTest.dynamicTest(value.expression(), () ->
        {
            final Reference.Outcome outcome = run(CompiledCase.Mode.DEFAULT, List.of(value));
            assertThat(outcome.rejected()).isEqualTo(1);
            assertThat(outcome.rows().get("q")).isEmpty();
        })).toList();
    }
}

package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code d > c or d < -c}, which batches decide by one comparison of magnitudes. */
@Timeout(60)
class FarFromZeroTest
{
    private static final EventType ROW =
        EventType.tuple("Row", new EventProperty("d", CqlType.DOUBLE), new EventProperty("i", CqlType.INT));
    private static final Expression D = new Expression.Column(0, CqlType.DOUBLE, true);
    private static final Double[] VALUES = {2.0, -2.0, Math.nextUp(2.0), -Math.nextUp(2.0), Math.nextDown(2.0), 0.0,
        -0.0, Double.MIN_VALUE, -Double.MIN_VALUE, Double.NaN, null, Double.MAX_VALUE, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, 7.5, -7.5};

    private interface Condition
    {
        boolean holds(double value);
    }

    private static Expression literal(final double value)
    {
        return new Expression.Literal(value, CqlType.DOUBLE);
    }

    private static Expression compare(final Operation operation, final Expression left, final Expression right)
    {
        return new Expression.Call(operation, List.of(left, right), CqlType.BOOLEAN, true);
    }

    private static CompiledPipeline compiled(final Expression one, final Expression other)
    {
        final Operator output = new Operator.Output("far", EventType.tuple("out.far",
            new EventProperty("i", CqlType.INT)), Operator.OutputKind.STREAM);
        final Expression condition = new Expression.Call(Operation.OR, List.of(one, other), CqlType.BOOLEAN, true);
        return new PipelineCompiler().compile(new PipelinePlan("far", "rows", ROW, OrderingConstraint.ORDERED, -1,
            List.of(new Operator.Calc(condition, List.of(new Field("i", new Expression.Column(1, CqlType.INT, true))),
                List.of(output)))));
    }

    private static CompiledPipeline check(final Expression one, final Expression other, final Condition expected,
        final boolean withNull)
    {
        final CompiledPipeline compiled = compiled(one, other);
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        final List<List<Object>> wanted = new ArrayList<>();
        for (int i = 0; i < VALUES.length; i++)
        {
            if (VALUES[i] == null && !withNull)
            {
                continue;
            }
            rows.add(new PlanInterpreter.Row(Arrays.asList(VALUES[i], i), i, null));
            if (VALUES[i] != null && expected.holds(VALUES[i]))
            {
                wanted.add(List.of(i));
            }
        }
        final PipelineHarness harness = new PipelineHarness(compiled, Map.of());
        harness.onRows(rows, true);
        assertThat(harness.results.get("far").stream().map(PlanInterpreter.Result::values).toList()).isEqualTo(wanted);
        return compiled;
    }

    private static void checkBoth(final Expression one, final Expression other, final Condition expected,
        final boolean isOne)
    {
        check(one, other, expected, true);
        final String text = check(other, one, expected, false).javaText();
        assertThat(text.contains("Math.abs(")).isEqualTo(isOne);
    }

    @Test
    void shouldTakeWhatIsFarOnEitherSide()
    {
        checkBoth(compare(Operation.GREATER, D, literal(2)), compare(Operation.LESS, D, literal(-2)),
            d -> d > 2 || d < -2, true);
        checkBoth(compare(Operation.GREATER_OR_EQUAL, D, literal(2)), compare(Operation.LESS_OR_EQUAL, D, literal(-2)),
            d -> d >= 2 || d <= -2, true);
        checkBoth(compare(Operation.LESS, literal(2), D), compare(Operation.GREATER, literal(-2), D),
            d -> d > 2 || d < -2, true);
        checkBoth(compare(Operation.GREATER, D, literal(0)), compare(Operation.LESS, D, literal(0)),
            d -> d > 0 || d < 0, true);
    }

    @Test
    void shouldKeepTwoComparisonsWhenTheSidesDiffer()
    {
        checkBoth(compare(Operation.GREATER, D, literal(2)), compare(Operation.LESS_OR_EQUAL, D, literal(-2)),
            d -> d > 2 || d <= -2, false);
        checkBoth(compare(Operation.GREATER, D, literal(2)), compare(Operation.LESS, D, literal(-7)),
            d -> d > 2 || d < -7, false);
        checkBoth(compare(Operation.GREATER, D, literal(-2)), compare(Operation.LESS, D, literal(2)),
            d -> d > -2 || d < 2, false);
        checkBoth(compare(Operation.GREATER_OR_EQUAL, D, literal(0)), compare(Operation.LESS_OR_EQUAL, D, literal(0)),
            d -> d >= 0 || d <= 0, false);
    }
}

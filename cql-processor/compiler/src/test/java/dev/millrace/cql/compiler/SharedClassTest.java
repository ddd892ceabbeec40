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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements that are equal except for literals and names share a class, each with its own values. */
@Timeout(60)
class SharedClassTest
{
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("i", CqlType.INT));
    private static final Expression C = new Expression.Column(0, CqlType.CHAR, true);
    private static final Expression D = new Expression.Column(1, CqlType.DOUBLE, true);
    private static final Expression I = new Expression.Column(2, CqlType.INT, true);

    private static Expression call(final Operation operation, final CqlType type, final Expression... arguments)
    {
        return new Expression.Call(operation, List.of(arguments), type, true);
    }

    /** {@code select c, i * times as x where c = text and d > above}. */
    private static PipelinePlan plan(final String query, final String text, final double above, final int times)
    {
        final Operator output = new Operator.Output(query, EventType.tuple("out." + query,
            new EventProperty("c", CqlType.CHAR), new EventProperty("x", CqlType.INT)), Operator.OutputKind.STREAM);
        final Expression condition = call(Operation.AND, CqlType.BOOLEAN,
            call(Operation.EQUAL, CqlType.BOOLEAN, C, new Expression.Literal(text, CqlType.CHAR)),
            call(Operation.GREATER, CqlType.BOOLEAN, D, new Expression.Literal(above, CqlType.DOUBLE)));
        return new PipelinePlan(query, "rows", ROW, OrderingConstraint.ORDERED, -1, List.of(new Operator.Calc(condition,
            List.of(new Field("c", C), new Field("x", call(Operation.MULTIPLY, CqlType.INT, I,
                new Expression.Literal(times, CqlType.INT)))), List.of(output))));
    }

    private static List<List<Object>> run(final CompiledPipeline compiled)
    {
        final PipelineHarness harness = new PipelineHarness(compiled, Map.of());
        harness.onRows(List.of(row("a", 1.0, 1), row("b", 2.0, 2), row("a", 3.0, 3), row("b", 4.0, 4)), true);
        return harness.results.get(compiled.plan().name()).stream().map(PlanInterpreter.Result::values).toList();
    }

    private static PlanInterpreter.Row row(final String c, final double d, final int i)
    {
        final List<Object> values = List.of(c, d, i);
        return new PlanInterpreter.Row(values, i, null);
    }

    @Test
    void shouldShareAClassWhenOnlyLiteralsAndNamesDiffer()
    {
        final PipelineCompiler compiler = new PipelineCompiler();
        final CompiledPipeline first = compiler.compile(plan("first", "a", 0.5, 10));
        final CompiledPipeline second = compiler.compile(plan("second", "b", 3.5, 100));
        assertThat(second.type()).isSameAs(first.type());
        assertThat(run(first)).containsExactly(List.of("a", 10), List.of("a", 30));
        assertThat(run(second)).containsExactly(List.of("b", 400));
        assertThat(run(first)).containsExactly(List.of("a", 10), List.of("a", 30));
    }

    @Test
    void shouldHaveAClassOfItsOwnWhenEqualLiteralsMakeTheTextDiffer()
    {
        final PipelineCompiler compiler = new PipelineCompiler();
        final CompiledPipeline first = compiler.compile(plan("a", "a", 0.5, 10));
        final CompiledPipeline second = compiler.compile(plan("b", "b", 10.0, 10));
        assertThat(run(first)).containsExactly(List.of("a", 10), List.of("a", 30));
        assertThat(run(second)).isEmpty();
    }

    @Test
    void shouldTakeSomeRowsOfABatchAsIfThereWereNoOthers()
    {
        final PipelineHarness harness =
            new PipelineHarness(new PipelineCompiler().compile(plan("q", "a", 0.5, 10)), Map.of());
        harness.onSome(List.of(row("a", 1.0, 1), row("a", 2.0, 2), row("a", 3.0, 3), row("a", 4.0, 4)), 1, 3);
        assertThat(harness.results.get("q")).containsExactly(
            new PlanInterpreter.Result((byte)0, List.of("a", 20), 2, null),
            new PlanInterpreter.Result((byte)0, List.of("a", 40), 4, null));
        assertThat(harness.pipeline.statistics()).containsEntry("rowsIn", 2L);
    }
}

package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.codehaus.janino.SimpleCompiler;
import org.codehaus.janino.util.ClassFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Look-up by a char column, which batches process several rows per iteration. */
@Timeout(60)
class JoinTurnsTest
{
    /** HotSpot's FreqInlineSize: a longer method is not inlined. */
    private static final int INLINED_BYTES = 325;
    private static final int SYMBOLS = 7;
    private static final EventType JOINED = EventType.tuple("Joined", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE));

    private static Operator joined(final String id)
    {
        return SignalPlans.view(List.of(SignalPlans.output(id, JOINED)));
    }

    /** Only rows with a volume reach the look-up, so that it reads a selection. */
    private static Operator filtered()
    {
        final Expression volume = SignalPlans.column(2, CqlType.BIGINT);
        return new Operator.Calc(SignalPlans.call(Operation.GREATER, CqlType.BOOLEAN, volume,
            new Expression.Literal(0L, CqlType.BIGINT)), List.of(
                new Field("symbol", SignalPlans.column(0, CqlType.CHAR)),
                new Field("lastPrice", SignalPlans.column(1, CqlType.DOUBLE))), List.of(joined("some")));
    }

    private static String symbol(final int row)
    {
        return row % 11 == 3 ? null : "s" + row * row % SYMBOLS;
    }

    private static boolean isHeld(final int row)
    {
        return "s1".equals(symbol(row)) || "s4".equals(symbol(row));
    }

    @Test
    void shouldFindTheSameRowsWhateverTheLengthOfTheBatch()
    {
        final Map<Object, List<Object>> held = new HashMap<>();
        held.put("s1", List.of("s1"));
        held.put("s4", List.of("s4"));
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(SignalPlans.plan("turns",
            joined("all"), filtered())), Map.of("symbolsRelation", held));
        final List<Object> all = new ArrayList<>();
        final List<Object> some = new ArrayList<>();
        int row = 0;
        for (int size = 1; size <= 256; size += size < 70 ? 1 : 31)
        {
            final List<PlanInterpreter.Row> rows = new ArrayList<>();
            for (int i = 0; i < size; i++, row++)
            {
                final long volume = row % 3;
                rows.add(new PlanInterpreter.Row(Arrays.asList(symbol(row), (double)row, volume), row, null));
                if (isHeld(row))
                {
                    all.add((double)row);
                    (volume > 0 ? some : new ArrayList<>()).add((double)row);
                }
            }
            harness.texts(PipelineHarness.TextForm.values()[size % 3]);
            harness.onRows(rows, true);
        }
        assertThat(harness.results.get("all")).extracting(each -> each.values().get(1)).isEqualTo(all);
        assertThat(harness.results.get("some")).extracting(each -> each.values().get(1)).isEqualTo(some);
    }

    /** Inlined, the pass was up to twice as slow, in one process out of two. */
    @Test
    void shouldBeLongerThanWhatHotSpotCopiesIntoItsCaller() throws Exception
    {
        final CompiledPipeline compiled = new PipelineCompiler().compile(SignalPlans.pairPlan());
        final SimpleCompiler compiler = new SimpleCompiler();
        compiler.setParentClassLoader(getClass().getClassLoader());
        compiler.cook(compiled.javaText());
        final byte[] bytes = compiler.getBytecodes().values().iterator().next();
        final ClassFile file = new ClassFile(new ByteArrayInputStream(bytes));
        final List<Integer> lengths = file.methodInfos.stream()
            .filter(each -> each.getName().startsWith("join") && !each.getName().contains("Row"))
            .flatMap(each -> Stream.of(each.getAttributes()))
            .filter(ClassFile.CodeAttribute.class::isInstance)
            .map(code -> ((ClassFile.CodeAttribute)code).code.length).toList();
        assertThat(lengths).hasSize(2).allMatch(length -> length > INLINED_BYTES);
    }
}

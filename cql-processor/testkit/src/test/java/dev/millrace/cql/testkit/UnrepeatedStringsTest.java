package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Functions of a string, over more distinct strings than are cached: results are then computed without a look-up.
 * Expected values are computed here.
 */
@Timeout(120)
class UnrepeatedStringsTest
{
    private static final EventType TYPE =
        EventType.tuple("S", new EventProperty("k", CqlType.INT), new EventProperty("t", CqlType.CHAR));
    private static final int ROWS = 60_000;
    private static final int BATCH = 100;
    private static final long MILLISECOND = 1_000_000L;

    private final List<List<Object>> rows = new ArrayList<>();

    /** All strings differ, each seventh one is null; after them some repeat. */
    private static String string(final int i)
    {
        return i % 7 == 0 ? null : i < ROWS ? "Order-" + i : "Again-" + i % 20;
    }

    private FlowEngine engine(final String text) throws Exception
    {
        final Catalog catalog =
            Catalog.builder().add(new Catalog.ChannelSource("S", TYPE, false, false, List.of())).build();
        final FlowPlan plan =
            new RulePlanner().flowsOnly().plan("p", List.of(RuleText.query("q", text)), catalog).flows().get(0);
        final BatchSchema schema = new BatchSchema(plan.outputs().get(0).type());
        final EventBatchSink sink = this::take;
        return new FlowCompiler().compile(plan).instantiate(new FlowBindings(Map.of("q", schema), Map.of("q", sink),
            Map.of(), Map.of(), (count, reason, detail) -> {
                throw new IllegalStateException(reason + ": " + detail);
            }, 1 << 20));
    }

    private void take(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                values.add(batch.value(column, row));
            }
            rows.add(values);
        }
    }

    private void feed(final FlowEngine engine)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        for (int first = 0; first < ROWS + 5_000; first += BATCH)
        {
            batch.clear();
            for (int i = 0; i < BATCH; i++)
            {
                batch.ints(0)[i] = first + i;
                batch.texts(1).set(i, string(first + i));
                batch.useTimestampPerRow()[i] = (first + i) * MILLISECOND;
            }
            batch.size(BATCH);
            engine.onBatch(engine.source("S"), batch);
        }
    }

    private void check(final String text, final Function<String, List<Object>> expected) throws Exception
    {
        feed(engine(text));
        assertThat(rows).hasSize(ROWS + 5_000);
        for (int i = 0; i < rows.size(); i++)
        {
            final List<Object> wanted = new ArrayList<>(List.of(i));
            wanted.addAll(expected.apply(string(i)));
            if (!rows.get(i).equals(wanted))
            {
                assertThat(rows.get(i)).as("row %d", i).isEqualTo(wanted);
            }
        }
    }

    private static List<Object> listOf(final Object... values)
    {
        final List<Object> list = new ArrayList<>();
        for (final Object value : values)
        {
            list.add(value);
        }
        return list;
    }

    @Test
    void shouldGiveStringsNumbersAndConditions() throws Exception
    {
        check("select k, upper(t) as u, instr(t, '7') as n, t || '!' as c, "
            + "case when t like '5$' then 1 else 0 end as f from S", t -> t == null ? listOf(null, null, "!", 0) :
            listOf(t.toUpperCase(Locale.ROOT), t.indexOf('7') + 1, t + '!', t.endsWith("5") ? 1 : 0));
    }

    @Test
    void shouldChooseBetweenStringsThatWereLookedUpAndOthers() throws Exception
    {
        check("select k, case when upper(t) = 'ORDER-5' then 'five' when lower(t) in ('order-9', 'order-50001') then t "
            + "when t like '3$' then substr(t, 7) else upper(t) end as c from S", t ->
            listOf(t == null ? null : t.equals("Order-5") ? "five" :
                t.equals("Order-9") || t.equals("Order-50001") ? t : t.endsWith("3") ? t.substring(6) :
                t.toUpperCase(Locale.ROOT)));
    }

    @Test
    void shouldGroupByResults() throws Exception
    {
        feed(engine("IStream(select upper(t) as u, count(*) as n from S [range 10 milliseconds] where t is not null "
            + "group by upper(t))"));
        int at = 0;
        for (int i = 0; i < ROWS; i++)
        {
            if (string(i) != null)
            {
                final List<Object> wanted = listOf(string(i).toUpperCase(Locale.ROOT), rows.get(at).get(1));
                if (!rows.get(at).equals(wanted))
                {
                    assertThat(rows.get(at)).as("row %d", i).isEqualTo(wanted);
                }
                at++;
            }
        }
    }
}

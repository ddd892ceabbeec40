package dev.millrace.tuning.ticks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.WorkloadTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(120)
class WorkersExperimentTest
{
    private static final List<String> NAMES = List.of("A", "B", "C");
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("one", CqlType.DOUBLE), new EventProperty("two", CqlType.DOUBLE));

    @Test
    void shouldGiveALineWithTheGainWhenTwoWorkersPutOutWhatOneThreadDoes() throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new WorkersExperiment().run("pair", WorkloadTest.setting(256, 10), lines::add);
        assertThat(lines).singleElement().satisfies(line ->
        {
            assertThat(line.nsPerEvent()).isPositive();
            assertThat(line.ratioToLimit()).isPositive();
            assertThat(line.figures()).containsKeys("speedUp", "breakEvenNsPerEvent", "oneWorkerNsPerEvent");
            assertThat((long)line.figures().get("rowsOut")).isPositive();
        });
    }

    @Test
    void shouldSeeNoDifferenceWhenOnlySymbolsTakeTurnsInAnotherWay()
    {
        final SequenceTally first = tally(List.of("C", "A", "B"), "A1 B2 A3 C4");
        final SequenceTally second = tally(List.of("A", "B", "C"), "C4 B2 A1 A3");
        assertThat(first.differsFrom(second)).isEqualTo(-1);
        assertThat(first.checksum()).isEqualTo(second.checksum());
    }

    @Test
    void shouldNameTheSymbolWhenItsRowsComeInAnotherOrderOrTwiceOrNot()
    {
        final SequenceTally expected = tally(NAMES, "A1 B2 B3 C4");
        assertThat(expected.differsFrom(tally(NAMES, "A1 B3 B2 C4"))).isEqualTo(1);
        assertThat(expected.differsFrom(tally(NAMES, "A1 B2 B3 C4 C4"))).isEqualTo(2);
        assertThat(expected.differsFrom(tally(NAMES, "B2 B3 C4"))).isZero();
        assertThat(expected.differsFrom(tally(NAMES, "A1 B2 B3 C5"))).isEqualTo(2);
    }

    /** Rows as letter and digit, with ids assigned in some order. */
    private static SequenceTally tally(final List<String> ids, final String rows)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        final SequenceTally tally = new SequenceTally(NAMES::indexOf, NAMES.size());
        for (final String row : rows.split(" "))
        {
            batch.texts(0).set(0, row.substring(0, 1));
            batch.doubles(1)[0] = Double.parseDouble(row.substring(1));
            batch.doubles(2)[0] = 7;
            batch.size(1);
            tally.onBatch(batch);
        }
        return tally;
    }
}

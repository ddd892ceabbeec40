package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.WorkloadTest;
import dev.millrace.tuning.nexmark.Feed;
import dev.millrace.tuning.nexmark.NexmarkData;
import dev.millrace.tuning.nexmark.NexmarkQuery;
import dev.millrace.tuning.nexmark.QueryBaselines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(120)
class NexmarkExperimentTest
{
    private static final BenchContext BRIEF = WorkloadTest.setting(256, 10);

    private static List<BenchResult> run(final NexmarkQuery query, final boolean milliseconds) throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new NexmarkExperiment(query, milliseconds).run(query.name(), BRIEF, lines::add);
        return lines;
    }

    private static NexmarkQuery selection(final String condition)
    {
        return new NexmarkQuery("q2", Feed.BIDS, 0, 0, Long.MAX_VALUE, false, false, "",
            List.of(new NexmarkQuery.Statement("out", false, "select auction, price from Bid where " + condition,
                List.of())), List.of("auction*", "price*"), "", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q2", "q3", "q5", "q9", "q13", "q14", "q21", "q22", "x1join", "x8w", "x10outer", "lr4stop"})
    void shouldHaveTheRowsOfTheLoopWhetherTimesAreUniqueOrRepeat(final String name) throws Exception
    {
        for (final boolean milliseconds : new boolean[]{false, true})
        {
            assertThat(run(NexmarkQuery.all().get(name), milliseconds)).singleElement().satisfies(line ->
            {
                assertThat(line.ratioToLimit()).isPositive();
                assertThat(line.figures()).containsEntry("check", "rows and values equal");
                assertThat((long)line.figures().get("rowsOut")).isPositive();
            });
        }
    }

    @Test
    void shouldFailWhenTheEngineHasOtherRowsThanTheLoop()
    {
        assertThatThrownBy(() -> run(selection("mod(auction, 124) = 0"), false))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("disagree, workload=nexmark q2");
    }

    @Test
    void shouldListAQueryThatTheEngineRefusesWithTheReason() throws Exception
    {
        assertThat(run(selection("missing = 0"), false)).singleElement().satisfies(line ->
        {
            assertThat(line.nsPerEvent()).isNaN();
            assertThat((String)line.figures().get("refused")).contains("CQL-", "missing");
        });
    }

    @Test
    void shouldHaveALoopForEveryQuery()
    {
        final NexmarkData data = new NexmarkData(100, false, BRIEF.seed());
        assertThat(NexmarkQuery.all()).hasSizeGreaterThan(40).allSatisfy((name, query) ->
        {
            assertThat(QueryBaselines.of(name, data)).isNotNull();
            assertThat(query.what()).isNotBlank();
            assertThat(query.statements()).isNotEmpty();
        });
    }

    @Test
    void shouldGiveTheSameEventsForASeed()
    {
        final NexmarkData data = new NexmarkData(1_000, true, 7);
        assertThat(List.of(data.events, data.persons, data.auctions, data.bids)).containsExactly(1_000, 20, 60, 920);
        assertThat(Feed.BIDS.timeNs(data, 920)).isEqualTo(data.lengthNs());
        assertThat(Feed.SPLIT.timeNs(data, 150)).isEqualTo(1_000_000);
    }
}

package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.runtime.RejectionHandler;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State of units stays correct when capacity is exceeded, and joins over the current instant discard their rows. */
@Timeout(60)
class UnitRoomTest
{
    private static final int RUNS = 60;
    private static final int ROOM = 5;

    @ParameterizedTest
    @ValueSource(strings = {
        "select s.k, s.v from S [range 9 nanoseconds] as s",
        "select s.k + 1 as k, s.v from S [rows 9] as s where s.v < 1",
        "select s.k, s.v from S [partition by k rows 3 range 9 nanoseconds] as s",
        "select s.k, s.v from S [session gap 4 nanoseconds partition by k] as s",
        "(select s.k, s.v from S [range 9 nanoseconds] as s) union all " +
            "(select r.k, r.v from R [range 8 nanoseconds] as r)",
        "(select s.k, s.v from S [range 9 nanoseconds] as s) except " +
            "(select r.k, r.v from R [range 8 nanoseconds] as r)",
        "(select s.k, s.v from S [range 9 nanoseconds] as s) in (select r.k, r.v from R [range 8 nanoseconds] as r)",
        "select distinct s.k, s.v from S [range 9 nanoseconds] as s",
        "select s.k, s.v as a, r.v as b from S [range 9 nanoseconds] as s, R [range 8 nanoseconds] as r " +
            "where s.k = r.k",
        "select s.k, s.v as a, r.v as b from S [range 9 nanoseconds] as s left outer join R [range 8 nanoseconds] " +
            "as r on s.k = r.k",
        "select s.k, s.v from S [range 9 nanoseconds] as s order by s.v, s.k rows 3",
        "select s.k, count(*) as n, max(s.v) as m from S [range 9 nanoseconds slide 2 nanoseconds] as s group by s.k"})
    void shouldNeverTakeAwayWhatItNeverGaveWhenThereIsNoRoom(final String query) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        int rejected = 0;
        for (int run = 0; run < RUNS; run++)
        {
            rejected += check(query, new Random(seed + run), "seed=" + (seed + run));
        }
        assertThat(rejected).isPositive();
    }

    private static int check(final String query, final Random random, final String where) throws Exception
    {
        final UnitHarness unit = new UnitHarness(query, true, ROOM, null);
        long timeNs = 0;
        for (int i = 0; i < 60; i++)
        {
            timeNs += 1 + random.nextInt(2);
            final String source = random.nextBoolean() ? "S" : "R";
            unit.row(source, timeNs, random.nextInt(6), random.nextInt(2));
            unit.heartbeat(source.equals("S") ? "R" : "S", timeNs);
            assertThat(unit.bag.values()).as(where).allMatch(count -> count > 0);
        }
        unit.heartbeat("S", timeNs + 100);
        unit.heartbeat("R", timeNs + 100);
        if (!query.contains("[rows "))
        {
            assertThat(unit.bag).as(where).isEmpty();
        }
        assertThat(unit.rejected.keySet()).as(where).allMatch(RejectionHandler.STATE_FULL::equals);
        return unit.rejected.getOrDefault(RejectionHandler.STATE_FULL, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "left outer"})
    void shouldJoinRowsOfTheInstantAndForgetThemWhenItIsOver(final String outer) throws Exception
    {
        final String from = outer.isEmpty() ? "S [now] as s, R [range 5 nanoseconds] as r where s.k = r.k" :
            "S [now] as s left outer join R [range 5 nanoseconds] as r on s.k = r.k";
        final UnitHarness unit =
            new UnitHarness("RStream(select s.k, s.v as a, r.v as b from " + from + ')', false, 100, null);
        unit.row("S", 1, 1, 1);
        unit.row("R", 1, 1, 7);
        unit.row("S", 2, 1, 1);
        unit.row("S", 2, 9, 2);
        unit.row("R", 3, 1, 8);
        unit.row("S", 6, 1, 3);
        unit.heartbeat("S", 9);
        unit.heartbeat("R", 9);
        final List<String> joined = List.of("1 +[1, 1, 7]", "2 +[1, 1, 7]", "6 +[1, 3, 8]");
        assertThat(unit.lines).containsAll(joined).hasSize(outer.isEmpty() ? 3 : 4);
        assertThat(unit.lines.contains("2 +[9, 2, null]")).isEqualTo(!outer.isEmpty());
    }

    @Test
    void shouldPutTheRelationFirstWhenTheRowsOfTheInstantAreRight() throws Exception
    {
        final UnitHarness unit = new UnitHarness("RStream(select r.k, r.v as a, s.v as b from R [range unbounded] " +
            "as r, S [now] as s where s.k = r.k)", false, 100, null);
        unit.row("R", 1, 1, 7);
        unit.row("S", 1, 1, 1);
        unit.heartbeat("S", 1);
        unit.heartbeat("R", 1);
        assertThat(unit.lines).containsExactly("1 +[1, 7, 1]");
    }
}

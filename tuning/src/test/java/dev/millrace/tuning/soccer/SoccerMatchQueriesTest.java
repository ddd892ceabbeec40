package dev.millrace.tuning.soccer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The statements compared with their specification, computed from scratch for each instant from the rows of the match.
 */
@Tag("slow")
@Timeout(120)
class SoccerMatchQueriesTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final SoccerData DATA = new SoccerData(11, 66 * SoccerData.ROWS_A_SECOND);
    private static final Map<Integer, Pitch.Sensor> SENSORS = new HashMap<>();

    static
    {
        for (final Pitch.Sensor[] some : List.of(Pitch.wornSensors(), Pitch.balls()))
        {
            for (final Pitch.Sensor each : some)
            {
                SENSORS.put(each.sid(), each);
            }
        }
    }

    /** A step of a player, or an action with its duration. */
    private record Entry(long at, int who, int what, long value)
    {
    }

    /** Rows that the engine emits for the match, by statement; each as its time and values. */
    private static Map<String, List<String>> run(final String query)
    {
        final Map<String, List<String>> rows = new HashMap<>();
        try (SoccerNetwork network = new SoccerNetwork(query, id ->
        {
            final List<String> mine = rows.computeIfAbsent(id, any -> new ArrayList<>());
            return batch -> collect(batch, mine);
        }))
        {
            new SoccerReplay(DATA, network.positionBatch(), network::send,
                network.hasInterruptions() ? network.interruptionBatch() : null, network::sendInterruptions)
                .play(DATA.rows());
        }
        rows.values().forEach(Collections::sort);
        return rows;
    }

    private static void collect(final EventBatch batch, final List<String> rows)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final StringBuilder text = new StringBuilder().append(batch.timestampNs(row));
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                text.append(' ').append(batch.value(column, row));
            }
            rows.add(text.toString());
        }
    }

    private static List<String> sorted(final List<String> rows)
    {
        Collections.sort(rows);
        return rows;
    }

    private static long at(final int row)
    {
        return DATA.times[row] / 1000;
    }

    private static long upTo(final long time, final long unit)
    {
        return time % unit == 0 ? time : (time / unit + 1) * unit;
    }

    private static boolean isFoot(final int row)
    {
        return SENSORS.get(DATA.sids[row]).kind() == Pitch.FOOT;
    }

    private static boolean isInside(final int row)
    {
        return DATA.xs[row] >= 0 && DATA.xs[row] <= 52_483 && DATA.ys[row] >= -33_960 && DATA.ys[row] <= 33_965;
    }

    /** The last instant that is complete when the last row has arrived. */
    private static long lastTick(final long unit)
    {
        return at(DATA.rows() - 1) / unit * unit;
    }

    /** Fiftieths of a second: distance and pace of each player. */
    private static List<Entry> steps()
    {
        final Map<Long, Map<Integer, List<Long>>> speeds = new TreeMap<>();
        for (int row = 0; row < DATA.rows(); row++)
        {
            if (isFoot(row))
            {
                speeds.computeIfAbsent(upTo(at(row), SECOND / 50), tick -> new TreeMap<>())
                    .computeIfAbsent(SENSORS.get(DATA.sids[row]).player(), player -> new ArrayList<>())
                    .add(DATA.speeds[row]);
            }
        }
        final double[] kmh = {1, 11, 14, 17, 24};
        final List<Entry> steps = new ArrayList<>();
        speeds.forEach((tick, players) -> players.forEach((player, all) ->
        {
            final long mean = all.stream().mapToLong(Long::longValue).sum() / all.size();
            int pace = 0;
            while (pace < kmh.length && mean / 1e6 * 3.6 >= kmh[pace])
            {
                pace++;
            }
            if (tick <= lastTick(SECOND / 50))
            {
                steps.add(new Entry(tick, player, pace, mean / 50));
            }
        }));
        return steps;
    }

    @Test
    void shouldGiveEachStepOfARunWhenItHasLastedForASecond()
    {
        final Map<Integer, List<Entry>> players = new TreeMap<>();
        steps().forEach(step -> players.computeIfAbsent(step.who(), any -> new ArrayList<>()).add(step));
        final List<String> expected = new ArrayList<>();
        players.forEach((player, steps) ->
        {
            for (int last = 0; last < steps.size(); last++)
            {
                int first = last;
                long distance = steps.get(last).value();
                while (first > 0 && steps.get(first - 1).what() == steps.get(last).what())
                {
                    first--;
                    distance += steps.get(first).value();
                }
                if (steps.get(last).at() - steps.get(first).at() >= SECOND)
                {
                    expected.add(steps.get(last).at() + " " + steps.get(first).at() + ' ' + steps.get(last).at() + ' ' +
                        player + ' ' + steps.get(last).what() + ' ' + distance + ' ' +
                        distance / (last - first + 1) * 50);
                }
            }
        });

        assertThat(expected).hasSizeGreaterThan(1000);
        assertThat(run("q1").get("running")).isEqualTo(sorted(expected));
    }

    @Test
    void shouldGiveStepsAndDistanceOfEachPaceWhenTheyChange()
    {
        final Map<String, List<String>> rows = run("q1");
        final List<Entry> steps = steps();

        assertThat(rows.get("pace_1")).isEqualTo(sorted(paces(steps, 60 * SECOND)));
        assertThat(rows.get("pace_5")).isEqualTo(sorted(paces(steps, 300 * SECOND)));
        assertThat(rows.get("pace_20")).isEqualTo(rows.get("pace_5"));
        assertThat(rows.get("pace_match")).isEqualTo(rows.get("pace_5"));
    }

    private static List<String> paces(final List<Entry> steps, final long length)
    {
        final List<String> expected = new ArrayList<>();
        Map<String, long[]> before = new HashMap<>();
        int from = 0;
        for (int to = 0; to < steps.size(); to++)
        {
            final long now = steps.get(to).at();
            if (to + 1 < steps.size() && steps.get(to + 1).at() == now)
            {
                continue;
            }
            while (steps.get(from).at() + length <= now)
            {
                from++;
            }
            final Map<String, long[]> sums = new HashMap<>();
            for (final Entry step : steps.subList(from, to + 1))
            {
                final long[] sum = sums.computeIfAbsent(step.who() + " " + step.what(), any -> new long[2]);
                sum[0]++;
                sum[1] += step.value();
            }
            for (final Map.Entry<String, long[]> sum : sums.entrySet())
            {
                final long[] old = before.get(sum.getKey());
                if (old == null || old[0] != sum.getValue()[0] || old[1] != sum.getValue()[1])
                {
                    expected.add(now + " " + sum.getKey() + ' ' + sum.getValue()[0] + ' ' + sum.getValue()[1]);
                }
            }
            before = sums;
        }
        return expected;
    }

    /**
     * Touches: who struck a ball, the ball out, the referee (both as player 0); the value is the order of their kinds.
     */
    private static List<Entry> touches(final boolean hitsOnly)
    {
        final List<Entry> touches = new ArrayList<>();
        final Map<Integer, Integer> lastRows = new HashMap<>();
        for (int row = 0; row < DATA.rows(); row++)
        {
            final Integer before = lastRows.put(DATA.sids[row], row);
            if (SENSORS.get(DATA.sids[row]).kind() != Pitch.BALL || before == null)
            {
                continue;
            }
            if (DATA.accelerations[before] < 55e6 && DATA.accelerations[row] >= 55e6 && isInside(row))
            {
                final int player = nearest(row, lastRows);
                if (player > 0)
                {
                    touches.add(new Entry(at(row), player, Pitch.team(player), row));
                }
            }
            if (isInside(before) && !isInside(row) && !hitsOnly)
            {
                touches.add(new Entry(at(row), 0, 0, row));
            }
        }
        for (int i = 0; i < DATA.interruptions.length && !hitsOnly; i += 2)
        {
            touches.add(new Entry(DATA.interruptions[i] / 1000, 0, 0, -1));
        }
        touches.sort((one, other) -> Long.compare(one.at(), other.at()));
        return touches;
    }

    private static int nearest(final int ball, final Map<Integer, Integer> lastRows)
    {
        double least = 1000;
        int player = 0;
        for (final int foot : lastRows.values())
        {
            final double distance = Math.hypot(DATA.xs[ball] - DATA.xs[foot], DATA.ys[ball] - DATA.ys[foot]);
            if (isFoot(foot) && distance < least)
            {
                least = distance;
                player = SENSORS.get(DATA.sids[foot]).player();
            }
        }
        return player;
    }

    private static List<Entry> spells()
    {
        final List<Entry> touches = touches(false);
        final List<Entry> spells = new ArrayList<>();
        for (int i = 1; i < touches.size(); i++)
        {
            final Entry first = touches.get(i - 1);
            if (first.who() > 0)
            {
                spells.add(new Entry(touches.get(i).at(), first.who(), first.what(), touches.get(i).at() - first.at()));
            }
        }
        return spells;
    }

    @Test
    void shouldGiveHitsAndTimeOfAPlayerWhenItHasLostTheBall()
    {
        final List<Entry> spells = spells();
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < spells.size(); i++)
        {
            final Entry last = spells.get(i);
            final List<Entry> own = spells.subList(0, i + 1).stream().filter(each -> each.who() == last.who()).toList();
            expected.add(last.at() + " " + last.who() + ' ' + own.size() + ' ' +
                own.stream().mapToLong(Entry::value).sum());
        }

        assertThat(expected).hasSizeGreaterThan(15);
        assertThat(run("q2").get("players")).isEqualTo(sorted(expected));
    }

    @Test
    void shouldGiveTheShareOfEachTeamWhenASpellEndsOrLeavesTheWindow()
    {
        final Map<String, List<String>> rows = run("q2");

        assertThat(rows.get("teams_1")).isEqualTo(sorted(shares(60 * SECOND)));
        assertThat(rows.get("teams_5")).isEqualTo(sorted(shares(300 * SECOND)));
        assertThat(rows.get("teams_20")).isEqualTo(rows.get("teams_5"));
        assertThat(rows.get("teams_match")).isEqualTo(rows.get("teams_5"));
    }

    private static List<String> shares(final long length)
    {
        final List<Entry> spells = spells();
        final List<Long> instants = new ArrayList<>();
        for (final Entry spell : spells)
        {
            instants.add(spell.at());
            if (spell.at() + length <= at(DATA.rows() - 1))
            {
                instants.add(spell.at() + length);
            }
        }
        final List<String> expected = new ArrayList<>();
        List<String> before = List.of();
        for (final long now : instants.stream().sorted().distinct().toList())
        {
            final List<Entry> in =
                spells.stream().filter(each -> each.at() <= now && each.at() + length > now).toList();
            final long all = in.stream().mapToLong(Entry::value).sum();
            final List<String> shown = new ArrayList<>();
            for (final int team : new int[] {1, 2})
            {
                final List<Entry> own = in.stream().filter(each -> each.what() == team).toList();
                final long held = own.stream().mapToLong(Entry::value).sum();
                if (!own.isEmpty())
                {
                    shown.add(" " + team + ' ' + held + ' ' + 100.0 * held / all);
                }
            }
            for (final String each : shown)
            {
                if (!before.contains(each))
                {
                    expected.add(now + each);
                }
            }
            before = shown;
        }
        return expected;
    }

    @Test
    void shouldGiveTheSamplesInEachCellEverySecond()
    {
        final Map<String, List<String>> rows = run("q3");
        final int[][] grids = {{8, 13}, {16, 25}, {32, 50}, {64, 100}};
        for (final int[] grid : grids)
        {
            final String name = "heat_" + grid[0] + 'x' + grid[1];
            assertThat(rows.get(name + "_1")).as(name)
                .isEqualTo(sorted(cells(grid, 60, 240.0)));
            assertThat(rows.get(name + "_5")).as(name)
                .isEqualTo(sorted(cells(grid, 300, 1200.0)));
            assertThat(rows.get(name + "_10")).as(name)
                .isEqualTo(sorted(cells(grid, 600, 2400.0)));
            assertThat(rows.get(name + "_match")).as(name)
                .isEqualTo(sorted(cells(grid, 600, 0)));
        }
    }

    private static List<String> cells(final int[] grid, final int seconds, final double samplesAPercent)
    {
        final TreeMap<Long, Map<String, Long>> added = new TreeMap<>();
        for (int row = 0; row < DATA.rows(); row++)
        {
            if (isFoot(row) && isInside(row))
            {
                final String cell = SENSORS.get(DATA.sids[row]).player() + " " + DATA.xs[row] * grid[0] / 52_484 + ' ' +
                    (DATA.ys[row] + 33_960) * grid[1] / 67_926;
                added.computeIfAbsent(upTo(at(row), SECOND), tick -> new HashMap<>()).merge(cell, 1L, Long::sum);
            }
        }
        final List<String> expected = new ArrayList<>();
        Map<String, Long> before = new HashMap<>();
        for (long now = upTo(at(0), SECOND); now <= lastTick(SECOND); now += SECOND)
        {
            final Map<String, Long> sums = new HashMap<>();
            added.subMap(now - seconds * SECOND, false, now, true).values().forEach(second ->
                second.forEach((cell, samples) -> sums.merge(cell, samples, Long::sum)));
            for (final Map.Entry<String, Long> sum : sums.entrySet())
            {
                if (!sum.getValue().equals(before.get(sum.getKey())))
                {
                    expected.add(now + " " + sum.getKey() + ' ' + (samplesAPercent == 0 ? sum.getValue().toString() :
                        String.valueOf(sum.getValue() / samplesAPercent)));
                }
            }
            before = sums;
        }
        return expected;
    }

    @Test
    void shouldGiveTheBallForAsLongAsItIsOnItsWayIntoTheGoal()
    {
        final List<Entry> hits = touches(true);
        final List<String> expected = new ArrayList<>();
        for (int row = 0; row < DATA.rows(); row++)
        {
            if (SENSORS.get(DATA.sids[row]).kind() == Pitch.BALL)
            {
                Entry last = null;
                for (final Entry hit : hits)
                {
                    last = hit.at() <= at(row) ? hit : last;
                }
                if (last != null && leadsIntoGoal(row, last.what()))
                {
                    expected.add(shot(row, last.who()));
                }
            }
        }

        assertThat(expected).hasSizeGreaterThan(100);
        assertThat(run("q4").get("shots")).isEqualTo(sorted(expected));
    }

    private static boolean leadsIntoGoal(final int row, final int team)
    {
        final double speed = DATA.speeds[row] / 1e6;
        final double line = team == 1 ? 33_941 : -33_968;
        final double ms = (line - DATA.ys[row]) / (speed * DATA.directions[1][row] / 1e4);
        final double x = DATA.xs[row] + speed * DATA.directions[0][row] / 1e4 * ms;
        final double z = DATA.zs[row] + speed * DATA.directions[2][row] / 1e4 * ms;
        final double left = team == 1 ? 22_579 : 22_560;
        return DATA.directions[1][row] > 0 == (team == 1) && DATA.xs[row] >= 0 && DATA.xs[row] <= 52_483 &&
            ms >= 0 && ms <= 1500 &&
            x >= left && x <= left + 7320 && z >= 0 && z <= 2440;
    }

    private static String shot(final int row, final int player)
    {
        final int[][] d = DATA.directions;
        return at(row) + " " + at(row) + ' ' + player + ' ' + DATA.xs[row] + ' ' + DATA.ys[row] + ' ' + DATA.zs[row] +
            ' ' + DATA.speeds[row] + ' ' + d[0][row] + ' ' + d[1][row] + ' ' + d[2][row] + ' ' +
            DATA.accelerations[row] + ' ' + d[3][row] + ' ' + d[4][row] + ' ' + d[5][row];
    }
}

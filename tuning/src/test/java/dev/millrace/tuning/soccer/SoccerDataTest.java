package dev.millrace.tuning.soccer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SoccerDataTest
{
    private static final SoccerData DATA = new SoccerData(5, 40 * SoccerData.ROWS_A_SECOND);

    @Test
    void shouldMakeTheSameRowsWhenTheSeedIsTheSameAndOthersWhenNot()
    {
        final SoccerData same = new SoccerData(5, 20_000);
        final SoccerData other = new SoccerData(6, 20_000);

        assertThat(same.times).isEqualTo(Arrays.copyOf(DATA.times, 20_000));
        assertThat(same.xs).isEqualTo(Arrays.copyOf(DATA.xs, 20_000));
        assertThat(same.accelerations).isEqualTo(Arrays.copyOf(DATA.accelerations, 20_000));
        assertThat(other.xs).isNotEqualTo(same.xs);
    }

    @Test
    void shouldSendEachBall2000TimesASecondAndAllOthers200Times()
    {
        final Map<Integer, Integer> rows = new HashMap<>();
        Arrays.stream(DATA.sids).forEach(sid -> rows.merge(sid, 1, Integer::sum));

        assertThat(rows).hasSize(42);
        for (final Pitch.Sensor each : Pitch.balls())
        {
            assertThat(rows.get(each.sid())).isEqualTo(40 * 2000);
        }
        for (final Pitch.Sensor each : Pitch.wornSensors())
        {
            assertThat(rows.get(each.sid())).isEqualTo(40 * 200);
        }
    }

    @Test
    void shouldGivePlayersTwoSensorsAndGoalkeepersFour()
    {
        final Map<Integer, Integer> sensors = new HashMap<>();
        Arrays.stream(Pitch.wornSensors()).forEach(each -> sensors.merge(each.player(), 1, Integer::sum));
        final Set<Integer> sids = new HashSet<>();
        Arrays.stream(Pitch.wornSensors()).forEach(each -> sids.add(each.sid()));
        Arrays.stream(Pitch.balls()).forEach(each -> sids.add(each.sid()));

        assertThat(sensors).hasSize(17).containsEntry(1, 4).containsEntry(2, 2).containsEntry(8, 2)
            .containsEntry(9, 4).containsEntry(16, 2).containsEntry(17, 2);
        assertThat(sids).hasSize(42);
    }

    @Test
    void shouldGiveTimesThatIncreaseAlsoInNanosecondsAndTakeAsLongAsTheySay()
    {
        for (int i = 1; i < DATA.rows(); i++)
        {
            assertThat(DATA.times[i] / 1000).isGreaterThan(DATA.times[i - 1] / 1000);
        }
        assertThat(DATA.lengthPs).isEqualTo(40_000_000_000_000L);
        assertThat(DATA.times[DATA.rows() - 1]).isLessThan(SoccerData.START_PS + DATA.lengthPs);
    }

    @Test
    void shouldKeepPlacesSpeedsAndDirectionsInRange()
    {
        for (int i = 0; i < DATA.rows(); i++)
        {
            final boolean ball = DATA.sids[i] <= 12;
            assertThat(DATA.xs[i]).isBetween(-20_000L, 73_000L);
            assertThat(DATA.ys[i]).isBetween(-54_000L, 54_000L);
            assertThat(DATA.zs[i]).isBetween(-20L, 20_000L);
            assertThat(DATA.speeds[i]).isBetween(0L, ball ? 45_000_000L : 13_000_000L);
            assertThat(DATA.accelerations[i]).isBetween(0L, 10_000_000_000L);
            for (int first = 0; first < 6; first += 3)
            {
                final double length = Math.sqrt(Math.pow(DATA.directions[first][i], 2) +
                    Math.pow(DATA.directions[first + 1][i], 2) + Math.pow(DATA.directions[first + 2][i], 2));
                assertThat(length).isBetween(9_998.0, 10_002.0);
            }
        }
    }

    @Test
    void shouldInterruptAndPlayOnInTurn()
    {
        assertThat(DATA.interruptions).hasSizeGreaterThanOrEqualTo(2).isSorted();
        assertThat(DATA.interruptions[0]).isGreaterThan(SoccerData.START_PS);
    }

    @Test
    void shouldMovePlayersAtAllPaces()
    {
        final long[] fastest = new long[128];
        int standing = 0;
        for (int i = 0; i < DATA.rows(); i++)
        {
            fastest[DATA.sids[i]] = Math.max(fastest[DATA.sids[i]], DATA.speeds[i]);
            standing += DATA.sids[i] > 12 && DATA.speeds[i] < 277_778 ? 1 : 0;
        }
        assertThat(standing).isPositive();
        assertThat(Arrays.stream(fastest).filter(speed -> speed > 6_666_667).count()).isGreaterThan(4);
    }
}
